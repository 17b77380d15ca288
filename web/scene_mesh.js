// scene_mesh.js - the bodies that scenes are made of, each of size 1: positions with normals, and triangles.
'use strict';
var daedal = window.daedal || (window.daedal = {});

(() => {
    // A surface of revolution about z: rows of [radius, z, normal outwards, normal along z].
    function revolved(profile, sides) {
        const data = [], index = [];
        for (const [radius, z, out, along] of profile) {
            for (let i = 0; i <= sides; i++) {
                const c = Math.cos(2 * Math.PI * i / sides), s = Math.sin(2 * Math.PI * i / sides);
                data.push(radius * c, radius * s, z, out * c, out * s, along);
            }
        }
        for (let k = 0; k + 1 < profile.length; k++) {
            for (let i = 0; i < sides; i++) {
                const a = k * (sides + 1) + i, b = a + sides + 1;
                index.push(a, a + 1, b, a + 1, b + 1, b);
            }
        }
        return {data, index};
    }

    function sphere() {
        const rows = [];
        for (let k = 0; k <= 16; k++) {
            const phi = Math.PI * (k / 16 - 0.5);
            rows.push([Math.cos(phi), Math.sin(phi), Math.cos(phi), Math.sin(phi)]);
        }
        return revolved(rows, 28);
    }

    // From z = 0 to 1 with flat lids; edges have a normal for each side.
    const cylinder = () => revolved([[0, 0, 0, -1], [1, 0, 0, -1], [1, 0, 1, 0], [1, 1, 1, 0], [1, 1, 0, 1], [0, 1, 0, 1]], 28);
    const tube = () => revolved([[1, 0, 1, 0], [1, 1, 1, 0]], 14);
    const cone = () => revolved([[0, 0, 0, -1], [1, 0, 0, -1], [1, 0, 0.94, 0.34], [0, 1, 0.94, 0.34]], 24);

    function box() {
        const data = [], index = [];
        for (let axis = 0; axis < 3; axis++) {
            for (const side of [-1, 1]) {
                const first = data.length / 6, u = (axis + 1) % 3, v = (axis + 2) % 3;
                for (const [a, b] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
                    const p = [0, 0, 0], n = [0, 0, 0];
                    p[axis] = 0.5 * side;
                    p[u] = 0.5 * a;
                    p[v] = 0.5 * b;
                    n[axis] = side;
                    data.push(...p, ...n);
                }
                index.push(...(side > 0 ? [0, 1, 2, 0, 2, 3] : [0, 2, 1, 0, 3, 2]).map((i) => first + i));
            }
        }
        return {data, index};
    }

    daedal.meshes = {sphere, cylinder, tube, cone, box};
})();
