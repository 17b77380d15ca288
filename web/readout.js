// readout.js - the values under the cursor: in the legend, as dots on the curves, and in linked plots.
'use strict';
var daedal = window.daedal || (window.daedal = {});

(() => {
    const NEAR = 200; // rows without a value that are looked past

    // The row nearest to a value of x among those where y has one; -1 without.
    function nearest({x, y}, value) {
        const at = daedal.firstRow(x, value);
        let best = -1;
        for (let i = Math.max(0, at - NEAR); i < Math.min(x.length, at + NEAR); i++) {
            if (y[i] - y[i] === 0 && (best < 0 || Math.abs(x[i] - value) < Math.abs(x[best] - value))) {
                best = i;
            }
        }
        return best;
    }

    // The same for a path: the nearest point on the screen.
    function nearestPoint(plot, line) {
        const u = plot.u, [toX, toY] = plot.scalers(u, cssBox(u));
        let best = -1, least = Infinity;
        for (let i = 0; i < line.x.length; i++) {
            const d = (toX(line.x[i]) - u.cursor.left) ** 2 + (toY(line.y[i]) - u.cursor.top) ** 2;
            if (d < least) {
                least = d;
                best = i;
            }
        }
        return best;
    }

    function cssBox(u) {
        return {left: 0, top: 0, width: u.over.clientWidth, height: u.over.clientHeight};
    }

    function place(plot, line, row) {
        const [toX, toY] = plot.scalers(plot.u, cssBox(plot.u));
        const dot = line.dot || (line.dot = plot.u.over.appendChild(document.createElement('i')));
        dot.className = 'dot';
        dot.hidden = row < 0 || !line.shown;
        if (!dot.hidden) {
            dot.style.background = daedal.lineColour(line.colour);
            dot.style.transform = `translate(${toX(line.x[row])}px, ${toY(line.y[row])}px)`;
        }
    }

    function valueText(plot, line, row) {
        if (row < 0) {
            return '';
        }
        const unit = line.unit || plot.spec.unit || '';
        return daedal.number(line.y[row]) + (unit ? ' ' + unit : '');
    }

    // On a heat map the row under the cursor is read.
    function showHeat(plot) {
        const u = plot.u, inside = u.cursor.left >= 0, x = u.posToVal(u.cursor.left, 'x'), height = u.posToVal(u.cursor.top, 'y');
        const edges = daedal.heatEdges(plot.spec.heat), k = edges.findIndex(([a, b]) => height >= a && height < b);
        const line = plot.lines[k], row = inside && line ? nearest(line, x) : -1;
        plot.where.textContent = row < 0 ? '' :
            `${plot.spec.x.name} = ${daedal.number(line.x[row])}, ${line.name} = ${valueText(plot, line, row)}`;
    }

    function show(plot) {
        if (plot.spec.heat) {
            showHeat(plot);
            return;
        }
        const u = plot.u, inside = u.cursor.left >= 0, value = inside ? u.posToVal(u.cursor.left, 'x') : NaN;
        let at = NaN;
        for (const line of plot.lines) {
            const row = !inside ? -1 : plot.spec.path ? nearestPoint(plot, line) : nearest(line, value);
            if (line.dot && !line.dot.isConnected) {
                line.dot = null; // the plot was built anew
            }
            place(plot, line, row);
            line.label.textContent = line.shown ? valueText(plot, line, row) : '';
            at = row >= 0 && !(at - at === 0) ? line.x[row] : at;
        }
        const {name, unit} = plot.spec.x;
        plot.where.textContent = at - at === 0 ? `${name} = ${daedal.number(at)}${unit ? ' ' + unit : ''}` : '';
    }

    // After a movement of the cursor; plots of the same axis follow.
    daedal.readout = (plot) => {
        if (!plot.u || !plot.where) {
            return;
        }
        show(plot);
        if (plot.group === null || daedal.following) {
            return;
        }
        daedal.following = true;
        const {left} = plot.u.cursor, value = plot.u.posToVal(left, 'x');
        for (const other of daedal.plots) {
            if (other !== plot && other.u && other.group === plot.group) {
                other.u.setCursor(left < 0 ? {left: -10, top: -10} : {left: other.u.valToPos(value, 'x'), top: 0});
            }
        }
        daedal.following = false;
    };

    daedal.views = new Map(); // the zoom of each axis, for plots that come into view later

    daedal.linkZoom = (plot) => {
        if (plot.group === null || !daedal.zoomTogether) {
            return;
        }
        daedal.views.set(plot.group, plot.view.x === plot.full ? undefined : plot.view.x);
        for (const other of daedal.plots) {
            if (other !== plot && other.group === plot.group) {
                const whole = plot.view.x === plot.full;
                other.view = {x: whole ? other.full : plot.view.x, y: whole ? null : other.view.y};
                if (other.u) {
                    other.apply();
                }
            }
        }
    };
})();
