// save.js - a plot as a file: the view as SVG or PNG, the numbers in view as CSV.
'use strict';
var daedal = window.daedal || (window.daedal = {});

(() => {
    const TITLE = 26, LEGEND = 20; // room above and per row below the plot

    function offer(blob, plot, suffix) {
        const link = document.createElement('a');
        link.href = URL.createObjectURL(blob);
        link.download = (plot.spec.title.replace(/[^\w.-]+/g, '_') || 'plot') + suffix;
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    }

    function titleOf(plot) {
        return plot.spec.title + (plot.spec.unit ? ` [${plot.spec.unit}]` : '');
    }

    function axisX(pen, plot, box) {
        const u = plot.u, axis = u.axes[0], [toX] = plot.scalers(u, box), bottom = box.top + box.height;
        pen.textAlign = 'center';
        axis._splits.forEach((tick, i) => {
            pen.strokeStyle = daedal.colour('grid');
            pen.beginPath();
            pen.moveTo(toX(tick), box.top);
            pen.lineTo(toX(tick), bottom + 5);
            pen.stroke();
            pen.fillText(axis._values[i] || '', toX(tick), bottom + 18);
        });
        pen.fillText(axis.label, box.left + 0.5 * box.width, bottom + 38);
    }

    function axisY(pen, plot, box) {
        const u = plot.u, axis = u.axes[1], [, toY] = plot.scalers(u, box);
        pen.textAlign = 'right';
        axis._splits.forEach((tick, i) => {
            pen.strokeStyle = daedal.colour('grid');
            pen.beginPath();
            pen.moveTo(box.left - 5, toY(tick));
            pen.lineTo(box.left + box.width, toY(tick));
            pen.stroke();
            pen.fillText(axis._values[i] || '', box.left - 8, toY(tick) + 4);
        });
        pen.textAlign = 'left';
        pen.fillText(plot.aboveAxis(axis._splits), box.left, box.top - 6);
    }

    // A heat map has a scale in place of names.
    const namedLines = (plot) => (plot.spec.heat ? [] : plot.lines.filter((line) => line.shown));

    function colourScale(pen, plot, top) {
        const CELLS = 40, WIDTH = 4, [low, high] = daedal.heatRange(plot).map((value) => daedal.number(value, 4));
        pen.textAlign = 'right';
        pen.fillText(low, 120, top + 6);
        for (let i = 0; i < CELLS; i++) {
            pen.fillStyle = `rgb(${daedal.heatColour((i + 0.5) / CELLS)})`;
            pen.fillRect(128 + i * WIDTH, top - 4, WIDTH + 0.5, 12);
        }
        pen.textAlign = 'left';
        pen.fillStyle = daedal.colour('ink');
        pen.fillText(high + (plot.spec.unit ? ' ' + plot.spec.unit : ''), 136 + CELLS * WIDTH, top + 6);
    }

    function legendRows(pen, plot, top) {
        pen.textAlign = 'left';
        namedLines(plot).forEach((line, k) => {
            pen.fillStyle = daedal.lineColour(line.colour);
            pen.fillRect(60, top + LEGEND * k, 16, 3);
            pen.fillStyle = daedal.colour('ink');
            pen.fillText(line.name, 84, top + LEGEND * k + 6);
        });
    }

    // The view as it is on the screen, with title and legend.
    daedal.svgOf = (plot) => {
        const u = plot.u, ratio = uPlot.pxRatio, rows = plot.spec.heat ? 1 : namedLines(plot).length;
        const pen = new daedal.SvgPen(u.width, u.height + TITLE + LEGEND * rows + 12);
        const box = {left: u.bbox.left / ratio, top: u.bbox.top / ratio + TITLE, width: u.bbox.width / ratio,
            height: u.bbox.height / ratio};
        pen.fillStyle = daedal.colour('paper');
        pen.fillRect(0, 0, pen.width, pen.height);
        pen.fillStyle = daedal.colour('ink');
        pen.size = 15;
        pen.fillText(titleOf(plot), box.left, 20);
        pen.size = 12;
        axisX(pen, plot, box);
        axisY(pen, plot, box);
        plot.ratio = 1;
        daedal.draw(plot, pen, box, ...plot.scalers(u, box));
        plot.ratio = ratio;
        const below = u.height + TITLE + 10;
        if (plot.spec.heat) {
            pen.fillStyle = daedal.colour('ink');
            colourScale(pen, plot, below);
        } else {
            legendRows(pen, plot, below);
        }
        return pen.text();
    };

    daedal.saveSvg = (plot) => offer(new Blob([daedal.svgOf(plot)], {type: 'image/svg+xml'}), plot, '.svg');

    daedal.savePng = (plot) => {
        const image = new Image(), scale = 2;
        image.onload = () => {
            const canvas = document.createElement('canvas');
            canvas.width = scale * image.width;
            canvas.height = scale * image.height;
            canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
            canvas.toBlob((blob) => offer(blob, plot, '.png'), 'image/png');
        };
        image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(daedal.svgOf(plot));
    };

    const quoted = (name) => (/[",\n]/.test(name) ? `"${name.replace(/"/g, '""')}"` : name);

    // Lines that share x are one table; those with their own follow in columns of their own.
    daedal.csvOf = (plot) => {
        const columns = [];
        for (const line of plot.lines.filter((l) => l.shown)) {
            if (!columns.some((c) => c.isX && c.values === line.x)) {
                columns.push({name: plot.spec.x.name, values: line.x, isX: true});
            }
            columns.push({name: line.name, values: line.y});
        }
        const [begin, end] = plot.spec.path || columns.filter((c) => c.isX).length > 1 ?
            [0, Math.max(...columns.map((c) => c.values.length))] : plot.rowsShown(columns[0].values);
        const rows = [columns.map((c) => quoted(c.name)).join(',')];
        for (let i = begin; i < end; i++) {
            rows.push(columns.map(({values}) => (i < values.length && values[i] === values[i] ? String(values[i]) : '')).join(','));
        }
        return rows.join('\n') + '\n';
    };

    daedal.saveCsv = (plot) => offer(new Blob([daedal.csvOf(plot)], {type: 'text/csv'}), plot, '.csv');
})();
