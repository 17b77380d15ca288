// numbers.js - numbers for people: a few digits, one power of ten per axis, real minus signs.
'use strict';
var daedal = window.daedal || (window.daedal = {});

(() => {
    const DIGITS = 6, MOST_DECIMALS = 12;
    const LARGE = 1e5, SMALL = 1e-3; // beyond these an axis shows a power of ten
    const superscript = '⁰¹²³⁴⁵⁶⁷⁸⁹';

    const minus = (text) => text.replace(/-/g, '−');

    daedal.power = (exponent) => '10' + (exponent < 0 ? '⁻' : '') +
        String(Math.abs(exponent)).replace(/\d/g, (digit) => superscript[digit]);

    daedal.number = (value, digits = DIGITS) => {
        if (!(value - value === 0)) {
            return '–';
        }
        return minus(String(Number(value.toPrecision(digits))));
    };

    // The power of ten that the labels of these ticks share.
    daedal.sharedExponent = (ticks) => {
        const size = Math.max(...ticks.map(Math.abs));
        return size >= LARGE || (size > 0 && size < SMALL) ? Math.floor(Math.log10(size) + 1e-9) : 0;
    };

    // As many as the step has: 1 for 0.5, 2 for 0.25.
    function decimalsOf(step) {
        for (let n = 0; n < MOST_DECIMALS; n++) {
            const whole = step * 10 ** n;
            if (whole > 0.5 && Math.abs(whole - Math.round(whole)) < 1e-6 * whole) {
                return n;
            }
        }
        return MOST_DECIMALS;
    }

    daedal.tickLabels = (ticks, step) => {
        const scale = 10 ** daedal.sharedExponent(ticks);
        const decimals = decimalsOf(step / scale);
        return ticks.map((tick) => {
            const text = (tick / scale).toFixed(decimals);
            return minus(Number(text) === 0 ? text.replace('-', '') : text);
        });
    };

    // Powers of ten on a logarithmic axis; also 2 and 5 times them where it shows two at most.
    daedal.logTicks = (min, max) => {
        const MOST = 8, first = Math.ceil(Math.log10(min) - 1e-9), last = Math.floor(Math.log10(max) + 1e-9);
        const every = Math.max(1, Math.ceil((last - first) / MOST)), ticks = [];
        for (let k = Math.ceil((first - 1) / every) * every; k <= last; k += every) {
            ticks.push(...(last - first < 2 ? [1, 2, 5] : [1]).map((n) => n * 10 ** k));
        }
        return ticks.filter((tick) => tick >= min * (1 - 1e-9) && tick <= max * (1 + 1e-9));
    };

    // One way of writing on an axis: 0.001, 0.01, 0.1, or powers of ten where it reaches further.
    daedal.logLabels = (ticks) => {
        const powers = ticks.map(Math.log10), far = powers.some((power) => Math.abs(power) > 3.5);
        return ticks.map((tick, k) => {
            const whole = Math.round(powers[k]);
            return far && Math.abs(powers[k] - whole) < 1e-9 && whole !== 0 && whole !== 1 ? daedal.power(whole) : daedal.number(tick, 3);
        });
    };
})();
