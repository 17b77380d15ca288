// scene_data.js - the numbers of a scene (src/report/scene_data.c): columns over frames, and values between two frames.
'use strict';
var daedal = window.daedal || (window.daedal = {});

(() => {
    const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;

    // Numbers of a shape: constants, or columns.
    function places(list) {
        return {n: list.length, column: Int32Array.from(list, (v) => (Array.isArray(v) ? v[0] : -1)),
            value: Float64Array.from(list, (v) => (Array.isArray(v) ? 0 : v))};
    }

    class Motion {
        constructor(spec) {
            this.name = spec.name;
            this.frames = spec.frames;
            this.time = new Float64Array(bytes(spec.time));
            this.data = new Float32Array(bytes(spec.data));
            this.shown = true;
            this.at(this.time[0]);
        }

        // The last frame at or before a time.
        frame(t) {
            let low = 0, high = this.frames;
            while (high - low > 1) {
                const middle = (low + high) >> 1;
                if (this.time[middle] <= t) {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            return low;
        }

        // From now on values are those at this time.
        at(t) {
            this.i = this.frame(t);
            const a = this.time[this.i], b = this.time[Math.min(this.i + 1, this.frames - 1)];
            this.part = b > a ? Math.max(0, Math.min(1, (t - a) / (b - a))) : 0;
        }

        // All numbers of a list of places, at the present time or at a frame.
        read(p, frame) {
            const out = new Array(p.n), {frames, data} = this;
            for (let k = 0; k < p.n; k++) {
                const c = p.column[k];
                if (c < 0) {
                    out[k] = p.value[k];
                } else if (frame !== undefined) {
                    out[k] = data[c * frames + frame];
                } else {
                    const a = data[c * frames + this.i];
                    out[k] = this.part > 0 ? a + this.part * (data[c * frames + this.i + 1] - a) : a;
                }
            }
            return out;
        }
    }

    const PARTS = ['p', 'size', 'axes', 'vector', 'radius'];
    const PALETTE = ['#2f7fc1', '#e07a1f', '#2a9d78', '#7d5ba6', '#d1495b', '#17858f', '#c99a2e', '#6c7f93'];

    const OWN = {arrow: '#d1495b', hinge: '#39424c'};
    const bare = (name) => name.replace(/\[[^\]]*\]/g, '');

    function rgb(hex) {
        return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
    }

    // Shapes with their numbers as places, and a colour for each entry.
    function shapes(list) {
        const names = new Map();
        let number = 0;
        return list.map((spec, k) => {
            // elements of an array of components have one colour, that of the first (src/report/film_shapes.c)
            const name = bare(spec.name);
            number += k > 0 && (k === 1 || bare(list[k - 1].name) !== bare(list[k - 2].name)) ? 1 : 0;
            if (!names.has(name)) {
                names.set(name, number);
            }
            const own = spec.colour || OWN[spec.kind] || PALETTE[names.get(name) % PALETTE.length];
            const shape = {...spec, rgb: rgb(own), opacity: spec.opacity ?? 1};
            for (const part of PARTS) {
                shape[part] = spec[part] ? places(spec[part]) : null;
            }
            return shape;
        });
    }

    daedal.readScene = (spec) => ({...spec, shapes: shapes(spec.shapes), motions: spec.motions.map((m) => new Motion(m)),
        follow: spec.view.follow ? places(spec.view.follow) : null});
})();
