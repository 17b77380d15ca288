// heat.js - a heat map below the axes: a row of colours per line of the figure.
'use strict';
var daedal = window.daedal || (window.daedal = {});
daedal.grounds = daedal.grounds || {};

(() => {
    const SCALE = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]]; // dark to bright, evenly

    daedal.heatColour = (part) => {
        const at = Math.min(1, Math.max(0, part)) * (SCALE.length - 1), k = Math.min(SCALE.length - 2, Math.floor(at));
        return SCALE[k].map((low, i) => Math.round(low + (at - k) * (SCALE[k + 1][i] - low)));
    };

    function rangeOf(plot) {
        if (!plot.heatRange) {
            const ends = plot.lines.map(({y}) => daedal.extent(y, 0, y.length));
            plot.heatRange = [Math.min(...ends.map((e) => e[0])), Math.max(...ends.map((e) => e[1]))];
        }
        return plot.heatRange;
    }
    daedal.heatRange = rangeOf;

    // Heights at which the rows of the picture begin and end: half way to their neighbours.
    function edges(heights) {
        const sorted = [...heights].sort((a, b) => a - b), n = sorted.length;
        const half = n > 1 ? 0.5 * (sorted[n - 1] - sorted[0]) / (n - 1) : 0.5;
        return heights.map((height) => {
            const k = sorted.indexOf(height);
            return [k > 0 ? 0.5 * (sorted[k - 1] + height) : height - half, k + 1 < n ? 0.5 * (sorted[k + 1] + height) : height + half];
        });
    }
    daedal.heatEdges = edges;

    daedal.grounds.heat = (plot, pen, box, toX, toY) => {
        const [low, high] = rangeOf(plot), rows = edges(plot.spec.heat), {min, max} = plot.u.scales.x;
        const step = Math.max(1, Math.round(plot.ratio * 2)), cells = Math.ceil(box.width / step);
        plot.lines.forEach((line, k) => {
            const top = toY(rows[k][1]), bottom = toY(rows[k][0]);
            for (let i = 0; i < cells; i++) {
                const row = Math.max(0, daedal.firstRow(line.x, min + (max - min) * (i + 0.5) / cells) - 1), value = line.y[row];
                if (value - value === 0) {
                    pen.fillStyle = `rgb(${daedal.heatColour(high > low ? (value - low) / (high - low) : 0.5)})`;
                    pen.fillRect(box.left + i * step, top, step + 0.5, bottom - top + 0.5);
                }
            }
        });
    };
})();
