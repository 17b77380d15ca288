// looks.mjs - screenshots compared with those kept in looks.json: where a page has something, not how each letter is drawn.
//
// A picture is cut into cells of 30 px; a cell is full when its brightness varies. Both pictures must be full at the same
// places, give or take one cell. Letters are squares (font.mjs), so that the fonts of the machine make no difference.
// DAEDAL_KEEP_LOOKS=1 writes looks.json anew.
import assert from 'node:assert/strict';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {blank, source} from './kit.mjs';

const CELL = 30; // px of the page
const VARIES = 40; // of 255: more than shades of a background, less than a thin line
const MOST_OTHERS = 0.015; // part of the cells that may differ
const file = `${source}/tests/web/looks.json`, keep = process.env.DAEDAL_KEEP_LOOKS === '1';

// In the file four cells are a hexadecimal digit.
const packed = (row) => row.match(/.{1,4}/g).map((four) => parseInt(four.padEnd(4, '.').replace(/#/g, '1').replace(/\./g, '0'), 2).toString(16)).join('');
const unpacked = (text, width) => [...text].map((digit) => parseInt(digit, 16).toString(2).padStart(4, '0')).join('')
    .replace(/1/g, '#').replace(/0/g, '.').slice(0, width);
const kept = {};
for (const [name, {width, rows, brightness}] of Object.entries(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {})) {
    kept[name] = {rows: rows.split(' ').map((row) => unpacked(row, width)), brightness};
}

function write() {
    const out = Object.entries(kept).map(([name, {rows, brightness}]) =>
        [name, {width: rows[0].length, brightness, rows: rows.map(packed).join(' ')}]);
    writeFileSync(file, JSON.stringify(Object.fromEntries(out), null, 1) + '\n');
}

// Rows of cells as text, '#' where something is; and the brightness of the whole. scale: pixels of the picture per px.
async function cellsOf(png, scale) {
    const page = await blank();
    const found = await page.evaluate(async ([data, cell, varies]) => {
        const image = new Image();
        image.src = `data:image/png;base64,${data}`;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height), paper = canvas.getContext('2d');
        paper.drawImage(image, 0, 0);
        const {data: pixels, width, height} = paper.getImageData(0, 0, image.width, image.height), rows = [];
        let sum = 0;
        for (let top = 0; top < height; top += cell) {
            let row = '';
            for (let left = 0; left < width; left += cell) {
                let low = 255, high = 0;
                for (let y = top; y < Math.min(top + cell, height); y++) {
                    for (let x = left; x < Math.min(left + cell, width); x++) {
                        const at = 4 * (y * width + x), value = 0.3 * pixels[at] + 0.6 * pixels[at + 1] + 0.1 * pixels[at + 2];
                        low = Math.min(low, value);
                        high = Math.max(high, value);
                        sum += value;
                    }
                }
                row += high - low > varies ? '#' : '.';
            }
            rows.push(row);
        }
        return {rows, brightness: Math.round(sum / (width * height))};
    }, [png.toString('base64'), CELL * scale, VARIES]);
    await page.close();
    return found;
}

const near = (rows, y, x) => [-1, 0, 1].some((dy) => [-1, 0, 1].some((dx) => rows[y + dy]?.[x + dx] === '#'));

// The part of the cells that are full in one picture and far from anything in the other.
export function difference(a, b) {
    let others = 0, count = 0;
    for (let y = 0; y < Math.max(a.length, b.length); y++) {
        for (let x = 0; x < Math.max(a[y]?.length ?? 0, b[y]?.length ?? 0); x++, count++) {
            others += (a[y]?.[x] === '#' && !near(b, y, x)) || (b[y]?.[x] === '#' && !near(a, y, x)) ? 1 : 0;
        }
    }
    return others / count;
}

export async function sameLook(name, png, scale = 1) {
    const found = await cellsOf(png, scale);
    if (keep) {
        kept[name] = found;
        write();
        return;
    }
    assert.ok(kept[name], `${name} has no kept look: DAEDAL_KEEP_LOOKS=1 keeps those of this run`);
    const part = difference(kept[name].rows, found.rows);
    assert.ok(part <= MOST_OTHERS, `${name}: ${(100 * part).toFixed(1)} % of the cells are others:\n${found.rows.join('\n')}`);
    assert.ok(Math.abs(kept[name].brightness - found.brightness) < 25, `${name}: the brightness is ${found.brightness}`);
}

export {cellsOf, kept};
