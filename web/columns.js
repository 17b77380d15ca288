// columns.js - the numbers of a page: base64 blocks to typed arrays, each when a figure first asks for it.
'use strict';
var daedal = window.daedal || (window.daedal = {});

(() => {
    const decoded = new Map();

    function bytesOf(text) {
        if (Uint8Array.fromBase64) {
            return Uint8Array.fromBase64(text);
        }
        const letters = atob(text), bytes = new Uint8Array(letters.length);
        for (let i = 0; i < letters.length; i++) {
            bytes[i] = letters.charCodeAt(i);
        }
        return bytes;
    }

    // Numbers of 32 bits are differences to an offset, so that a late time keeps its digits.
    function decode(block) {
        const bytes = bytesOf(block.textContent.trim());
        block.textContent = ''; // the text is not needed twice
        if (block.dataset.type === 'f64') {
            return new Float64Array(bytes.buffer);
        }
        const numbers = new Float32Array(bytes.buffer), offset = Number(block.dataset.offset || 0);
        return offset === 0 ? numbers : Float64Array.from(numbers, (value) => value + offset);
    }

    // Column number k of the page.
    daedal.column = (k) => {
        if (!decoded.has(k)) {
            decoded.set(k, decode(document.getElementById('c' + k)));
        }
        return decoded.get(k);
    };

    // The first row whose value is not below `value`; x does not decrease.
    daedal.firstRow = (x, value) => {
        let low = 0, high = x.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (x[middle] < value) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    };

    // Lowest and highest finite value of the rows from `begin` to `end` - 1, positive ones only for a logarithmic axis.
    daedal.extent = (y, begin, end, positive) => {
        let low = Infinity, high = -Infinity;
        for (let i = begin; i < end; i++) {
            const value = y[i];
            if (value - value === 0 && (!positive || value > 0)) {
                low = value < low ? value : low;
                high = value > high ? value : high;
            }
        }
        return [low, high];
    };
})();
