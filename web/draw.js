// draw.js - what a figure shows inside its frame, drawn with a pen: the canvas of the screen or an SVG file (svg.js).
'use strict';
var daedal = window.daedal || (window.daedal = {});

daedal.grounds = daedal.grounds || {}; // what lies below the lines, by the name in the figure (heat.js)

(() => {
    const POINT = 2.6, DASH = [7, 4], MARK_DASH = [3, 3], MOST_MARKS = 400;
    const AREA = 0.18; // opacity of what a closed line is around
    const AT_BOUND = 1e-4; // of the distance of the bounds: as near as this a bound is active

    daedal.colour = (name) => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
    daedal.lineColour = (k) => daedal.colour('line' + (k % 7));

    function level(pen, box, at, colour, dash) {
        pen.strokeStyle = colour;
        pen.setLineDash(dash);
        pen.beginPath();
        pen.moveTo(box.left, at);
        pen.lineTo(box.left + box.width, at);
        pen.stroke();
        pen.setLineDash([]);
    }

    // The forbidden side of a bound.
    function shade(pen, box, from, to) {
        const top = Math.max(box.top, Math.min(from, to)), bottom = Math.min(box.top + box.height, Math.max(from, to));
        if (bottom > top) {
            pen.fillStyle = daedal.colour('forbidden');
            pen.fillRect(box.left, top, box.width, bottom - top);
        }
    }

    function bounds(plot, pen, box, toY) {
        const {lower, upper, levels} = plot.spec;
        if (lower !== undefined) {
            shade(pen, box, toY(lower), box.top + box.height);
        }
        if (upper !== undefined) {
            shade(pen, box, box.top, toY(upper));
        }
        pen.lineWidth = plot.ratio;
        for (const value of levels || []) {
            level(pen, box, toY(value), daedal.colour('soft'), DASH.map((n) => n * plot.ratio));
        }
    }

    function marks(plot, pen, box, toX) {
        const at = plot.spec.marks || [];
        if (at.length > MOST_MARKS) {
            return;
        }
        pen.strokeStyle = daedal.colour('soft');
        pen.lineWidth = plot.ratio;
        pen.setLineDash(MARK_DASH.map((n) => n * plot.ratio));
        pen.beginPath();
        for (const value of at) {
            pen.moveTo(toX(value), box.top);
            pen.lineTo(toX(value), box.top + box.height);
        }
        pen.stroke();
        pen.setLineDash([]);
    }

    function points(plot, pen, line, toX, toY) {
        const radius = POINT * plot.ratio, x = line.x, y = line.y;
        pen.beginPath();
        for (let i = 0; i < x.length; i++) {
            const px = toX(x[i]), py = toY(y[i]);
            if (px - px === 0 && py - py === 0) {
                pen.moveTo(px + radius, py);
                pen.arc(px, py, radius, 0, 2 * Math.PI);
            }
        }
        pen.fillStyle = daedal.lineColour(line.colour);
        pen.fill();
    }

    // Bars stand on zero and are as wide as the distance to the next one.
    function bars(plot, pen, line, toX, toY) {
        const x = line.x, y = line.y;
        pen.fillStyle = daedal.lineColour(line.colour);
        for (let i = 0; i < x.length; i++) {
            const half = 0.45 * (i + 1 < x.length ? x[i + 1] - x[i] : i > 0 ? x[i] - x[i - 1] : 1);
            const left = toX(x[i] - half), right = toX(x[i] + half), top = toY(y[i]), foot = toY(0);
            pen.fillRect(left, Math.min(top, foot), right - left, Math.abs(foot - top));
        }
    }

    // A copy of y that has values only where a bound is active.
    function activePart({lower, upper}, y) {
        const both = lower !== undefined && upper !== undefined;
        const near = AT_BOUND * (both ? upper - lower : Math.max(1, Math.abs(lower ?? upper)));
        let any = false;
        const part = y.map((value) => {
            const active = value - lower <= near || upper - value <= near;
            any = any || active;
            return active ? value : NaN;
        });
        return any ? part : null;
    }

    function stroke(plot, pen, line, toX, toY) {
        pen.strokeStyle = daedal.lineColour(line.colour);
        pen.lineWidth = (line.thick ? 7 : 1.7) * plot.ratio;
        pen.globalAlpha = line.thick ? 0.3 : 1;
        pen.setLineDash(line.style === 'dashed' ? DASH.map((n) => n * plot.ratio) : []);
        pen.beginPath();
        if (plot.spec.path) {
            daedal.pathOutline(pen, line.x, line.y, toX, toY);
        } else {
            const [begin, end] = plot.rowsShown(line.x);
            daedal.outline(pen, line.x, line.y, begin, end, toX, toY);
        }
        pen.stroke();
        if (line.style === 'area') {
            pen.fillStyle = pen.strokeStyle;
            pen.globalAlpha = AREA;
            pen.fill();
        }
        pen.setLineDash([]);
        pen.globalAlpha = 1;
    }

    function curve(plot, pen, line, toX, toY) {
        if (line.style === 'points') {
            points(plot, pen, line, toX, toY);
        } else if (line.style === 'bars') {
            bars(plot, pen, line, toX, toY);
        } else {
            stroke(plot, pen, line, toX, toY);
            if (line.style === 'marked') {
                points(plot, pen, line, toX, toY);
            }
        }
    }

    function active(plot, pen, line, toX, toY) {
        const bounds = line.bounded ? line : plot.spec; // of an array whose elements have different ones
        if (bounds.lower === undefined && bounds.upper === undefined) {
            return;
        }
        line.active = line.active === undefined ? activePart(bounds, line.y) : line.active;
        if (line.active) {
            stroke(plot, pen, {...line, y: line.active, thick: true}, toX, toY);
        }
    }

    // Dots at the edge of the frame are whole.
    function clip(pen, box, room) {
        pen.save();
        pen.beginPath();
        pen.rect(box.left - room, box.top - room, box.width + 2 * room, box.height + 2 * room);
        pen.clip();
        pen.lineJoin = 'round';
    }

    // Everything but the axes. box: the frame in pixels of the pen.
    daedal.draw = (plot, pen, box, toX, toY) => {
        clip(pen, box, 0);
        (daedal.grounds[plot.spec.ground] || (() => {}))(plot, pen, box, toX, toY);
        bounds(plot, pen, box, toY);
        marks(plot, pen, box, toX);
        const below = (line) => line.style === 'bars' ? 0 : 1; // a curve over bars is in front of them
        const lines = plot.lines.filter((l) => l.shown).reverse().sort((a, b) => below(a) - below(b)); // the first one on top
        for (const line of plot.spec.heat ? [] : lines) {
            active(plot, pen, line, toX, toY);
            if (line.style !== 'points') {
                curve(plot, pen, line, toX, toY);
            }
        }
        pen.restore();
        clip(pen, box, POINT * plot.ratio);
        for (const line of plot.lines.filter((l) => l.shown && l.style === 'points').reverse()) {
            curve(plot, pen, line, toX, toY);
        }
        pen.restore();
    };

})();
