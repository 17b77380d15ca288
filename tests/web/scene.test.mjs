// scene.test.mjs - pages that move: play, scrub, turn, zoom, follow the plots; without WebGL and on paper the film strip.
import assert from 'node:assert/strict';
import {readFile, writeFile} from 'node:fs/promises';
import {test} from 'node:test';
import {eventually, open, report} from './kit.mjs';

const robot = report('robot', 'optimize', 'examples/delta_robot.mop', 'Gentle');
const cart = report('cart', 'simulate', 'examples/cart_pole.mo', '--stop', '2');

// Still, until something is done: no motion by itself.
const still = {reducedMotion: 'reduce'};

async function moving(address, options = still) {
    const page = await open(address, options);
    await page.waitForFunction(() => daedal.scenes && daedal.scenes.length === 1);
    return page;
}

// The scene, smaller, kept in the page under a number; and how many of its numbers are others now.
let kept = 0;

async function keep(page) {
    kept++;
    await page.evaluate((k) => {
        window.look = () => {
            const {canvas} = daedal.scenes[0], copy = document.createElement('canvas');
            copy.width = 400;
            copy.height = 220;
            const paper = copy.getContext('2d', {willReadFrequently: true});
            paper.drawImage(canvas, 0, 0, copy.width, copy.height);
            return paper.getImageData(0, 0, copy.width, copy.height).data;
        };
        window[`kept${k}`] = look();
    }, kept);
    return kept;
}

const changed = (page, before) => page.evaluate((k) => {
    const a = window[`kept${k}`], b = look();
    return a.reduce((count, value, i) => count + (Math.abs(value - b[i]) > 12 ? 1 : 0), 0);
}, before);

// Reading a picture back is slow without a graphics card, and browsers say so.
const problems = (page) => page.problems.filter((text) => !text.includes('ReadPixels'));

const now = (page) => page.evaluate(() => daedal.scenes[0].now);

test('the button plays, and plays no more', async () => {
    const page = await moving(robot);
    assert.equal(await now(page), 0);
    const before = await keep(page);
    await page.getByRole('button', {name: 'play'}).click();
    await page.waitForFunction(() => daedal.scenes[0].now > 0.1);
    await page.getByRole('button', {name: 'pause'}).click();
    assert.ok(await changed(page, before) > 500, 'the robot has moved');
    const at = await now(page);
    await page.waitForTimeout(200);
    assert.equal(await now(page), at);
    assert.deepEqual(problems(page), []);
});

test('it plays by itself for those who do not mind', async () => {
    const page = await moving(robot, {reducedMotion: 'no-preference'});
    await page.waitForFunction(() => daedal.scenes[0].now > 0.02);
    assert.deepEqual(problems(page), []);
});

test('scrubbing, turning, zooming and moving change the picture; reset brings it back', async () => {
    const page = await moving(robot), scrub = page.getByRole('slider', {name: 'time'});
    const first = await keep(page);
    await scrub.fill('500');
    assert.ok(Math.abs(await now(page) - 0.25) < 1e-3);
    assert.ok(await changed(page, first) > 500);
    await scrub.fill('0');
    assert.equal(await changed(page, first), 0);
    const box = await page.locator('.scene canvas').boundingBox(), x = box.x + 0.5 * box.width, y = box.y + 0.3 * box.height;
    for (const button of ['left', 'right']) {
        await page.mouse.move(x, y);
        await page.mouse.down({button});
        await page.mouse.move(x + 90, y + 30, {steps: 4});
        await page.mouse.up({button});
        assert.ok(await changed(page, first) > 500, `dragged with the ${button} button`);
        await page.getByRole('button', {name: 'reset view'}).click();
        assert.equal(await changed(page, first), 0);
    }
    await page.locator('.scene canvas').focus();
    for (const key of ['ArrowLeft', 'ArrowUp', '+', '-']) {
        await page.keyboard.press(key);
    }
    assert.ok(await changed(page, first) > 500);
    await page.keyboard.press('0');
    assert.equal(await changed(page, first), 0);
    assert.deepEqual(problems(page), []);
});

test('positions on the screen are those of the trajectory', async () => {
    const page = await moving(cart);
    const found = await page.evaluate(() => {
        const scene = daedal.scenes[0], bob = scene.spec.shapes.find(({name}) => name === 'bob'), out = [];
        for (const t of [0, 0.7, 1.9]) {
            scene.show(t);
            out.push(scene.spec.motions[0].read(bob.p));
        }
        return out;
    });
    // the pole has the length 0.5 about the cart, which the plane shows as x and z
    assert.ok(found.every(([x, y, z]) => y === 0 && Math.abs(z) <= 0.5 + 1e-6));
    assert.ok(Math.abs(found[0][0] - 0.5 * Math.cos(1.4)) < 1e-6 && Math.abs(found[0][2] - 0.5 * Math.sin(1.4)) < 1e-6);
    assert.deepEqual(problems(page), []);
});

test('the cursor of a plot moves the scene, and the scene the cursors', async () => {
    const page = await moving(cart), plot = page.locator('figure[data-plot] .u-over').first();
    await plot.scrollIntoViewIfNeeded();
    const box = await plot.boundingBox();
    await page.mouse.move(box.x + 0.5 * box.width, box.y + 0.5 * box.height);
    await eventually(async () => assert.ok(Math.abs(await now(page) - 1) < 0.05));
    await page.mouse.move(box.x + 0.5 * box.width, box.y - 60);
    await eventually(async () => {
        const at = await page.evaluate(() => {
            daedal.scenes[0].show(1.5);
            const {u} = daedal.plots[0];
            return u.posToVal(u.cursor.left, 'x');
        });
        assert.ok(Math.abs(at - 1.5) < 0.02);
    });
    assert.deepEqual(problems(page), []);
});

test('without WebGL the film strip stays; on paper it takes the place of the scene', async () => {
    const page = await open(robot, still);
    await page.emulateMedia({media: 'print'});
    assert.ok(await page.locator('.scene svg.film').isVisible() && !await page.locator('.scene .stage').isVisible());
    const html = await readFile(new URL(robot), 'utf8');
    assert.ok(html.includes('<svg class="film"'));
    const bare = await open(robot, {javaScriptEnabled: false});
    assert.ok(await bare.locator('.scene svg.film').isVisible());
    const none = await page.context().newPage();
    await none.addInitScript(() => { HTMLCanvasElement.prototype.getContext = () => null; });
    await none.goto(robot);
    await none.waitForFunction(() => daedal.scenes !== undefined);
    assert.ok(await none.locator('.scene svg.film').isVisible() && await none.locator('.scene .stage').count() === 0);
});

test('a second solution is laid over the first, and can be hidden', async () => {
    const csv = `${process.cwd()}/fast.csv`;
    report('fast', 'simulate', 'examples/cart_pole.mo', '--stop', '2', '--set', 'g=3', '-o', csv);
    const page = await moving(report('both', 'simulate', 'examples/cart_pole.mo', '--stop', '2', '--overlay', csv));
    await page.evaluate(() => daedal.scenes[0].show(1.2));
    const both = await keep(page);
    await page.getByLabel('fast.csv').uncheck();
    assert.ok(await changed(page, both) > 150);
    assert.deepEqual(problems(page), []);
});

test('screenshots: light, dark, phone', async () => {
    for (const [name, options] of [['light', {}], ['dark', {colorScheme: 'dark'}], ['phone', {viewport: {width: 360, height: 740}}]]) {
        const page = await moving(robot, {...still, ...options});
        await page.evaluate(() => daedal.scenes[0].show(0.3));
        await writeFile(`scene-${name}.png`, await page.screenshot());
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${name}: nothing is wider than the window`);
        assert.deepEqual(problems(page), []);
    }
});

test('on a phone and by keys: play, scrub, speed, trails, follow, zoom', async () => {
    const file = `${process.cwd()}/thrown.mo`;
    await writeFile(file, `model Thrown Real x(start = 0, fixed = true), y(start = 0, fixed = true), v(start = 5, fixed = true);
equation der(x) = 2; der(y) = v; der(v) = -9.81;
annotation(Daedal(draw(ball = sphere({x, y}, radius = 0.1), path = trail({x, y}), pull = arrow({x, y}, {0, v}), view(follow = {x, y})))); end Thrown;`);
    const page = await moving(report('thrown', 'simulate', file, '--stop', '1'),
        {...still, viewport: {width: 360, height: 740}, deviceScaleFactor: 2, hasTouch: true, isMobile: true});
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    // fingers
    await page.getByRole('button', {name: 'play'}).tap();
    await page.waitForFunction(() => daedal.scenes[0].now > 0.02);
    await page.getByRole('button', {name: 'pause'}).tap();
    await page.getByRole('slider', {name: 'time'}).fill('500');
    assert.ok(Math.abs(await now(page) - 0.5) < 1e-3);
    const whole = await keep(page);
    await page.getByLabel('trails').uncheck();
    assert.ok(await changed(page, whole) > 20, 'the trail is gone');
    await page.getByLabel('follow').uncheck();
    assert.ok(await changed(page, whole) > 200, 'the ball is no longer in the middle');
    await page.getByLabel('speed').selectOption({index: 0});
    assert.equal(await page.evaluate(() => daedal.scenes[0].speed), await page.getByLabel('speed').evaluate((list) => Number(list.value)));
    // keys
    await page.locator('.scene canvas').focus();
    await page.keyboard.press('End');
    assert.ok(Math.abs(await now(page) - 1) < 1e-6);
    await page.keyboard.press('Home');
    assert.equal(await now(page), 0);
    await page.keyboard.press('.');
    assert.ok(await now(page) > 0);
    const before = await keep(page);
    await page.keyboard.press('+');
    assert.ok(await changed(page, before) > 100, 'plus zooms');
    await page.keyboard.press('Space');
    await page.waitForFunction((t) => daedal.scenes[0].now > t, await now(page));
    await page.keyboard.press('Space');
    assert.deepEqual(problems(page), []);
});
