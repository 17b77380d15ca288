// font.mjs - a font of squares, and a browser that has no other: looks of pages do not depend on the fonts of the machine.
//
// TrueType with two glyphs: nothing, for spaces, and a square, for every other character up to U+2FFFF. All are half an em
// wide. Only the tables that FreeType needs (OpenType specification, "Required tables").
import {mkdirSync, writeFileSync} from 'node:fs';

const EM = 1000, WIDTH = 500, ASCENT = 800, DESCENT = 200;
const be = (size, signed) => (...values) => {
    const bytes = Buffer.alloc(size * values.length);
    values.forEach((v, i) => (signed ? bytes.writeIntBE(v, size * i, size) : bytes.writeUIntBE(v, size * i, size)));
    return bytes;
};
const u8 = be(1), u16 = be(2), u32 = be(4), i16 = be(2, true);
const zeros = (n) => Buffer.alloc(n);
const join = (...parts) => Buffer.concat(parts);

// Format 13 of cmap: all characters of a range have one glyph.
function cmap() {
    const groups = [[0x20, 0x20, 0], [0x21, 0x9f, 1], [0xa0, 0xa0, 0], [0xa1, 0x1fff, 1], [0x2000, 0x200f, 0], [0x2010, 0x2ffff, 1]];
    const table = join(u16(13, 0), u32(16 + 12 * groups.length, 0, groups.length), ...groups.map((g) => u32(...g)));
    return join(u16(0, 1, 3, 10), u32(12), table);
}

function square() {
    const [a, b] = [50, WIDTH - 50], top = 600;
    return join(i16(1, a, 0, b, top), u16(3), u16(0), u8(1, 1, 1, 1), i16(a, 0, b - a, 0), i16(0, top, 0, -top));
}

function names() {
    const list = [[1, 'Square'], [2, 'Regular'], [3, 'Square'], [4, 'Square'], [6, 'Square']];
    const texts = list.map(([, text]) => Buffer.from(text, 'utf16le').swap16());
    let at = 0;
    const records = list.map(([id], i) => {
        const record = u16(3, 1, 0x409, id, texts[i].length, at);
        at += texts[i].length;
        return record;
    });
    return join(u16(0, list.length, 6 + 12 * list.length), ...records, ...texts);
}

function os2() {
    return join(u16(4), i16(WIDTH), u16(400, 5, 0), i16(650, 600, 0, 75, 650, 600, 0, 350, 50, 300, 0), zeros(10), u32(1, 0, 0, 0),
        Buffer.from('none'), u16(0x40, 0x20, 0xffff), i16(ASCENT, -DESCENT, 0), u16(ASCENT, DESCENT), u32(1, 0), i16(400, 600), u16(0, 0x20, 1));
}

export function squareFont() {
    const glyph = square(), even = join(glyph, zeros(glyph.length % 2));
    const tables = {
        'OS/2': os2(), cmap: cmap(), glyf: even,
        head: join(u32(0x10000, 0x10000, 0, 0x5f0f3cf5), u16(3, EM), zeros(16), i16(0, 0, WIDTH, 600), u16(0, 8), i16(2, 0, 0)),
        hhea: join(u32(0x10000), i16(ASCENT, -DESCENT, 0), u16(WIDTH), i16(0, 0, WIDTH, 1, 0, 0, 0, 0, 0, 0, 0), u16(2)),
        hmtx: join(u16(WIDTH), i16(0), u16(WIDTH), i16(50)),
        loca: u16(0, 0, even.length / 2),
        maxp: join(u32(0x10000), u16(2, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0)),
        name: names(), post: join(u32(0x30000, 0), i16(-100, 50), u32(1, 0, 0, 0, 0)),
    };
    const entries = Object.entries(tables);
    let at = 12 + 16 * entries.length;
    const directory = [], bodies = [];
    for (const [tag, body] of entries) {
        directory.push(join(Buffer.from(tag), u32(0, at, body.length)));
        bodies.push(body, zeros((4 - body.length % 4) % 4));
        at += body.length + (4 - body.length % 4) % 4;
    }
    const power = 2 ** Math.floor(Math.log2(entries.length));
    return join(u32(0x10000), u16(entries.length, 16 * power, Math.log2(power), 16 * (entries.length - power)), ...directory, ...bodies);
}

// Writes the font and a configuration of fontconfig that has nothing else; returns the environment of a browser.
export function fontEnvironment(folder) {
    mkdirSync(`${folder}/fonts`, {recursive: true});
    writeFileSync(`${folder}/fonts/square.ttf`, squareFont());
    writeFileSync(`${folder}/fonts.conf`, `<?xml version="1.0"?>
<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts</cachedir></fontconfig>
`);
    return {...process.env, FONTCONFIG_FILE: `${folder}/fonts.conf`};
}
