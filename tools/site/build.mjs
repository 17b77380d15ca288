// build.mjs - docs/ as a static site. Usage: node build.mjs SOURCE_FOLDER OUTPUT_FOLDER
//
// contents.json lists the pages in order; a section with "folder" takes the other pages of that folder too, one with
// "generated": "parts" the tables that parts.mjs reads from lib/, one with "api" a link to what Doxygen wrote. Links between pages are followed: one that leads to no
// page, file or heading is an error, and so is a page of docs/ that no section lists.

import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Marked } from "marked";
import { layout } from "./layout.mjs";
import { escape, highlight } from "./modelica.mjs";
import { partPages } from "./parts.mjs";

const [source, output] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const errors = [];

// ---- which pages there are ----

const outName = (path) => (path === "README.md" ? "index.html" : path.replace(/README\.md$/, "index.md").replace(/^docs\//, "").replace(/\.md$/, ".html"));

function titleOf(text) {
  return (/^# (.*)$/m.exec(text)?.[1] ?? "untitled").replaceAll("`", "");
}

function filePage(path) {
  const text = readFileSync(join(source, path), "utf8");
  return { path, text, out: outName(path), title: titleOf(text) };
}

function pagesOfFolder(folder, listed) {
  return readdirSync(join(source, folder)).filter((name) => name.endsWith(".md")).sort()
    .map((name) => `${folder}/${name}`).filter((path) => !listed.has(path));
}

function readSections() {
  const sections = JSON.parse(readFileSync(join(here, "contents.json"), "utf8"));
  const listed = new Set(sections.flatMap((s) => s.pages));
  return sections.map((s) => {
    const paths = [...s.pages, ...(s.folder ? pagesOfFolder(s.folder, listed) : [])];
    const generated = s.generated === "parts" ? partPages(join(source, "lib")) : [];
    const made = generated.map((g) => ({ path: `docs/${g.name}.md`, text: g.text, out: `${g.name}.html`, title: g.title }));
    const api = s.api && existsSync(join(output, "api/index.html")) ? [{ out: "api/files.html", title: "From the headers" }] : [];
    return { title: s.title, pages: [...paths.map(filePage), ...made, ...api] };
  });
}

function checkListed(pages) {
  const known = new Set(pages.map((p) => p.path));
  for (const folder of ["docs", ...readdirSync(join(source, "docs")).map((n) => `docs/${n}`).filter((p) => statSync(join(source, p)).isDirectory())]) {
    for (const path of pagesOfFolder(folder, known)) errors.push(`${path}: no section of contents.json lists it`);
  }
}

// ---- one page ----

// The anchors that GitHub gives to headings, so that links work in both places.
function anchor(text, used) {
  const base = text.toLowerCase().replace(/<[^>]*>/g, "").replace(/&[a-z]+;/g, "").replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");
  const n = used.get(base) ?? 0;
  used.set(base, n + 1);
  return n === 0 ? base : `${base}-${n}`;
}

// A link of a page: to another page, to a file that is copied beside it, or out of the site.
function follow(page, href, wanted) {
  if (/^[a-z]+:/.test(href)) return href;
  const [target, hash] = href.split("#");
  const path = target === "" ? page.path : normalize(join(dirname(page.path), target));
  const other = wanted.pages.find((p) => p.path === path || p.path === join(path, "README.md"));
  if (other) {
    if (hash) wanted.anchors.push({ from: page, to: other, hash });
    return relative(dirname(page.out) || ".", other.out) + (hash ? `#${hash}` : "");
  }
  if (!existsSync(join(source, path))) {
    errors.push(`${page.path}: ${href} is not there`);
    return href;
  }
  if (statSync(join(source, path)).isDirectory()) return escape(href);
  const out = path.replace(/^docs\//, "");
  wanted.files.set(path, out);
  return relative(dirname(page.out) || ".", out);
}

function render(page, wanted) {
  const used = new Map();
  const headings = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens);
        const id = anchor(html, used);
        headings.push({ level: depth, id, html });
        return `<h${depth} id="${id}">${html}</h${depth}>\n`;
      },
      code({ text, lang }) {
        const shown = lang === "modelica" ? highlight(text) : escape(text).replace(/^(\$ .*)$/gm, '<span class="command">$1</span>');
        return `<pre tabindex="0"><code>${shown}</code></pre>\n`;
      },
      table(token) {
        const cells = (row, tag) => row.map((c) => `<${tag}>${this.parser.parseInline(c.tokens)}</${tag}>`).join("");
        const rows = token.rows.map((r) => `<tr>${cells(r, "td")}</tr>`).join("\n");
        return `<div class="table" tabindex="0"><table><thead><tr>${cells(token.header, "th")}</tr></thead><tbody>${rows}</tbody></table></div>\n`;
      },
      link({ href, tokens }) {
        return `<a href="${escape(follow(page, href, wanted))}">${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text }) {
        return `<img src="${escape(follow(page, href, wanted))}" alt="${escape(text)}" loading="lazy">`;
      },
      html({ text }) {
        return text.replace(/(src|href)="([^"]+)"/g, (whole, name, href) => `${name}="${escape(follow(page, href, wanted))}"`);
      },
    },
  });
  const content = marked.parse(page.text);
  page.ids = new Set(headings.map((h) => h.id));
  return { content, headings };
}

function write(path, text) {
  mkdirSync(dirname(join(output, path)), { recursive: true });
  writeFileSync(join(output, path), text);
}

// ---- the site ----

const sections = readSections();
const pages = sections.flatMap((s) => s.pages);
const wanted = { pages, files: new Map(), anchors: [] };
checkListed(pages);
for (const page of pages.filter((p) => p.text)) write(page.out, layout({ sections, pages, page, ...render(page, wanted) }));
for (const { from, to, hash } of wanted.anchors) {
  if (!to.ids.has(hash)) errors.push(`${from.path}: ${to.path} has no heading #${hash}`);
}
for (const [path, out] of wanted.files) {
  mkdirSync(dirname(join(output, out)), { recursive: true });
  copyFileSync(join(source, path), join(output, out));
}
copyFileSync(join(here, "style.css"), join(output, "style.css"));
if (errors.length) {
  console.error(errors.join("\n"));
  process.exit(1);
}
console.log(`${pages.length} pages, ${wanted.files.size} files in ${output}`);
