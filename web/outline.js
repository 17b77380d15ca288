// outline.js - a line of any number of rows as what a screen can show of it.
'use strict';
var daedal = window.daedal || (window.daedal = {});

(() => {
    // In each column of pixels the first, lowest, highest and last point: the same picture as with all rows. Values that
    // are not finite interrupt the line.
    daedal.outline = (pen, x, y, begin, end, toX, toY) => {
        let down = false, column = NaN, first = 0, low = 0, high = 0, last = -1;

        function to(i) {
            if (down) {
                pen.lineTo(toX(x[i]), toY(y[i]));
            } else {
                pen.moveTo(toX(x[i]), toY(y[i]));
                down = true;
            }
        }

        function flush() {
            if (last < 0) {
                return;
            }
            to(first);
            for (const i of low < high ? [low, high] : [high, low]) {
                if (i !== first && i !== last) {
                    to(i);
                }
            }
            if (last !== first) {
                to(last);
            }
            last = -1;
        }

        for (let i = begin; i < end; i++) {
            const value = toY(y[i]);
            if (!(value - value === 0)) {
                flush();
                down = false;
                continue;
            }
            const at = Math.floor(toX(x[i]));
            if (at !== column) {
                flush();
                column = at;
            }
            if (last < 0) {
                first = low = high = i;
            }
            low = y[i] < y[low] ? i : low;
            high = y[i] > y[high] ? i : high;
            last = i;
        }
        flush();
    };

    // A line that may turn back: every point that is half a pixel from the last one drawn.
    daedal.pathOutline = (pen, x, y, toX, toY) => {
        let down = false, lastX = 0, lastY = 0;
        for (let i = 0; i < x.length; i++) {
            const px = toX(x[i]), py = toY(y[i]);
            if (!(px - px === 0 && py - py === 0)) {
                down = false;
            } else if (!down) {
                pen.moveTo(lastX = px, lastY = py);
                down = true;
            } else if (i + 1 === x.length || Math.abs(px - lastX) + Math.abs(py - lastY) > 0.5) {
                pen.lineTo(lastX = px, lastY = py);
            }
        }
    };
})();
