// plots.test.mjs - what people do with plots: values, zoom, legend, keys, files.
import assert from 'node:assert/strict';
import {readFile, writeFile} from 'node:fs/promises';
import {test} from 'node:test';
import {eventually, frame, open, rangeOf, report} from './kit.mjs';

const pendulum = report('pendulum', 'simulate', 'examples/spherical_pendulum.mo', '--stop', '10');

async function hover(page, part) {
    const box = await frame(page);
    await page.mouse.move(box.x + part * box.width, box.y + 0.5 * box.height);
}

const legend = (page, k) => page.locator('figure[data-plot]').nth(k).locator('.entry output').allTextContents();

test('values under the pointer, in all plots of the axis', async () => {
    const page = await open(pendulum);
    const expected = await page.evaluate(() => daedal.plots[0].lines.map(({x, y}) => y[daedal.firstRow(x, 5)]));
    await eventually(async () => {
        await hover(page, 0.5);
        const texts = await legend(page, 0), values = texts.map((text) => Number(text.replace('−', '-')));
        assert.equal(values.length, 3);
        assert.ok(texts.every((text) => text !== ''));
        values.forEach((value, i) => assert.ok(Math.abs(value - expected[i]) < 0.05, `${value} is not near ${expected[i]}`));
        assert.match(await page.locator('.where').nth(1).textContent(), /^time = [45]/);
        assert.ok((await legend(page, 1)).every((text) => text !== ''));
    });
    assert.deepEqual(page.problems, []);
});

test('dragging zooms, also other plots of the axis; a double-click shows all', async () => {
    const page = await open(pendulum), box = await frame(page), middle = box.y + 0.5 * box.height;
    await page.mouse.move(box.x + 0.2 * box.width, middle);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.4 * box.width, middle + 5, {steps: 5});
    await page.mouse.up();
    for (const k of [0, 1]) {
        await eventually(async () => {
            const [low, high] = await rangeOf(page, k);
            assert.ok(Math.abs(low - 2) < 0.1 && Math.abs(high - 4) < 0.1, `plot ${k}: ${low} to ${high}`);
        });
    }
    await page.mouse.dblclick(box.x + 0.3 * box.width, middle);
    for (const k of [0, 1]) {
        await eventually(async () => assert.deepEqual(await rangeOf(page, k), [0, 10]));
    }
    assert.deepEqual(page.problems, []);
});

test('the wheel scrolls the page, and zooms a plot that was clicked', async () => {
    const page = await open(pendulum);
    await hover(page, 0.5);
    await page.mouse.wheel(0, -100);
    assert.deepEqual(await rangeOf(page), [0, 10]);
    const box = await frame(page);
    await page.mouse.click(box.x + 0.5 * box.width, box.y + 0.5 * box.height);
    await page.mouse.wheel(0, -100);
    await page.waitForFunction(() => daedal.plots[0].u.scales.x.max < 9);
    const [low, high] = await rangeOf(page);
    assert.ok(Math.abs(low + high - 10) < 0.1, 'the place under the pointer stays');
});

test('keys move the cursor and zoom', async () => {
    const page = await open(pendulum);
    await frame(page);
    await page.locator('figure[data-plot] .canvas').first().focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => document.querySelector('.where').textContent !== '');
    const first = await page.locator('.where').first().textContent();
    await page.keyboard.press('Shift+ArrowRight');
    await page.waitForFunction((before) => document.querySelector('.where').textContent !== before, first);
    const second = await page.locator('.where').first().textContent();
    assert.match(first, /^time = 5/);
    assert.match(second, /^time = 6/);
    await page.keyboard.press('+');
    await eventually(async () => assert.ok((await rangeOf(page))[1] < 10));
    await page.keyboard.press('0');
    await eventually(async () => assert.deepEqual(await rangeOf(page), [0, 10]));
});

test('names of the legend hide lines, and the rest fills the frame', async () => {
    const page = await open(pendulum), entry = page.locator('.entry').nth(2);
    const before = await page.evaluate(() => daedal.plots[0].u.scales.y.min);
    await entry.click();
    assert.equal(await entry.getAttribute('aria-pressed'), 'false');
    assert.ok((await page.evaluate(() => daedal.plots[0].u.scales.y.min)) > before + 0.1);
    await entry.click();
    assert.equal(await page.evaluate(() => daedal.plots[0].u.scales.y.min), before);
});

test('a logarithmic axis', async () => {
    const page = await open(pendulum);
    await page.locator('.toolbar button', {hasText: 'log'}).first().click();
    assert.equal(await page.evaluate(() => daedal.plots[0].u.scales.y.distr), 3);
    assert.deepEqual(page.problems, []);
});

async function saved(page, kind) {
    await page.locator('summary').first().click();
    const [file] = await Promise.all([page.waitForEvent('download'),
        page.locator('.menu button', {hasText: kind}).first().click()]);
    return {name: file.suggestedFilename(), bytes: await readFile(await file.path())};
}

test('a plot as SVG, PNG and CSV', async () => {
    const page = await open(pendulum);
    const svg = await saved(page, 'SVG'), png = await saved(page, 'PNG'), csv = await saved(page, 'CSV');
    assert.deepEqual([svg.name, png.name, csv.name], ['p.svg', 'p.png', 'p.csv']);
    assert.match(svg.bytes.toString(), /^<svg [^]*p\[1\][^]*<\/svg>\n$/);
    assert.equal(png.bytes.subarray(1, 4).toString(), 'PNG');
    const rows = csv.bytes.toString().trim().split('\n');
    assert.equal(rows[0], 'time,p[1],p[2],p[3]');
    assert.ok(rows.length > 400);
    assert.deepEqual(page.problems, []);
});

test('profiles, heat maps, paths in one scale', async () => {
    const page = await open(report('shown', 'simulate', 'examples/spherical_pendulum.mo', '--stop', '10', '--show', 'heat: p',
        '--show', 'profile: p at 0, 5', '--show', 'equal: p[2] over p[1]'));
    assert.equal(await page.evaluate(() => daedal.plots[1].lines.length), 2);
    const [perX, perY] = await page.evaluate(() => {
        const {scales, bbox} = daedal.plots[2].u;
        return [(scales.x.max - scales.x.min) / bbox.width, (scales.y.max - scales.y.min) / bbox.height];
    });
    assert.ok(Math.abs(perX / perY - 1) < 0.02, `${perX} and ${perY} per pixel`);
    await eventually(async () => {
        await hover(page, 0.5);
        assert.match(await page.locator('.where').first().textContent(), /^time = .*p\[2\] = /);
    });
    assert.deepEqual(page.problems, []);
});

test('a heat map names its heights, and is saved with its scale', async () => {
    const page = await open(report('rows', 'simulate', 'examples/spherical_pendulum.mo', '--stop', '10', '--show', 'heat: p'));
    assert.equal(await page.evaluate(() => daedal.plots[0].aboveAxis([1, 2, 3])), 'index');
    const svg = await page.evaluate(() => daedal.svgOf(daedal.plots[0]));
    assert.match(svg, />index</);
    assert.doesNotMatch(svg, />p\[2\]</, 'rows have no names in the legend');
});

test('counts have whole ticks, a curve over them is in front', async () => {
    await writeFile('fit.csv', 'time,xm\n' + Array.from({length: 21}, (_, i) => `${i / 10},${Math.exp(-i / 10) + 0.01 * Math.sin(9 * i) ** 9}\n`).join(''));
    await writeFile('fit.mop', `model Decay parameter Real k = 1; Real x(start = 1, fixed = true); equation der(x) = -k*x; end Decay;
optimization Fit(objective = sum({(x(0.1*i) - xm(0.1*i))^2 for i in 0:20}), startTime = 0, finalTime = 2)
  extends Decay(k(free = true, initialGuess = 2)); annotation(Daedal(data = "fit.csv")); end Fit;`);
    const page = await open(report('fit', 'optimize', `${process.cwd()}/fit.mop`));
    const counts = page.locator('figure[data-plot]', {hasText: 'distribution of the residuals'});
    await counts.scrollIntoViewIfNeeded();
    await counts.locator('.u-over').waitFor();
    const {labels, middle, curve} = await page.evaluate(() => {
        const plot = daedal.plots.find(({spec}) => spec.title === 'distribution of the residuals'), {u} = plot;
        const [bars, {x, y}] = plot.lines, half = 0.4 * (bars.x[1] - bars.x[0]);
        const k = x.findIndex((value, i) => bars.x.some((middle, b) => Math.abs(value - middle) < half && bars.y[b] > y[i] + 0.5));
        const at = u.ctx.getImageData(u.valToPos(x[k], 'x', true), u.valToPos(y[k], 'y', true) - 1, 1, 3).data; // three below each other
        const paint = document.createElement('canvas').getContext('2d');
        paint.fillStyle = daedal.lineColour(plot.lines[1].colour);
        return {labels: u.axes[1]._values, middle: [0, 4, 8].map((i) => [...at.slice(i, i + 3)]), curve: paint.fillStyle};
    });
    assert.ok(labels.every((label) => Number.isInteger(Number(label))), String(labels));
    const rgb = [1, 3, 5].map((at) => parseInt(curve.slice(at, at + 2), 16));
    assert.ok(middle.some((pixel) => pixel.every((value, i) => Math.abs(value - rgb[i]) < 60)), `${middle} is not ${rgb}`);
    assert.deepEqual(page.problems, []);
});

test('a control at its bound is level, not a picture of the tolerance', async () => {
    const page = await open(report('level', 'optimize', 'examples/two_stage_rocket.mop'));
    const heights = await page.evaluate(() => {
        const figures = [...document.querySelectorAll('figure[data-plot]')];
        figures.forEach((figure) => figure.scrollIntoView());
        const plots = daedal.plots.filter(({spec}) => /\.u$/.test(spec.title)); // the throttles, 1 but for the tolerance
        return plots.map((plot) => { const [low, high] = plot.rangeY(); return high - low; });
    });
    assert.ok(heights.length >= 2 && heights.every((height) => height > 0.1), String(heights));
});

test('labels at the end of an axis fit; letters on paper are of nearly 6 pt', async () => {
    const page = await open(report('ends', 'simulate', 'examples/spherical_pendulum.mo', '--stop', '10'),
        {viewport: {width: 360, height: 740}});
    const room = await page.evaluate(() => {
        const {u} = daedal.plots[0], pen = u.ctx, ends = u.axes[0]._splits.map((tick, i) => {
            pen.font = `${12 * uPlot.pxRatio}px system-ui, sans-serif`;
            return u.valToPos(tick, 'x', true) + 0.5 * pen.measureText(u.axes[0]._values[i] || '').width;
        });
        return u.width * uPlot.pxRatio - Math.max(...ends);
    });
    assert.ok(room >= 0, `${-room} px are cut`);
    await page.emulateMedia({media: 'print'});
    await page.setViewportSize({width: 718, height: 1000}); // A4 within margins of 1 cm
    const points = await page.evaluate(() => {
        const svg = document.querySelector('.figs .static svg'), per = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
        return 0.75 * per * parseFloat(getComputedStyle(svg.querySelector('text')).fontSize);
    });
    assert.ok(points > 5.5, `${points} pt`);
});
