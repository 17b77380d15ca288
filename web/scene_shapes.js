// scene_shapes.js - shapes at the present time as bodies and lines of the renderer.
'use strict';
var daedal = window.daedal || (window.daedal = {});

(() => {
    const {add, length, unit, across, cross, frame} = daedal.v3;
    // sizes of what has none, as parts of the size of the scene; the same as in src/report/film_shapes.c
    const LINE = 0.007, POINT = 0.013, LONGEST = 0.22, FRAME = 0.09, SPRING = 0.02, HINGE = 0.012;
    const COILS = 9, COIL_STEPS = 12, TRAIL_POINTS = 900, GRID = 10;
    const AXES = [[0.82, 0.29, 0.36], [0.16, 0.62, 0.47], [0.18, 0.5, 0.76]];
    const finite = (p) => p.every((v) => v - v === 0);

    class Painter {
        constructor(scene, renderer) {
            this.scene = scene;
            this.renderer = renderer;
            const d = [0, 1, 2].map((k) => scene.high[k] - scene.low[k]);
            this.extent = length(d) || 1;
            this.middle = [0, 1, 2].map((k) => 0.5 * (scene.low[k] + scene.high[k]));
            // in the plane later shapes are in front, towards -y, where the eye is, and trails behind all
            this.layer = scene.plane ? Math.min(0.08, 4 / scene.shapes.length) * this.extent : 0;
        }

        // ---- bodies ----

        push(mesh, matrix, colour) {
            this.renderer.batches[mesh].push(matrix, colour);
        }

        ball(p, r, colour) {
            if (finite(p)) {
                this.push('sphere', frame([r, 0, 0], [0, r, 0], [0, 0, r], p), colour);
            }
        }

        // mesh: cylinder, tube or cone, from a to b
        between(mesh, a, b, r, colour) {
            const d = add(b, a, -1), n = length(d);
            if (n > 0 && finite(d)) {
                const [u, w] = across(unit(d));
                this.push(mesh, frame(u.map((c) => r * c), w.map((c) => r * c), d, a), colour);
            }
        }

        rod(a, b, r, colour) {
            this.between('tube', a, b, r, colour);
            this.ball(a, r, colour);
            this.ball(b, r, colour);
        }

        vector(a, v, r, colour) {
            const n = length(v);
            if (!(n > 0) || !finite(v)) {
                return;
            }
            const head = Math.min(6 * r, 0.6 * n), neck = add(a, v, 1 - head / n);
            this.between('cylinder', a, neck, r, colour);
            this.between('cone', neck, add(a, v), 2.4 * r, colour);
        }

        axes(shape, motion) {
            const [x1, x2, x3, y1, y2, y3] = motion.read(shape.axes), x = unit([x1, x2, x3]), z = unit(cross(x, [y1, y2, y3]));
            return [x, cross(z, x), z];
        }

        box(shape, motion, p, colour) {
            const size = motion.read(shape.size), [x, y, z] = this.axes(shape, motion);
            const thin = 0.01 * this.extent;
            if (this.scene.plane) {
                size[1] = 2 * thin;
            }
            size.forEach((value, k) => { size[k] = Math.max(Math.abs(value), thin); });
            if (finite(p)) {
                this.push('box', frame(...[x, y, z].map((axis, k) => axis.map((c) => c * Math.abs(size[k]))), p), colour);
            }
        }

        spring(shape, p, r, colour) {
            const a = p.slice(0, 3), d = add(p.slice(3, 6), a, -1), coils = shape.scale || COILS, [u, w] = across(unit(d));
            const steps = Math.round(Math.min(coils, 100) * (this.scene.plane ? 2 : COIL_STEPS)), wire = 0.4 * LINE * this.extent;
            let last = a;
            for (let i = 0; i <= steps + 1; i++) {
                const inner = i > 0 && i < steps, phi = 2 * Math.PI * coils * i / steps;
                const side = !inner ? 0 : this.scene.plane ? (i % 2 ? 1 : -1) : Math.cos(phi);
                const other = inner && !this.scene.plane ? Math.sin(phi) : 0;
                const at = add(add(add(a, d, i > steps ? 1 : 0.1 + 0.8 * i / steps), u, r * side), w, r * other);
                this.rod(last, at, wire, colour);
                last = at;
            }
        }

        // ---- lines ----

        trail(shape, motion, colour, now, layer) {
            const since = shape.scale ? now - shape.scale : -Infinity, every = Math.ceil(motion.frames / TRAIL_POINTS);
            const points = [], from = Math.max(0, motion.frame(since));
            for (let f = from; f <= motion.i; f += every) {
                points.push(motion.read(shape.p, f));
            }
            points.push(motion.read(shape.p));
            points.forEach((p) => { p[1] -= layer; });
            for (let k = 0; k + 1 < points.length; k++) {
                if (finite(points[k]) && finite(points[k + 1])) {
                    // a trail of limited duration fades
                    const fade = (j) => (shape.scale ? 0.15 + 0.85 * j / points.length : 0.9) * colour[3];
                    this.renderer.front.push(points[k], points[k + 1], [...colour.slice(0, 3), fade(k)],
                        [...colour.slice(0, 3), fade(k + 1)], 2 * this.ratio);
                }
            }
        }

        // A grid with a round step that fades away from the middle.
        grid(height, dark) {
            const step = 10 ** Math.floor(Math.log10(this.extent / 3)), ink = dark ? [0.6, 0.66, 0.74] : [0.35, 0.42, 0.5];
            const wide = step * (this.extent / step > 12 ? 5 : this.extent / step > 5 ? 2 : 1);
            const [x0, y0] = [0, 1].map((k) => wide * Math.round(this.middle[k] / wide));
            const tint = (i, j) => [...ink, (dark ? 0.3 : 0.28) * Math.max(0, 1 - Math.hypot(i, j) / GRID) ** 1.2];
            for (let i = -GRID; i <= GRID; i++) {
                for (let j = -GRID; j < GRID; j++) {
                    const x = x0 + i * wide, y = y0 + i * wide, a = j * wide, b = (j + 1) * wide;
                    this.renderer.back.push([x, y0 + a, height], [x, y0 + b, height], tint(i, j), tint(i, j + 1), this.ratio);
                    this.renderer.back.push([x0 + a, y, height], [x0 + b, y, height], tint(j, i), tint(j + 1, i), this.ratio);
                }
            }
        }

        ground(height, dark) {
            if (!this.scene.plane) {
                this.grid(height, dark);
                return;
            }
            const far = 20 * this.extent, ink = dark ? [0.6, 0.66, 0.74, 0.8] : [0.4, 0.46, 0.53, 0.8];
            this.renderer.back.push([this.middle[0] - far, 0, height], [this.middle[0] + far, 0, height], ink, ink, 1.5 * this.ratio);
        }

        // ---- all kinds ----

        colour(shape, motion) {
            return motion === this.scene.motions[0] ? [...shape.rgb, shape.opacity] :
                [...shape.rgb.map((c) => 0.4 * c + 0.3), 0.38 * shape.opacity];
        }

        shape(shape, index, motion, now) {
            const p = motion.read(shape.p), colour = this.colour(shape, motion), layer = this.layer * index;
            for (let k = 1; k < p.length; k += 3) {
                p[k] -= layer;
            }
            const radius = (part) => Math.abs(shape.radius ? motion.read(shape.radius)[0] : part * this.extent);
            switch (shape.kind) {
            case 'point':
            case 'sphere':
                return this.ball(p, radius(POINT), colour);
            case 'line':
                for (let k = 0; k + (shape.closed ? 0 : 3) < p.length; k += 3) {
                    const next = (k + 3) % p.length;
                    this.rod(p.slice(k, k + 3), p.slice(next, next + 3), radius(LINE), colour);
                }
                return undefined;
            case 'cylinder':
                return this.between('cylinder', p.slice(0, 3), p.slice(3, 6), radius(LINE), colour);
            case 'spring':
                return this.spring(shape, p, radius(SPRING), colour);
            case 'box':
                return this.box(shape, motion, p, colour);
            case 'hinge': {
                const axis = shape.vector ? unit(motion.read(shape.vector)) : [0, 1, 0], r = radius(HINGE);
                return this.between('cylinder', add(p, axis, -1.5 * r), add(p, axis, 1.5 * r), r, colour);
            }
            case 'arrow': {
                const scale = shape.scale || (shape.longest > 0 ? LONGEST * this.extent / shape.longest : 0);
                return this.vector(p, motion.read(shape.vector).map((v) => scale * v), radius(LINE), colour);
            }
            case 'frame':
                return this.axes(shape, motion).forEach((axis, k) => {
                    if (!this.scene.plane || k !== 1) {
                        const size = radius(FRAME), rgb = AXES[this.scene.plane && k === 2 ? 1 : k];
                        this.vector(p, axis.map((c) => size * c), 0.05 * size, [...rgb, colour[3]]);
                    }
                });
            case 'trail':
                return this.trails ? this.trail(shape, motion, colour, now, -this.layer) : undefined;
            default:
                return undefined;
            }
        }

        // Fills the renderer; returns the height of the ground, null where nothing casts shadows.
        paint(now, dark, ratio) {
            const {scene, renderer} = this, grounds = scene.shapes.filter(({kind}) => kind === 'ground');
            this.ratio = ratio;
            renderer.clear();
            for (const motion of scene.motions.filter(({shown}) => shown)) {
                motion.at(now);
                scene.shapes.forEach((shape, index) => this.shape(shape, index, motion, now));
            }
            for (const ground of grounds) {
                this.ground(scene.motions[0].read(ground.p)[2], dark);
            }
            if (scene.plane) {
                return null;
            }
            const low = scene.low[2] - 0.03 * this.extent;
            if (grounds.length === 0) {
                this.grid(low, dark);
            }
            return grounds.length > 0 ? scene.motions[0].read(grounds[0].p)[2] : low;
        }
    }

    daedal.ScenePainter = Painter;
})();
