// scene_gl.js - draws bodies and lines with WebGL 2: light from the camera's side, shadows on the ground, translucent bodies last.
'use strict';
var daedal = window.daedal || (window.daedal = {});

(() => {
    const BODY = `#version 300 es
        layout(location=0) in vec3 p; layout(location=1) in vec3 n;
        layout(location=2) in mat4 m; layout(location=6) in vec4 tint;
        uniform mat4 view, flatten;
        out vec3 at, normal; out vec4 colour;
        void main() {
            vec4 w = flatten * m * vec4(p, 1.0);
            vec3 scale = vec3(dot(m[0].xyz, m[0].xyz), dot(m[1].xyz, m[1].xyz), dot(m[2].xyz, m[2].xyz));
            normal = mat3(m) * (n / max(scale, vec3(1e-20)));
            at = w.xyz; colour = tint; gl_Position = view * w;
        }`;
    const SKIN = `#version 300 es
        precision highp float;
        in vec3 at, normal; in vec4 colour;
        uniform vec3 eye, light; uniform float shade, dark;
        out vec4 pixel;
        void main() {
            if (shade > 0.0) { pixel = vec4(0.0, 0.0, 0.0, shade * colour.a); return; }
            vec3 n = normalize(normal), v = normalize(eye - at), l = normalize(light);
            if (dot(n, v) < 0.0) n = -n;
            vec3 base = pow(colour.rgb, vec3(2.2));
            float diffuse = max(dot(n, l), 0.0), wrap = 0.5 + 0.5 * dot(n, l);
            vec3 sky = mix(vec3(0.34, 0.36, 0.40), vec3(0.62, 0.64, 0.68), 0.5 + 0.5 * n.z);
            float gloss = pow(max(dot(n, normalize(l + v)), 0.0), 48.0);
            float rim = pow(1.0 - max(dot(n, v), 0.0), 3.0);
            vec3 c = base * (sky + 0.62 * diffuse + 0.16 * wrap) + 0.16 * gloss + rim * mix(0.02, 0.10, dark) * vec3(0.7, 0.8, 1.0);
            pixel = vec4(pow(c, vec3(1.0 / 2.2)) * colour.a, colour.a);
        }`;
    // A segment as a rectangle of a width in pixels.
    const SEGMENT = `#version 300 es
        layout(location=0) in vec2 corner; layout(location=1) in vec3 a; layout(location=2) in vec3 b;
        layout(location=3) in vec4 tintA; layout(location=4) in vec4 tintB; layout(location=5) in float width;
        uniform mat4 view; uniform vec2 size;
        out vec4 colour; out float side;
        void main() {
            vec4 p = view * vec4(a, 1.0), q = view * vec4(b, 1.0);
            vec2 d = (q.xy / q.w - p.xy / p.w) * size;
            float n = length(d);
            vec2 along = n > 1e-6 ? d / n : vec2(1.0, 0.0), out2 = vec2(-along.y, along.x);
            vec4 at = corner.x < 0.5 ? p : q;
            at.xy += (corner.y * out2 + (2.0 * corner.x - 1.0) * 0.4 * along) * (width + 1.0) / size * at.w;
            colour = corner.x < 0.5 ? tintA : tintB; side = corner.y * (width + 1.0) * 0.5;
            gl_Position = at;
        }`;
    const INK = `#version 300 es
        precision highp float;
        in vec4 colour; in float side;
        out vec4 pixel;
        void main() { float a = colour.a; pixel = vec4(colour.rgb * a, a); }`;
    const NOTHING = new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    const BODY_FLOATS = 20, LINE_FLOATS = 15, LIGHT_SHADE = 0.16, DARK_SHADE = 0.4;

    function compile(gl, vertex, fragment) {
        const program = gl.createProgram();
        for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
            const shader = gl.createShader(kind);
            gl.shaderSource(shader, text);
            gl.compileShader(shader);
            gl.attachShader(program, shader);
        }
        gl.linkProgram(program);
        if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
            throw new Error(gl.getProgramInfoLog(program) || 'shaders do not link');
        }
        const places = {};
        for (const name of ['view', 'flatten', 'eye', 'light', 'shade', 'dark', 'size']) {
            places[name] = gl.getUniformLocation(program, name);
        }
        return {program, ...places};
    }

    // Bodies of one mesh: a matrix and a colour for each.
    class Batch {
        constructor(gl, mesh) {
            const {data, index} = mesh;
            this.gl = gl;
            this.count = index.length;
            this.solid = [];
            this.faint = [];
            this.array = gl.createVertexArray();
            gl.bindVertexArray(this.array);
            gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
            gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(data), gl.STATIC_DRAW);
            for (const k of [0, 1]) {
                gl.enableVertexAttribArray(k);
                gl.vertexAttribPointer(k, 3, gl.FLOAT, false, 24, 12 * k);
            }
            gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
            gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array(index), gl.STATIC_DRAW);
            this.buffer = gl.createBuffer();
            gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
            for (let k = 0; k < 5; k++) {
                gl.enableVertexAttribArray(2 + k);
                gl.vertexAttribPointer(2 + k, 4, gl.FLOAT, false, 4 * BODY_FLOATS, 16 * k);
                gl.vertexAttribDivisor(2 + k, 1);
            }
            gl.bindVertexArray(null);
        }

        clear() {
            this.solid.length = this.faint.length = 0;
        }

        push(matrix, colour) {
            (colour[3] < 1 ? this.faint : this.solid).push(...matrix, ...colour);
        }

        draw(list) {
            const gl = this.gl;
            if (list.length === 0) {
                return;
            }
            gl.bindVertexArray(this.array);
            gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
            gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(list), gl.DYNAMIC_DRAW);
            gl.drawElementsInstanced(gl.TRIANGLES, this.count, gl.UNSIGNED_SHORT, 0, list.length / BODY_FLOATS);
        }
    }

    class Lines {
        constructor(gl) {
            this.gl = gl;
            this.list = [];
            this.array = gl.createVertexArray();
            gl.bindVertexArray(this.array);
            gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
            gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([0, -1, 0, 1, 1, -1, 1, 1]), gl.STATIC_DRAW);
            gl.enableVertexAttribArray(0);
            gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 8, 0);
            this.buffer = gl.createBuffer();
            gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
            for (const [k, n, at] of [[1, 3, 0], [2, 3, 3], [3, 4, 6], [4, 4, 10], [5, 1, 14]]) {
                gl.enableVertexAttribArray(k);
                gl.vertexAttribPointer(k, n, gl.FLOAT, false, 4 * LINE_FLOATS, 4 * at);
                gl.vertexAttribDivisor(k, 1);
            }
            gl.bindVertexArray(null);
        }

        push(a, b, colourA, colourB, width) {
            this.list.push(...a, ...b, ...colourA, ...colourB, width);
        }

        draw() {
            const gl = this.gl;
            if (this.list.length > 0) {
                gl.bindVertexArray(this.array);
                gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
                gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(this.list), gl.DYNAMIC_DRAW);
                gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, this.list.length / LINE_FLOATS);
            }
        }
    }

    class Renderer {
        // Throws where WebGL 2 is missing.
        constructor(canvas) {
            const gl = canvas.getContext('webgl2', {antialias: true, stencil: true, alpha: true, preserveDrawingBuffer: true});
            if (!gl) {
                throw new Error('WebGL 2 is not available');
            }
            this.gl = gl;
            this.canvas = canvas;
            this.bodies = compile(gl, BODY, SKIN);
            this.segments = compile(gl, SEGMENT, INK);
            this.batches = {};
            for (const [name, make] of Object.entries(daedal.meshes)) {
                this.batches[name] = new Batch(gl, make());
            }
            this.back = new Lines(gl); // behind everything: the ground
            this.front = new Lines(gl);
        }

        clear() {
            Object.values(this.batches).forEach((batch) => batch.clear());
            this.back.list.length = this.front.list.length = 0;
        }

        all(which) {
            Object.values(this.batches).forEach((batch) => batch.draw(batch[which]));
        }

        lines(lines, view) {
            const {gl, segments} = this;
            gl.useProgram(segments.program);
            gl.uniformMatrix4fv(segments.view, false, view);
            gl.uniform2f(segments.size, this.canvas.width, this.canvas.height);
            gl.depthMask(false);
            lines.draw();
            gl.depthMask(true);
        }

        // Every pixel of the ground is darkened once, however many bodies are above it.
        shadows(ground, light, dark) {
            const {gl, bodies} = this;
            gl.uniformMatrix4fv(bodies.flatten, false, daedal.v3.shadow(light, ground));
            gl.uniform1f(bodies.shade, dark ? DARK_SHADE : LIGHT_SHADE);
            gl.enable(gl.STENCIL_TEST);
            gl.stencilFunc(gl.EQUAL, 0, 255);
            gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
            gl.depthMask(false);
            gl.disable(gl.DEPTH_TEST);
            this.all('solid');
            gl.enable(gl.DEPTH_TEST);
            gl.depthMask(true);
            gl.disable(gl.STENCIL_TEST);
            gl.uniformMatrix4fv(bodies.flatten, false, NOTHING);
            gl.uniform1f(bodies.shade, 0);
        }

        // Translucent bodies show their nearest surface alone: depth first, colour then.
        faint() {
            const {gl} = this;
            gl.colorMask(false, false, false, false);
            this.all('faint');
            gl.colorMask(true, true, true, true);
            gl.depthFunc(gl.LEQUAL);
            this.all('faint');
        }

        // ground: null without shadows
        draw(camera, ground, dark) {
            const {gl, canvas, bodies} = this, view = camera.matrix(canvas.width / canvas.height);
            const {right, up, back} = camera.axes(), {add, unit} = daedal.v3;
            const light = unit(add(add(add([0, 0, 0.9], back, 0.5), up, 0.4), right, -0.55));
            gl.viewport(0, 0, canvas.width, canvas.height);
            gl.clearColor(0, 0, 0, 0);
            gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
            gl.enable(gl.DEPTH_TEST);
            gl.depthFunc(gl.LEQUAL);
            gl.enable(gl.BLEND);
            gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
            this.lines(this.back, view);
            gl.useProgram(bodies.program);
            gl.uniformMatrix4fv(bodies.view, false, view);
            gl.uniformMatrix4fv(bodies.flatten, false, NOTHING);
            gl.uniform3fv(bodies.eye, camera.plane ? add(camera.target, back, 1e4 * camera.extent) : camera.eye);
            gl.uniform3fv(bodies.light, light);
            gl.uniform1f(bodies.shade, 0);
            gl.uniform1f(bodies.dark, dark ? 1 : 0);
            if (ground !== null && camera.elevation > 0) {
                this.shadows(ground, [0.25, -0.2, 1], dark);
            }
            this.all('solid');
            this.lines(this.front, view);
            gl.useProgram(bodies.program);
            this.faint();
            return view;
        }
    }

    daedal.SceneRenderer = Renderer;
})();
