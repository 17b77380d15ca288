// matrix.js - patterns of matrices: the equation and the unknown under the pointer.
'use strict';
var daedal = window.daedal || (window.daedal = {});

(() => {
    // The names of the rows or columns of a cell: it may stand for several.
    function named(names, first, every, one) {
        const last = Math.min(first + every, names.length) - 1;
        return last > first ? `${one}s ${first + 1} to ${last + 1}: ${names[first]} … ${names[last]}` : names[first];
    }

    function watch(figure) {
        const spec = JSON.parse(figure.querySelector('script').textContent), svg = figure.querySelector('svg');
        const said = figure.appendChild(daedal.element('output', 'under', ' '));
        svg.addEventListener('pointermove', ({target, clientX, clientY}) => {
            if (!/^k\d/.test(target.getAttribute('class') || '')) {
                said.textContent = ' ';
                return;
            }
            const at = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
            const row = Math.floor((at.y - spec.top) / spec.size), column = Math.floor((at.x - spec.left) / spec.size);
            said.textContent = `${named(spec.rows, row * spec.every, spec.every, 'row')}  ·  ` +
                named(spec.columns, column * spec.every, spec.every, 'column');
        });
        svg.addEventListener('pointerleave', () => { said.textContent = ' '; });
    }

    document.addEventListener('DOMContentLoaded', () => document.querySelectorAll('figure[data-matrix]').forEach(watch));
})();
