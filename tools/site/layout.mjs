// layout.mjs - one page of the site around its content: navigation, contents of the page, neighbours.

import { escape } from "./modelica.mjs";

// The list of all pages, sections folded but for the one that is open.
function navigation(sections, page, root) {
  const item = (p) => `<li><a href="${root}${p.out}"${p === page ? ' aria-current="page"' : ""}>${escape(p.title)}</a></li>`;
  const section = (s) => `<details${s.pages.includes(page) ? " open" : ""}><summary>${escape(s.title)}</summary><ul>${s.pages.map(item).join("")}</ul></details>`;
  return sections.map(section).join("\n");
}

function onThisPage(headings) {
  const own = headings.filter((h) => h.level === 2);
  if (own.length < 3) return "";
  return `<nav class="toc" aria-label="On this page"><p>On this page</p><ul>${own.map((h) => `<li><a href="#${h.id}">${h.html}</a></li>`).join("")}</ul></nav>`;
}

function neighbours(pages, page, root) {
  const at = pages.indexOf(page);
  const link = (p, word) => (p ? `<a rel="${word}" href="${root}${p.out}">${word === "prev" ? "&larr; " : ""}${escape(p.title)}${word === "next" ? " &rarr;" : ""}</a>` : "<span></span>");
  return `<nav class="neighbours" aria-label="Next and previous page">${link(pages[at - 1], "prev")}${link(pages[at + 1], "next")}</nav>`;
}

export function layout({ sections, pages, page, content, headings }) {
  const root = "../".repeat(page.out.split("/").length - 1);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(page.title)} - Daedal</title>
<link rel="stylesheet" href="${root}style.css">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><a class="name" href="${root}index.html">Daedal</a> <span>differential-algebraic equations: model, analyse, simulate, optimize, control</span></header>
<div class="columns">
<nav class="all" aria-label="All pages">${navigation(sections, page, root)}</nav>
<main id="content">
${onThisPage(headings)}
${content}
${neighbours(pages, page, root)}
</main>
</div>
</body>
</html>
`;
}
