// page.js - begins: the theme, the figures of the page as they come into view, the switch of linked zoom.
'use strict';
var daedal = window.daedal || (window.daedal = {});

(() => {
    const AHEAD = '600px'; // figures this near to the window are built

    daedal.plots = []; // those that have come near to the window
    daedal.zoomTogether = true;

    // ---- light and dark ----

    function stored() {
        try {
            return localStorage.getItem('daedal-theme');
        } catch (error) { // pages opened as files may have no storage
            return null;
        }
    }

    function setTheme(theme) {
        document.documentElement.dataset.theme = theme;
        try {
            localStorage.setItem('daedal-theme', theme);
        } catch (error) { /* it is not kept, then */ }
        refresh();
    }

    function refresh() {
        for (const plot of daedal.plots) {
            if (plot.u) {
                plot.u.redraw(false, true);
            }
        }
        document.dispatchEvent(new Event('daedal-theme'));
    }

    const prefersDark = matchMedia('(prefers-color-scheme: dark)');
    daedal.isDark = () => (document.documentElement.dataset.theme || (prefersDark.matches ? 'dark' : 'light')) === 'dark';

    function switches() {
        const bar = daedal.element('div', 'switches'), theme = daedal.element('button', '', '◐');
        theme.type = 'button';
        theme.title = 'light or dark';
        theme.setAttribute('aria-label', 'light or dark');
        theme.addEventListener('click', () => setTheme(daedal.isDark() ? 'light' : 'dark'));
        if (window.uPlot && document.querySelectorAll('figure[data-plot]').length > 1) {
            const label = daedal.element('label', '', ' zoom together'), box = daedal.element('input');
            box.type = 'checkbox';
            box.checked = daedal.zoomTogether;
            box.addEventListener('change', () => { daedal.zoomTogether = box.checked; });
            label.prepend(box);
            bar.append(label);
        }
        bar.append(theme);
        document.querySelector('header').prepend(bar);
    }

    // ---- figures ----

    const sizes = new ResizeObserver((entries) => entries.forEach(({target}) => target.plot.resize()));

    function makePlot(figure) {
        const spec = JSON.parse(figure.querySelector('script[type="application/json"]').textContent);
        const plot = new daedal.Plot(figure, spec);
        daedal.plots.push(plot);
        daedal.live(plot);
        figure.plot = plot.target.plot = plot;
        sizes.observe(plot.target);
    }

    function watch() {
        const near = new IntersectionObserver((entries) => {
            for (const {isIntersecting, target} of entries) {
                if (isIntersecting) {
                    near.unobserve(target);
                    makePlot(target);
                }
            }
        }, {rootMargin: AHEAD});
        document.querySelectorAll('figure[data-plot]').forEach((figure) => near.observe(figure));
    }

    // Without a font for mathematics, browsers set exponents on top of their base: the page puts them lower then.
    function placeExponents() {
        const base = document.querySelector('msup > :first-child');
        if (base && base.nextElementSibling.getBoundingClientRect().bottom <= base.getBoundingClientRect().top + 1) {
            document.documentElement.classList.add('plain-maths');
        }
    }

    function begin() {
        placeExponents();
        if (stored()) {
            document.documentElement.dataset.theme = stored();
        }
        prefersDark.addEventListener('change', refresh);
        if (window.uPlot) {
            watch();
        }
        switches();
    }

    document.addEventListener('DOMContentLoaded', begin);
})();
