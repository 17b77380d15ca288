// scene_math.js - vectors, matrices (column by column) and the camera of a moving scene; z is up.
'use strict';
var daedal = window.daedal || (window.daedal = {});

(() => {
    const add = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
    const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    const length = (a) => Math.sqrt(dot(a, a));
    const unit = (a, other = [0, 0, 1]) => {
        const n = length(a);
        return n > 0 ? [a[0] / n, a[1] / n, a[2] / n] : other;
    };

    // Two directions across a unit vector.
    function across(d) {
        const u = unit(cross(d, Math.abs(d[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0]));
        return [u, cross(d, u)];
    }

    function multiply(a, b) {
        const out = new Float32Array(16);
        for (let c = 0; c < 4; c++) {
            for (let r = 0; r < 4; r++) {
                let sum = 0;
                for (let k = 0; k < 4; k++) {
                    sum += a[4 * k + r] * b[4 * c + k];
                }
                out[4 * c + r] = sum;
            }
        }
        return out;
    }

    // From three axes and an origin.
    const frame = (x, y, z, o) => new Float32Array([...x, 0, ...y, 0, ...z, 0, ...o, 1]);

    // Flattens everything onto the plane z = height, along the light.
    function shadow(light, height) {
        const kx = light[0] / light[2], ky = light[1] / light[2];
        return new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, -kx, -ky, 0, 0, kx * height, ky * height, height, 1]);
    }

    const FIELD = 28 * Math.PI / 180; // vertical angle of view

    // Looks from a direction at a target; the plane is seen without perspective.
    class Camera {
        constructor(home) {
            this.home = home;
            this.reset();
        }

        reset() {
            Object.assign(this, {...this.home, target: [...this.home.target]});
        }

        direction() {
            const c = Math.cos(this.elevation);
            return [c * Math.cos(this.azimuth), c * Math.sin(this.azimuth), Math.sin(this.elevation)];
        }

        axes() {
            const back = this.direction();
            const right = unit(cross([0, 0, 1], back), [-Math.sin(this.azimuth), Math.cos(this.azimuth), 0]);
            return {right, up: cross(back, right), back};
        }

        orbit(dx, dy) {
            if (!this.plane) {
                this.azimuth -= dx;
                this.elevation = Math.max(-1.55, Math.min(1.55, this.elevation + dy));
            }
        }

        zoom(factor) {
            this.height = Math.max(this.home.height * 1e-3, Math.min(this.home.height * 1e3, this.height * factor));
        }

        // By parts of the height of the picture.
        pan(dx, dy) {
            const {right, up} = this.axes();
            this.target = add(add(this.target, right, -dx * this.height), up, dy * this.height);
        }

        matrix(aspect) {
            const {right, up, back} = this.axes(), t = this.target, half = 0.5 * this.height;
            const distance = this.plane ? 10 * this.extent : half / Math.tan(0.5 * FIELD);
            const eye = add(t, back, distance);
            const view = new Float32Array([right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0,
                -dot(right, eye), -dot(up, eye), -dot(back, eye), 1]);
            const near = this.plane ? 0.01 * distance : Math.max(0.02 * distance, distance - 6 * this.extent - 2 * this.height);
            const far = distance + 8 * this.extent + 4 * this.height, f = 1 / Math.tan(0.5 * FIELD);
            const lens = this.plane ?
                new Float32Array([1 / (half * aspect), 0, 0, 0, 0, 1 / half, 0, 0, 0, 0, -2 / (far - near), 0, 0, 0,
                    -(far + near) / (far - near), 1]) :
                new Float32Array([f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, -(far + near) / (far - near), -1, 0, 0,
                    -2 * far * near / (far - near), 0]);
            this.eye = eye;
            return multiply(lens, view);
        }
    }

    daedal.v3 = {add, dot, cross, length, unit, across, multiply, frame, shadow};
    daedal.Camera = Camera;
})();
