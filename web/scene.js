// scene.js - the moving scene of a page: play, scrub, speed, orbit, zoom, follow, trails; linked with the plots by time.
'use strict';
var daedal = window.daedal || (window.daedal = {});

(() => {
    const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 1000, 10000];
    const SHORT = 2.5, LONG = 15, WANTED = 8; // seconds: a run outside of the first two plays in about the third
    const HOLD = 0.8, TURN = 0.008, KEY_TURN = 0.12, KEY_ZOOM = 1.15, STEPS = 1000;

    function element(tag, attributes, text) {
        const e = document.createElement(tag);
        Object.entries(attributes || {}).forEach(([name, value]) => e.setAttribute(name, value));
        if (text !== undefined) {
            e.textContent = text;
        }
        return e;
    }

    function firstSpeed(duration) {
        if (duration >= SHORT && duration <= LONG) {
            return 1;
        }
        const wanted = Math.log(duration / WANTED);
        return SPEEDS.reduce((best, s) => (Math.abs(Math.log(s) - wanted) < Math.abs(Math.log(best) - wanted) ? s : best), 1);
    }

    // Where the camera stands first: everything is in view.
    function home(scene, aspect) {
        const {add, length, unit, dot, cross} = daedal.v3, {view} = scene;
        const from = unit(view.from || (scene.plane ? [0, -1, 0] : [0.45, -1, 0.42]));
        const centre = view.centre || add(scene.low, add(scene.high, scene.low, -1), 0.5);
        const right = unit(cross([0, 0, 1], from), [1, 0, 0]), up = cross(from, right);
        let wide = 0, tall = 0;
        for (let k = 0; k < 8; k++) {
            const d = add([0, 1, 2].map((c) => (k >> c & 1 ? scene.high : scene.low)[c]), centre, -1);
            wide = Math.max(wide, 2 * Math.abs(dot(d, right)));
            tall = Math.max(tall, 2 * Math.abs(dot(d, up)));
        }
        const extent = length(add(scene.high, scene.low, -1)) || 1;
        const height = view.width ? view.width / aspect : 1.12 * Math.max(wide / aspect, tall, 0.25 * extent) + 0.04 * extent;
        return {azimuth: Math.atan2(from[1], from[0]), elevation: Math.asin(Math.max(-1, Math.min(1, from[2]))), target: centre,
            height, extent, plane: scene.plane};
    }

    // ---- the plots of the page ----

    const IDLE = 60; // milliseconds between two moves of their cursors
    let pointed = 0;

    function pointPlots(t) {
        const now = performance.now();
        if (!daedal.plots || daedal.following || now - pointed < IDLE) {
            return;
        }
        pointed = now;
        daedal.following = true;
        for (const {u, group, figure} of daedal.plots) {
            const {top, bottom} = u && group === 'time' ? figure.getBoundingClientRect() : {top: 1, bottom: 0};
            if (bottom > 0 && top < bottom && top < innerHeight) {
                u.setCursor({left: u.valToPos(t, 'x'), top: 0});
            }
        }
        daedal.following = false;
    }

    // A cursor that moves over a plot of time moves the scene.
    const readout = daedal.readout;
    if (readout) {
        daedal.readout = (plot) => {
            readout(plot);
            if (plot.u && plot.group === 'time' && !daedal.following && plot.u.cursor.left >= 0) {
                document.dispatchEvent(new CustomEvent('daedal-time', {detail: plot.u.posToVal(plot.u.cursor.left, 'x')}));
            }
        };
    }

    class Scene {
        constructor(figure) {
            this.figure = figure;
            this.spec = daedal.readScene(JSON.parse(figure.querySelector('script[type="application/json"]').textContent));
            const run = this.spec.motions[0];
            this.begin = run.time[0];
            this.end = Math.max(...this.spec.motions.map((m) => m.time[m.frames - 1]));
            this.now = this.begin;
            this.speed = firstSpeed(this.end - this.begin || 1);
            this.playing = false;
            this.build();
            this.renderer = new daedal.SceneRenderer(this.canvas); // throws without WebGL
            this.painter = new daedal.ScenePainter(this.spec, this.renderer);
            this.painter.trails = true;
            this.size();
            this.camera = new daedal.Camera(home(this.spec, this.canvas.clientWidth / this.canvas.clientHeight));
            this.following = Boolean(this.spec.follow);
            this.listen();
            this.show(this.begin);
        }

        // ---- elements ----

        build() {
            this.stage = element('div', {class: 'stage'});
            this.canvas = element('canvas', {tabindex: 0, role: 'img', 'aria-label': `${this.spec.title}, moving. Space plays, arrows turn, plus and minus zoom, 0 resets the view`});
            this.words = element('div', {class: 'words', 'aria-hidden': 'true'});
            this.stage.append(this.canvas, this.words);
            this.bar = element('div', {class: 'player'});
            this.button = element('button', {type: 'button', class: 'play'});
            this.scrub = element('input', {type: 'range', min: 0, max: STEPS, step: 1, value: 0, 'aria-label': 'time'});
            this.clock = element('output', {class: 'clock'});
            this.select = element('select', {'aria-label': 'speed'});
            for (const s of SPEEDS) {
                const option = element('option', {value: s}, `×${s}`);
                option.selected = s === this.speed;
                this.select.append(option);
            }
            this.bar.append(this.button, this.scrub, this.clock, this.select);
            this.switches = element('div', {class: 'player'});
            if (this.spec.shapes.some(({kind}) => kind === 'trail')) {
                this.check('trails', true, (on) => { this.painter.trails = on; });
            }
            if (this.spec.follow) {
                this.check('follow', true, (on) => { this.following = on; });
            }
            this.spec.motions.slice(1).forEach((motion) => this.check(motion.name, true, (on) => { motion.shown = on; }));
            const reset = element('button', {type: 'button'}, 'reset view');
            reset.addEventListener('click', () => { this.camera.reset(); this.draw(); });
            this.switches.append(reset);
            if (this.spec.left_out > 0) {
                this.switches.append(element('span', {}, `${this.spec.left_out} more shapes are not drawn`));
            }
            this.figure.append(this.stage, this.bar, this.switches);
            this.makeLabels();
        }

        check(name, on, change) {
            const label = element('label'), box = element('input', {type: 'checkbox'});
            box.checked = on;
            box.addEventListener('change', () => { change(box.checked); this.draw(); });
            label.append(box, ` ${name}`);
            this.switches.append(label);
        }

        makeLabels() {
            this.labels = this.spec.shapes.filter(({label, kind}) => label && kind !== 'trail').map((shape) => {
                const span = element('span', {}, shape.label);
                this.words.append(span);
                return {shape, span};
            });
        }

        // ---- drawing ----

        size() {
            const ratio = Math.min(2, window.devicePixelRatio || 1), {clientWidth, clientHeight} = this.canvas;
            this.ratio = ratio;
            this.canvas.width = Math.max(1, Math.round(ratio * clientWidth));
            this.canvas.height = Math.max(1, Math.round(ratio * clientHeight));
        }

        placeLabels(view) {
            const {canvas, spec} = this;
            for (const {shape, span} of this.labels) {
                const p = spec.motions[0].read(shape.p);
                const c = [0, 1, 3].map((r) => view[r] * p[0] + view[4 + r] * p[1] + view[8 + r] * p[2] + view[12 + r]);
                span.hidden = !(c[2] > 0);
                span.style.transform = `translate(${(0.5 + 0.5 * c[0] / c[2]) * canvas.clientWidth}px, ` +
                    `${(0.5 - 0.5 * c[1] / c[2]) * canvas.clientHeight}px)`;
            }
        }

        draw() {
            const dark = daedal.isDark ? daedal.isDark() : matchMedia('(prefers-color-scheme: dark)').matches;
            const ground = this.painter.paint(this.now, dark, this.ratio), target = this.camera.target;
            if (this.following) {
                // the point takes the place of the centre; what was panned stays panned
                const at = this.spec.motions[0].read(this.spec.follow), {add} = daedal.v3;
                this.camera.target = add(add(target, this.camera.home.target, -1), at);
            }
            this.placeLabels(this.renderer.draw(this.camera, ground, dark));
            this.camera.target = target;
        }

        // fromPlot: the cursor of a plot moved
        show(t, fromPlot) {
            this.now = Math.max(this.begin, Math.min(this.end, t));
            this.scrub.value = Math.round(STEPS * (this.now - this.begin) / (this.end - this.begin || 1));
            const digits = Math.max(0, Math.min(6, 2 - Math.floor(Math.log10(this.end - this.begin || 1))));
            this.clock.textContent = `${this.now.toFixed(digits)} s`;
            this.scrub.setAttribute('aria-valuetext', this.clock.textContent);
            this.draw();
            if (!fromPlot) {
                pointPlots(this.now);
            }
        }

        // ---- time ----

        play(on) {
            this.playing = on;
            this.button.textContent = on ? '❚❚' : '▶';
            this.button.setAttribute('aria-label', on ? 'pause' : 'play');
            this.button.title = on ? 'pause (space)' : 'play (space)';
            if (on) {
                if (this.now >= this.end) {
                    this.now = this.begin;
                }
                this.last = undefined;
                requestAnimationFrame((at) => this.tick(at));
            }
        }

        tick(at) {
            if (!this.playing) {
                return;
            }
            const passed = this.last === undefined ? 0 : Math.min(0.1, (at - this.last) / 1000);
            this.last = at;
            if (this.now < this.end) {
                this.held = 0;
                this.show(this.now + passed * this.speed);
            } else {
                // the end stays for a moment before the run begins again
                this.held += passed;
                if (this.held > HOLD) {
                    this.show(this.begin);
                }
            }
            requestAnimationFrame((next) => this.tick(next));
        }

        // ---- hands ----

        listen() {
            this.play(false);
            this.button.addEventListener('click', () => this.play(!this.playing));
            this.scrub.addEventListener('input', () => {
                this.play(false);
                this.show(this.begin + (this.end - this.begin) * this.scrub.value / STEPS);
            });
            this.select.addEventListener('change', () => { this.speed = Number(this.select.value); });
            this.pointers = new Map();
            const {canvas} = this;
            canvas.addEventListener('pointerdown', (e) => {
                canvas.setPointerCapture(e.pointerId);
                this.pointers.set(e.pointerId, [e.clientX, e.clientY]);
            });
            canvas.addEventListener('pointermove', (e) => this.drag(e));
            for (const kind of ['pointerup', 'pointercancel']) {
                canvas.addEventListener(kind, (e) => this.pointers.delete(e.pointerId));
            }
            canvas.addEventListener('contextmenu', (e) => e.preventDefault());
            canvas.addEventListener('dblclick', () => { this.camera.reset(); this.draw(); });
            // the wheel belongs to the page until the scene was clicked
            canvas.addEventListener('wheel', (e) => {
                if (document.activeElement === canvas || e.ctrlKey || e.metaKey) {
                    e.preventDefault();
                    this.camera.zoom(Math.exp(0.0012 * e.deltaY));
                    this.draw();
                }
            }, {passive: false});
            canvas.addEventListener('keydown', (e) => this.key(e));
            new ResizeObserver(() => { this.size(); this.draw(); }).observe(canvas);
            document.addEventListener('daedal-theme', () => this.draw());
            document.addEventListener('daedal-time', (e) => {
                this.play(false);
                this.show(e.detail, true);
            });
        }

        drag(e) {
            const before = this.pointers.get(e.pointerId), {canvas, camera} = this;
            if (!before) {
                return;
            }
            const now = [e.clientX, e.clientY], dx = now[0] - before[0], dy = now[1] - before[1], tall = canvas.clientHeight;
            if (this.pointers.size === 2) { // two fingers: apart and together, and along
                const other = [...this.pointers].find(([id]) => id !== e.pointerId)[1];
                const apart = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
                camera.zoom(apart(before) / apart(now));
                camera.pan(0.5 * dx / tall, 0.5 * dy / tall);
            } else if (e.shiftKey || e.buttons === 2 || e.buttons === 4 || camera.plane) {
                camera.pan(dx / tall, dy / tall);
            } else {
                camera.orbit(TURN * dx, TURN * dy);
            }
            this.pointers.set(e.pointerId, now);
            this.draw();
        }

        key(e) {
            const {camera} = this, step = (this.end - this.begin) / 200;
            const turn = (x, y) => (camera.plane || e.shiftKey ? camera.pan(-x, -y) : camera.orbit(x, y));
            const actions = {' ': () => this.play(!this.playing), ArrowLeft: () => turn(-KEY_TURN, 0), ArrowRight: () => turn(KEY_TURN, 0),
                ArrowUp: () => turn(0, KEY_TURN), ArrowDown: () => turn(0, -KEY_TURN), '+': () => camera.zoom(1 / KEY_ZOOM),
                '=': () => camera.zoom(1 / KEY_ZOOM), '-': () => camera.zoom(KEY_ZOOM), 0: () => camera.reset(),
                ',': () => this.show(this.now - step), '.': () => this.show(this.now + step),
                Home: () => this.show(this.begin), End: () => this.show(this.end),
                f: () => { this.following = Boolean(this.spec.follow) && !this.following; }};
            if (actions[e.key] && !e.ctrlKey && !e.metaKey && !e.altKey) {
                e.preventDefault();
                actions[e.key]();
                this.draw();
            }
        }
    }

    // The film strip stays where WebGL is missing, and on paper.
    function start() {
        daedal.scenes = [];
        for (const figure of document.querySelectorAll('figure.scene')) {
            try {
                const scene = new Scene(figure);
                figure.classList.add('moves');
                scene.size();
                scene.draw();
                daedal.scenes.push(scene);
                // a link may point at a moment: page.html#time=1.5
                const moment = /^#time=([-+.e\d]+)$/.exec(location.hash);
                if (moment && Number(moment[1]) - Number(moment[1]) === 0) {
                    scene.show(Number(moment[1]));
                } else if (!matchMedia('(prefers-reduced-motion: reduce)').matches) {
                    const seen = new IntersectionObserver((entries) => {
                        if (entries.some((entry) => entry.isIntersecting)) {
                            seen.disconnect();
                            scene.play(true);
                        }
                    }, {threshold: 0.3});
                    seen.observe(figure);
                }
            } catch (error) {
                figure.querySelectorAll('.stage, .player').forEach((part) => part.remove());
                figure.dataset.reason = error.message;
            }
        }
    }

    document.addEventListener('DOMContentLoaded', start);
})();
