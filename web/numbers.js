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

    daedal.tickLabels = (ticks, step) => {
        const scale = 10 ** daedal.sharedExponent(ticks);
        const decimals = Math.min(MOST_DECIMALS, Math.max(0, -Math.floor(Math.log10(step / scale) + 1e-9)));
        return ticks.map((tick) => {
            const text = (tick / scale).toFixed(decimals);
            return minus(Number(text) === 0 ? text.replace('-', '') : text);
        });
    };

    // Only powers of ten are labelled on a logarithmic axis.
    daedal.logLabels = (ticks) => {
        const power = (tick) => Math.log10(tick);
        const whole = ticks.map((tick) => tick > 0 && Math.abs(power(tick) - Math.round(power(tick))) < 1e-9);
        const count = whole.filter(Boolean).length, every = Math.max(1, Math.ceil(count / 8));
        if (count < 2) {
            return ticks.map((tick) => daedal.number(tick, 3));
        }
        return ticks.map((tick, i) => (whole[i] && Math.round(power(tick)) % every === 0 ?
            daedal.power(Math.round(power(tick))) : ''));
    };
})();
