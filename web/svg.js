// svg.js - a pen with the few calls of a canvas that draw.js uses, which writes SVG.
'use strict';
var daedal = window.daedal || (window.daedal = {});

(() => {
    const escape = (text) => String(text).replace(/[<>&"']/g, (c) => `&#${c.charCodeAt(0)};`);
    const n = (value) => String(Math.round(value * 100) / 100);

    daedal.SvgPen = class {
        constructor(width, height) {
            Object.assign(this, {width, height, parts: [], path: '', dash: [], strokeStyle: '#000', fillStyle: '#000',
                lineWidth: 1, globalAlpha: 1, textAlign: 'left', size: 12, clips: 0, open: 0, stack: []});
        }

        save() { this.stack.push(this.open); }

        restore() {
            for (const before = this.stack.pop(); this.open > before; this.open--) {
                this.parts.push('</g>');
            }
        }

        beginPath() { this.path = ''; }
        moveTo(x, y) { this.path += `M${n(x)} ${n(y)}`; }
        lineTo(x, y) { this.path += `L${n(x)} ${n(y)}`; }
        rect(x, y, w, h) { this.path += `M${n(x)} ${n(y)}h${n(w)}v${n(h)}h${n(-w)}z`; }
        arc(x, y, r) { this.path += `M${n(x - r)} ${n(y)}a${n(r)} ${n(r)} 0 1 0 ${n(2 * r)} 0a${n(r)} ${n(r)} 0 1 0 ${n(-2 * r)} 0z`; }
        setLineDash(dash) { this.dash = dash; }

        clip() {
            this.clips++;
            this.open++;
            this.parts.push(`<clipPath id="k${this.clips}"><path d="${this.path}"/></clipPath><g clip-path="url(#k${this.clips})">`);
        }

        stroke() {
            this.parts.push(`<path fill="none" stroke="${escape(this.strokeStyle)}" stroke-width="${n(this.lineWidth)}" ` +
                `stroke-linejoin="round" opacity="${this.globalAlpha}" stroke-dasharray="${this.dash.join(' ')}" d="${this.path}"/>`);
        }

        fill() { this.parts.push(`<path fill="${escape(this.fillStyle)}" opacity="${this.globalAlpha}" d="${this.path}"/>`); }

        fillRect(x, y, w, h) {
            this.parts.push(`<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" fill="${escape(this.fillStyle)}"/>`);
        }

        fillText(text, x, y) {
            const anchor = {left: 'start', center: 'middle', right: 'end'}[this.textAlign];
            this.parts.push(`<text x="${n(x)}" y="${n(y)}" text-anchor="${anchor}" font-size="${this.size}" ` +
                `fill="${escape(this.fillStyle)}">${escape(text)}</text>`);
        }

        text() {
            return `<svg xmlns="http://www.w3.org/2000/svg" width="${n(this.width)}" height="${n(this.height)}" ` +
                `viewBox="0 0 ${n(this.width)} ${n(this.height)}" font-family="system-ui, Helvetica, Arial, sans-serif">` +
                `${this.parts.join('')}</svg>\n`;
        }
    };
})();
