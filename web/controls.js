// controls.js - what is around a plot: legend, buttons, keys, wheel and touch.
'use strict';
var daedal = window.daedal || (window.daedal = {});

(() => {
    const CLOSER = 0.7, STEP = 0.01, LONG_STEP = 0.1; // zoom per press; movement of the cursor, of the width

    function element(tag, css, text) {
        const e = document.createElement(tag);
        e.className = css || '';
        e.textContent = text || '';
        return e;
    }
    daedal.element = element;

    function button(text, label, action) {
        const b = element('button', '', text);
        b.type = 'button';
        b.title = label;
        b.setAttribute('aria-label', label);
        b.addEventListener('click', action);
        return b;
    }

    // ---- legend ----

    function swatch(line) {
        const s = element('span', 'swatch ' + (line.style || 'line'));
        s.style.setProperty('--colour', `var(--line${line.colour % 7})`);
        return s;
    }

    // Neighbours that look alike, such as the plans of several samples, have one entry: "planned at 0 ... 7".
    const SEVERAL = 3;

    function alike(lines) {
        const groups = [];
        lines.forEach((line, k) => {
            const last = groups[groups.length - 1], first = last && lines[last[0]];
            if (first && line.style === 'dashed' && first.style === line.style && first.colour === line.colour) {
                last.push(k);
            } else {
                groups.push([k]);
            }
        });
        return groups.flatMap((group) => (group.length >= SEVERAL ? [group] : group.map((k) => [k])));
    }

    function groupName(lines) {
        const [first, last] = [lines[0].name, lines[lines.length - 1].name];
        return lines.length === 1 ? first : `${first} … ${last.slice(last.lastIndexOf(' ') + 1)}`;
    }

    function legendEntry(plot, group) {
        const lines = group.map((k) => plot.lines[k]), name = groupName(lines), label = element('output');
        const b = button('', `show or hide ${name}`, () => {
            group.forEach((k) => plot.toggle(k));
            b.setAttribute('aria-pressed', String(lines[0].shown));
        });
        b.className = 'entry';
        b.setAttribute('aria-pressed', String(lines[0].shown));
        lines.forEach((line) => { line.label = group.length === 1 ? label : element('output'); }); // several have no value
        b.append(swatch(lines[0]), element('span', '', name), label);
        return b;
    }

    // The range of a heat map beside its colours.
    function colourBar(plot) {
        const bar = element('span', 'entry'), scale = element('span', 'scale'), [low, high] = daedal.heatRange(plot);
        const shades = [0, 0.25, 0.5, 0.75, 1].map((part) => `rgb(${daedal.heatColour(part)})`);
        scale.style.background = `linear-gradient(to right, ${shades})`;
        const unit = plot.spec.unit ? ' ' + plot.spec.unit : '';
        bar.append(element('span', '', daedal.number(low, 4)), scale, element('span', '', daedal.number(high, 4) + unit));
        return bar;
    }

    function legend(plot) {
        const list = element('div', 'legend');
        plot.where = element('output', 'where');
        if (plot.spec.heat) {
            list.append(colourBar(plot));
        } else {
            list.append(...alike(plot.lines).map((group) => legendEntry(plot, group)));
        }
        if (plot.spec.markName && (plot.spec.marks || []).length > 0) {
            list.append(element('span', 'mark', plot.spec.markName));
        }
        list.append(plot.where);
        return list;
    }

    // ---- buttons ----

    function logButton(plot) {
        const b = button('log', 'logarithmic axis', () => {
            plot.setLog(!plot.log);
            b.setAttribute('aria-pressed', String(plot.log));
        });
        b.setAttribute('aria-pressed', String(plot.log));
        return b;
    }

    function downloads(plot) {
        const menu = element('details', 'menu');
        const kinds = [['SVG', daedal.saveSvg], ['PNG', daedal.savePng], ['CSV', daedal.saveCsv]];
        menu.append(element('summary', '', 'save'));
        menu.append(...kinds.map(([kind, save]) => button(kind, `save this plot as ${kind}`, () => {
            save(plot);
            menu.open = false;
        })));
        return menu;
    }

    function toolbar(plot) {
        const bar = element('div', 'toolbar');
        bar.append(button('+', 'zoom in (+)', () => plot.zoom(CLOSER)), button('−', 'zoom out (−)', () => plot.zoom(1 / CLOSER)),
            button('⟲', 'show all (0)', () => plot.reset()));
        if (!plot.spec.path && !plot.spec.ground && plot.lines.some(({y}) => y.some((v) => v > 0))) {
            bar.append(logButton(plot));
        }
        bar.append(downloads(plot));
        return bar;
    }

    // ---- keys, wheel, fingers ----

    function moveCursor(plot, part) {
        const u = plot.u, width = u.over.clientWidth, now = u.cursor.left >= 0 ? u.cursor.left : 0.5 * width;
        const left = Math.max(0, Math.min(width, now + part * width));
        u.setCursor({left, top: u.cursor.top >= 0 ? u.cursor.top : 0.5 * u.over.clientHeight});
    }

    function cursorValue(plot) {
        return plot.u.cursor.left >= 0 ? plot.u.posToVal(plot.u.cursor.left, 'x') : undefined;
    }

    function onKey(plot, event) {
        const step = event.shiftKey ? LONG_STEP : STEP;
        const actions = {
            ArrowLeft: () => moveCursor(plot, -step), ArrowRight: () => moveCursor(plot, step),
            '+': () => plot.zoom(CLOSER, cursorValue(plot)), '=': () => plot.zoom(CLOSER, cursorValue(plot)),
            '-': () => plot.zoom(1 / CLOSER, cursorValue(plot)), '0': () => plot.reset(),
            Escape: () => plot.u.setCursor({left: -10, top: -10}),
        };
        if (actions[event.key] && !event.ctrlKey && !event.metaKey) {
            event.preventDefault();
            actions[event.key]();
        }
    }

    // The wheel scrolls the page, unless the plot was clicked on or Ctrl is pressed.
    function onWheel(plot, event) {
        if (!event.ctrlKey && !event.metaKey && document.activeElement !== plot.target) {
            return;
        }
        event.preventDefault();
        const left = event.clientX - plot.u.over.getBoundingClientRect().left;
        plot.zoom(event.deltaY < 0 ? CLOSER : 1 / CLOSER, plot.u.posToVal(left, 'x'));
    }

    function onTouch(plot, event) {
        if (event.pointerType === 'touch') {
            const box = plot.u.over.getBoundingClientRect();
            plot.u.setCursor({left: event.clientX - box.left, top: event.clientY - box.top});
        }
    }

    function describe(plot, target) {
        target.tabIndex = 0;
        target.setAttribute('role', 'group');
        target.setAttribute('aria-roledescription', 'interactive plot');
        target.setAttribute('aria-label', `${plot.spec.description || plot.spec.title}. ` +
            'Arrows move the cursor, plus and minus zoom, 0 shows all.');
    }

    // Builds the plot into its figure, in place of the picture that stands there for print.
    daedal.live = (plot) => {
        const target = element('div', 'canvas');
        const head = element('div', 'head');
        head.append(toolbar(plot));
        plot.figure.querySelector('figcaption').before(head);
        head.prepend(plot.figure.querySelector('figcaption'));
        plot.figure.append(target, legend(plot));
        plot.figure.classList.add('live');
        describe(plot, target);
        plot.build(target);
        target.addEventListener('keydown', (event) => onKey(plot, event));
        target.addEventListener('wheel', (event) => onWheel(plot, event), {passive: false});
        target.addEventListener('pointerdown', (event) => onTouch(plot, event));
        target.addEventListener('pointermove', (event) => onTouch(plot, event));
        target.addEventListener('mousedown', () => target.focus({preventScroll: true}));
    };
})();
