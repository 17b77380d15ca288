// kit.mjs - a browser, pages made by daedal, and what went wrong in them.
import {execFileSync} from 'node:child_process';
import {after} from 'node:test';
import {chromium} from 'playwright-core';
import {fontEnvironment} from './font.mjs';

const launch = (env) => chromium.launch({executablePath: process.env.BROWSER, args: ['--no-sandbox'], ...(env ? {env} : {})});
const browser = await launch(), squares = await launch(fontEnvironment(process.cwd())); // the second one has a font of squares only
after(() => Promise.all([browser.close(), squares.close()]));

export const source = process.env.DAEDAL_SOURCE;

export const blank = () => browser.newPage();

// Runs daedal VERB ARGS --report NAME.html; returns the address of the page.
export function report(name, ...args) {
    const file = `${process.cwd()}/${name}.html`;
    execFileSync(process.env.DAEDAL, [...args, '--report', file], {stdio: 'pipe', cwd: source});
    return `file://${file}`;
}

// plots: wait for the first one. A page that remembers errors: of scripts, of the console (also what its policy refuses).
export const open = (address, options, plots) => openIn(browser, address, options, plots);
// The same in a browser whose only font is that of font.mjs: for looks that are compared.
export const openInSquares = (address, options, plots) => openIn(squares, address, options, plots);

async function openIn(where, address, options = {}, plots = true) {
    const context = await where.newContext({viewport: {width: 1200, height: 1700}, reducedMotion: 'reduce', ...options});
    const page = await context.newPage();
    page.problems = [];
    page.on('pageerror', (error) => page.problems.push(error.message));
    page.on('console', (message) => {
        const ofDriver = message.text().includes('GL Driver Message'); // speed of the software renderer, not our doing
        if (['error', 'warning'].includes(message.type()) && !ofDriver) {
            page.problems.push(message.text());
        }
    });
    await page.goto(address);
    if (plots && options.javaScriptEnabled !== false) {
        await page.waitForFunction(() => !document.querySelector('figure[data-plot]') || (daedal.plots.length > 0 && daedal.plots[0].u));
    }
    return page;
}

// Runs check() until it holds: pages answer the pointer with the next picture, and a busy machine draws it late.
const PATIENCE = 20000, PAUSE = 50; // ms
export async function eventually(check) {
    for (const end = performance.now() + PATIENCE;;) {
        try {
            return await check();
        } catch (problem) {
            if (performance.now() > end) {
                throw problem;
            }
            await new Promise((done) => setTimeout(done, PAUSE));
        }
    }
}

// The middle of the frame of plot k, and its size.
export async function frame(page, k = 0) {
    const over = page.locator('figure[data-plot] .u-over').nth(k);
    await over.scrollIntoViewIfNeeded(); // an animation may stand above it
    return over.boundingBox();
}

export const rangeOf = (page, k = 0) => page.evaluate((i) => {
    const {min, max} = daedal.plots[i].u.scales.x;
    return [min, max];
}, k);
