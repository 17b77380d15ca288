// plot.js - one interactive plot: uPlot draws axes and grid, draw.js the rest; the view is ours.
'use strict';
var daedal = window.daedal || (window.daedal = {});

(() => {
    const HEIGHT = 270, TALL = 400, MOST_HEIGHT = 460; // TALL: with both axes logarithmic, where slopes are read
    const LETTER = 7, NUMBERS = 51, FONT = '12px system-ui, sans-serif';
    // NUMBERS: px beside the axis, so that plots below each other begin at one place; more where numbers are longer
    const PADDING = 20; // px on the right: half of a label stands there
    const AT_BOUND = 1e-6; // of its size: a solver's tolerance; a curve with bounds that varies by less is level
    const MARGIN = 0.05; // free space above and below the curves, of their extent
    const INTEGER_STEPS = [1, 2, 5].flatMap((n) => [1, 10, 100, 1e3, 1e4, 1e5, 1e6].map((p) => n * p))
        .sort((a, b) => a - b);

    function lineOf(spec, x, k) {
        const own = spec.x === undefined ? x : daedal.column(spec.x);
        return {...spec, colour: spec.colour === undefined ? k : spec.colour, x: own, y: daedal.column(spec.y),
            shown: !spec.hidden};
    }

    function allIntegers(lines) {
        const MOST = 2000;
        return lines.every(({y}) => {
            for (let i = 0; i < y.length && i < MOST; i++) {
                if (y[i] - y[i] === 0 && y[i] !== Math.round(y[i])) {
                    return false;
                }
            }
            return true;
        });
    }

    // Something to show where there is no extent.
    function widened(low, high) {
        if (!(low <= high)) {
            return [0, 1];
        }
        const size = Math.max(Math.abs(low), Math.abs(high));
        return high - low > 1e-9 * size ? [low, high] : size === 0 ? [-1, 1] : [low - 0.1 * size, high + 0.1 * size];
    }

    class Plot {
        constructor(figure, spec) {
            this.figure = figure;
            this.spec = spec;
            this.log = Boolean(spec.log);
            this.logX = Boolean(spec.x && spec.x.log);
            this.ratio = 1;
            const x = spec.x && spec.x.column !== undefined ? daedal.column(spec.x.column) : new Float64Array(0);
            this.lines = (spec.lines || []).map((line, k) => lineOf(line, x, k));
            this.bars = this.lines.some((line) => line.style === 'bars');
            const counted = this.bars ? this.lines.filter((line) => line.style === 'bars') : this.lines; // a curve over counts is none
            this.integer = spec.heat ? spec.heat.every(Number.isInteger) : counted.length > 0 && allIntegers(counted);
            this.group = spec.path ? null : spec.x.name; // plots of one axis share cursor and zoom
            this.full = this.fullX();
            const shared = daedal.zoomTogether && this.group !== null ? daedal.views.get(this.group) : undefined;
            this.view = {x: shared || this.full, y: null}; // y null: as high as the curves in view
        }

        fullX() {
            const {from, to} = this.spec.x;
            let low = from ?? Infinity, high = to ?? -Infinity;
            for (const {x, style} of this.lines) {
                const half = style === 'bars' && x.length > 1 ? 0.5 * (x[1] - x[0]) : 0; // of the first and the last bar
                const [a, b] = this.spec.path ? daedal.extent(x, 0, x.length, this.logX) : [x[0] - half, x[x.length - 1] + half];
                low = Math.min(low, a ?? low);
                high = Math.max(high, b ?? high);
            }
            if (this.logX) { // room is a factor
                const [from, to] = low > 0 && low < high ? [low, high] : [1, 10], factor = (to / from) ** MARGIN;
                return [from / factor, to * factor];
            }
            const [a, b] = widened(low, high), room = this.spec.path || this.spec.x.room ? MARGIN * (b - a) : 0;
            return [a - room, b + room];
        }

        // Rows of a line that can be seen, and one on each side.
        rowsShown(x) {
            const begin = daedal.firstRow(x, this.view.x[0]), end = daedal.firstRow(x, this.view.x[1]);
            return [Math.max(0, begin - 1), Math.min(x.length, end + 2)];
        }

        rangeY() {
            if (this.view.y) {
                return this.view.y;
            }
            const [low, high] = this.withLevels(this.extentY());
            if (this.log) {
                const bottom = low > 0 && low < Infinity ? low : 1e-16, top = high > bottom ? high : bottom * 10;
                return [10 ** Math.floor(Math.log10(bottom) + 1e-9), 10 ** Math.ceil(Math.log10(top) - 1e-9)];
            }
            if (this.integer && low === high) { // there is nothing between two whole numbers
                return [low - 1, high + 1];
            }
            const [a, b] = widened(low, high), room = this.spec.heat ? 0 : MARGIN * (b - a);
            return [this.bars && a === 0 ? 0 : a - room, b + room];
        }

        extentY() {
            if (this.spec.heat) {
                const edges = daedal.heatEdges(this.spec.heat).flat();
                return [Math.min(...edges), Math.max(...edges)];
            }
            const {from, to} = this.spec.y || {};
            let low = from ?? Infinity, high = to ?? -Infinity;
            for (const {x, y} of this.lines.filter((line) => line.shown)) {
                const [begin, end] = this.spec.path ? [0, y.length] : this.rowsShown(x);
                const [a, b] = daedal.extent(y, begin, end, this.log);
                low = Math.min(low, a);
                high = Math.max(high, b);
            }
            if ((this.spec.levels || []).length > 0 && high - low < AT_BOUND * Math.abs(high)) {
                low = high;
            }
            return [this.bars && !this.log ? Math.min(0, low) : low, high];
        }

        // Bounds near the curves belong to the picture; one far away would squeeze them to a line.
        withLevels([low, high]) {
            const room = Math.max(high - low, 0.1 * Math.max(Math.abs(low), Math.abs(high)));
            const near = (this.spec.levels || []).filter((v) => v >= low - room && v <= high + room);
            return [Math.min(low, ...near), Math.max(high, ...near)];
        }

        // ---- uPlot ----

        axes() {
            const ink = () => daedal.colour('ink'), grid = {stroke: () => daedal.colour('grid'), width: 1};
            const common = {stroke: ink, grid, ticks: {...grid, size: 5}, font: FONT, labelFont: FONT};
            const name = this.spec.x.unit ? `${this.spec.x.name} [${this.spec.x.unit}]` : this.spec.x.name;
            const y = {...common, size: (u, values) => this.spec.equal ? 58 : Math.max(NUMBERS, 16 + LETTER * Math.max(2, ...(values || []).map((v) => (v || '').length))),
                values: (u, ticks, axis, space, step) => (this.log ? daedal.logLabels(ticks) : daedal.tickLabels(ticks, step))};
            const x = {...common, size: 34, label: name, labelSize: 18, space: 64,
                values: (u, ticks, axis, space, step) => (this.logX ? daedal.logLabels(ticks) : daedal.tickLabels(ticks, step))};
            if (this.logX) {
                x.splits = (u, axis, min, max) => daedal.logTicks(min, max);
                x.filter = (u, ticks) => ticks;
            }
            if (this.log) {
                y.splits = (u, axis, min, max) => daedal.logTicks(min, max);
                y.filter = (u, ticks) => ticks;
            } else if (this.integer) {
                y.incrs = INTEGER_STEPS;
            }
            if (this.spec.x.integer) {
                x.incrs = INTEGER_STEPS;
            }
            return [x, y];
        }

        height(width) {
            if (!this.spec.equal) {
                return this.logX && this.log ? TALL : HEIGHT;
            }
            const [a, b] = this.full, [c, d] = this.rangeY();
            return Math.max(HEIGHT, Math.min(MOST_HEIGHT, 60 + (width - 60) * (d - c) / (b - a)));
        }

        build(target) {
            const keep = {auto: false, range: (u, low, high) => [low, high]};
            const width = Math.max(200, target.clientWidth);
            this.target = target;
            this.u = new uPlot({
                width, height: this.height(width), legend: {show: false}, axes: this.axes(),
                padding: [18, PADDING, 0, 0],
                scales: {x: {...keep, time: false, distr: this.logX ? 3 : 1}, y: {...keep, distr: this.log ? 3 : 1}},
                series: [{}, {show: true, paths: () => null, points: {show: false}}],
                cursor: {drag: {x: true, y: true, uni: 40, setScale: false}, points: {show: false}, y: this.spec.path || false,
                    bind: {dblclick: () => () => { this.reset(); return null; }}},
                hooks: {draw: [(u) => this.paint(u)], setSelect: [(u) => this.selected(u)], setCursor: [() => this.moved()]},
            }, [[...this.full], [0, 0]], target);
            this.apply();
        }

        rebuild() {
            this.u.destroy();
            this.build(this.target);
        }

        resize() {
            const width = this.target.clientWidth;
            if (width > 0 && Math.abs(width - this.u.width) > 1) {
                this.u.setSize({width, height: this.height(width)});
                this.apply();
            }
        }

        // One scale on both axes: the axis with too much room shows more.
        equalized(x, y) {
            const box = this.u.bbox, perX = (x[1] - x[0]) / box.width, perY = (y[1] - y[0]) / box.height;
            const grow = ([a, b], by) => [a - 0.5 * (b - a) * (by - 1), b + 0.5 * (b - a) * (by - 1)];
            return perX < perY ? [grow(x, perY / perX), y] : [x, grow(y, perX / perY)];
        }

        apply() {
            let x = this.view.x, y = this.rangeY();
            if (this.spec.equal && this.u.bbox.width > 0) {
                [x, y] = this.equalized(x, y);
            }
            this.u.batch(() => {
                this.u.setScale('x', {min: x[0], max: x[1]});
                this.u.setScale('y', {min: y[0], max: y[1]});
            });
            this.u.redraw(true, true);
        }

        // Positions on the canvas, without the cost of a call of uPlot per point.
        scalers(u, box) {
            // the part of the way from min to max
            const part = ({min, max}, log) => {
                const base = log ? Math.log10(min) : min, per = 1 / ((log ? Math.log10(max) : max) - base);
                return log ? (value) => (value > 0 ? (Math.log10(value) - base) * per : NaN) : (value) => (value - base) * per;
            };
            const ofX = part(u.scales.x, this.logX), ofY = part(u.scales.y, this.log), bottom = box.top + box.height;
            return [(value) => box.left + ofX(value) * box.width, (value) => bottom - ofY(value) * box.height];
        }

        paint(u) {
            this.ratio = uPlot.pxRatio;
            daedal.draw(this, u.ctx, u.bbox, ...this.scalers(u, u.bbox));
            const words = this.aboveAxis(u.axes[1]._splits || [0]);
            if (words !== '') {
                u.ctx.save();
                u.ctx.fillStyle = daedal.colour('ink');
                u.ctx.font = `${12 * this.ratio}px system-ui, sans-serif`;
                u.ctx.textAlign = 'left';
                u.ctx.fillText(words, u.bbox.left, u.bbox.top - 6 * this.ratio);
                u.ctx.restore();
            }
        }

        // What the heights of a heat map are, and the power of ten that the labels share.
        aboveAxis(ticks) {
            const exponent = this.log ? 0 : daedal.sharedExponent(ticks);
            return [this.spec.heatName || '', exponent !== 0 ? '×' + daedal.power(exponent) : ''].join(' ').trim();
        }

        // ---- the view ----

        show(x, y) {
            this.view = {x, y};
            this.apply();
            daedal.linkZoom(this);
        }

        reset() {
            this.show(this.full, null);
        }

        selected(u) {
            const {left, top, width, height} = u.select;
            if (width < 3 && height < 3) {
                return;
            }
            const x = width >= 3 ? [u.posToVal(left, 'x'), u.posToVal(left + width, 'x')] : this.view.x;
            const tall = height >= 3 && height < u.over.clientHeight - 1;
            const y = tall ? [u.posToVal(top + height, 'y'), u.posToVal(top, 'y')] : this.view.y;
            u.setSelect({left: 0, top: 0, width: 0, height: 0}, false);
            this.show(x, y);
        }

        // factor < 1: closer. about: the value of x that stays in place.
        zoom(factor, about) {
            const around = ({min, max}, log, centre) => {
                const [to, back] = log ? [Math.log, Math.exp] : [(v) => v, (v) => v], [a, b] = [to(min), to(max)];
                const c = centre === undefined || centre === null ? 0.5 * (a + b) : to(centre);
                return [back(c - (c - a) * factor), back(c + (b - c) * factor)];
            };
            const x = around(this.u.scales.x, this.logX, about);
            if (this.spec.path) {
                this.show(x, around(this.u.scales.y, this.log));
            } else {
                this.show([Math.max(x[0], this.full[0]), Math.min(x[1], this.full[1])], this.view.y);
            }
        }

        setLog(log) {
            this.log = log;
            this.view.y = null;
            this.rebuild();
        }

        toggle(k) {
            this.lines[k].shown = !this.lines[k].shown;
            this.apply();
        }

        moved() {
            daedal.readout(this);
        }
    }

    daedal.Plot = Plot;
})();
