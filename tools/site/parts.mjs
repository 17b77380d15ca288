// parts.mjs - tables of the model libraries, read from the sources in lib/: every class with its description, what it
// extends, its connectors, parameters and variables with units. Only declarations are read; equations are passed over.

import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const classWords = /^(?:encapsulated\s+|partial\s+|expandable\s+|pure\s+|operator\s+)*(package|model|block|connector|record|function|type|class)\s+([A-Za-z_]\w*)/;
const declaration = /^((?:(?:parameter|constant|input|output|flow|stream|final|discrete|inner|outer|replaceable)\s+)*)([A-Za-z_][\w.]*)\s*(\[[^\]]*\])?\s+([A-Za-z_]\w*[\s\S]*)$/;

// The text cut into statements: ends at ";" outside of strings, comments and brackets, and at the words that open
// sections, which have no ";".
export function statements(text) {
  const out = [];
  let current = "";
  let depth = 0;
  for (const [piece] of text.matchAll(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\]|\\.)*"|[\s\S]/g)) {
    if (piece.startsWith("//") || piece.startsWith("/*")) continue;
    if (piece === ";" && depth === 0) {
      out.push(current.trim());
      current = "";
      continue;
    }
    if ("([{".includes(piece)) depth++;
    if (")]}".includes(piece)) depth--;
    current += piece;
  }
  return out;
}

// Parts of a list at commas outside of brackets and strings.
export function split(text) {
  const out = [""];
  let depth = 0;
  for (const [piece] of text.matchAll(/"(?:[^"\\]|\\.)*"|[\s\S]/g)) {
    if ("([{".includes(piece)) depth++;
    if (")]}".includes(piece)) depth--;
    if (piece === "," && depth === 0) out.push("");
    else out[out.length - 1] += piece;
  }
  return out.map((part) => part.trim());
}

// NAME [dims] (modification) = value "description" of one component.
export function component(text) {
  const head = /^([A-Za-z_]\w*)\s*(\[[^\]]*\])?\s*/.exec(text);
  if (!head) return null;
  let rest = text.slice(head[0].length);
  let modification = "";
  if (rest.startsWith("(")) {
    let depth = 0;
    let end = 0;
    do {
      if (rest[end] === "(") depth++;
      if (rest[end] === ")") depth--;
      end++;
    } while (depth > 0 && end < rest.length);
    modification = rest.slice(1, end - 1);
    rest = rest.slice(end);
  }
  const doc = /"((?:[^"\\]|\\.)*)"\s*(?:annotation[\s\S]*)?$/.exec(rest);
  const value = /^\s*:?=\s*([\s\S]*)$/.exec(doc ? rest.slice(0, doc.index) : rest.replace(/annotation[\s\S]*$/, ""));
  const attribute = (name) => new RegExp(`\\b${name}\\s*=\\s*("[^"]*"|[^,]+)`).exec(modification)?.[1].replace(/^"|"$/g, "") ?? "";
  return { name: head[1] + (head[2] ?? ""), value: value ? value[1].trim() : "",
    unit: attribute("unit"), doc: doc ? doc[1] : "" };
}

function newClass(kind, name, path, partial) {
  return { kind, name, path, partial, doc: "", extends: [], parameters: [], connectors: [], variables: [], inputs: [], outputs: [],
    classes: [] };
}

// One declaration statement added to the lists of its class. A description behind the last name of a list is for all.
function addDeclaration(into, text) {
  const match = declaration.exec(text);
  if (!match) return;
  const prefix = match[1];
  const parts = split(match[4]).map(component).filter(Boolean);
  const shared = parts.at(-1)?.doc ?? "";
  for (const part of parts) {
    const entry = { ...part, type: match[2] + (match[3] ?? ""), doc: part.doc || shared };
    if (/parameter|constant/.test(prefix)) into.parameters.push(entry);
    else if (/input/.test(prefix)) into.inputs.push(entry);
    else if (/output/.test(prefix)) into.outputs.push(entry);
    else if (/^(Real|Integer|Boolean|Modelica\.|SI\.|Units\.)/.test(match[2])) into.variables.push({ ...entry, flow: /flow/.test(prefix) });
    else into.connectors.push(entry);
  }
}

// The classes of one file, as a tree.
export function parse(text, path) {
  const root = newClass("package", "", path, false);
  const stack = [root];
  let declaring = true;
  for (let statement of statements(text)) {
    // a statement may begin with the word of a section or the head of a class (several of them)
    for (;;) {
      const section = /^(initial\s+equation|initial\s+algorithm|equation|algorithm|public|protected)\b/.exec(statement);
      const head = classWords.exec(statement);
      if (section) {
        declaring = section[1] === "public";
        statement = statement.slice(section[0].length).trim();
      } else if (head && !new RegExp(`^\\s*=`).test(statement.slice(head[0].length))) {
        const made = newClass(head[1], head[2], [...stack.slice(1).map((c) => c.name), head[2]].join("."), /\bpartial\b/.test(head[0]));
        stack.at(-1).classes.push(made);
        stack.push(made);
        declaring = true;
        statement = statement.slice(head[0].length).trim();
        const doc = /^"((?:[^"\\]|\\.)*)"/.exec(statement);
        if (doc) {
          made.doc = doc[1];
          statement = statement.slice(doc[0].length).trim();
        }
      } else break;
    }
    if (/^end\s+(?!for$|if$|when$|while$)[A-Za-z_]\w*$/.test(statement)) {
      stack.pop();
      declaring = true;
    } else if (/^extends\b/.test(statement)) stack.at(-1).extends.push(statement.replace(/^extends\s+/, "").replace(/\s+/g, " "));
    else if (declaring && statement && !/^(within|import|annotation|end|connect|assert|for|if|when|type|function)\b/.test(statement)) {
      addDeclaration(stack.at(-1), statement);
    }
  }
  return root.classes;
}

function files(folder) {
  return readdirSync(folder).sort().flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return files(path);
    return name.endsWith(".mo") ? [path] : [];
  });
}

function table(title, head, rows) {
  if (rows.length === 0) return "";
  const line = (cells) => `| ${cells.map((c) => c.replaceAll("|", "\\|").replace(/\s+/g, " ")).join(" | ")} |`;
  return `\n*${title}*\n\n${[line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n")}\n`;
}

const code = (text) => (text ? `\`${text}\`` : "");

function classText(c, level) {
  const lists = [
    table("Parameters", ["name", "unit", "default", "meaning"], c.parameters.map((p) => [code(p.name), p.unit, code(p.value), p.doc])),
    table("Inputs", ["name", "type", "unit", "meaning"], c.inputs.map((p) => [code(p.name), p.type, p.unit, p.doc])),
    table("Outputs", ["name", "type", "unit", "meaning"], c.outputs.map((p) => [code(p.name), p.type, p.unit, p.doc])),
    table("Connectors and components", ["name", "type", "meaning"], c.connectors.map((p) => [code(p.name), code(p.type), p.doc])),
    table("Variables", ["name", "unit", "meaning"], c.variables.map((p) => [code(p.name) + (p.flow ? " (flow)" : ""), p.unit, p.doc])),
  ].join("");
  const what = `${c.partial ? "partial " : ""}${c.kind}`;
  const base = c.extends.length ? ` (extends ${c.extends.map(code).join(", ")})` : "";
  const head = `\n${"#".repeat(Math.min(level, 4))} ${c.path}\n\n*${what}*${base}${c.doc ? `: ${c.doc}` : ""}\n`;
  return head + lists + c.classes.map((k) => classText(k, level + 1)).join("");
}

// One Markdown page for each file of a library: { title, name, text }.
export function partPages(lib) {
  return files(lib).flatMap((path) => {
    const text = readFileSync(path, "utf8");
    const within = /^\s*within\s+([\w.]*)\s*;/.exec(text)?.[1] ?? "";
    return parse(text, path).filter((c) => c.classes.length || c.parameters.length || c.variables.length).map((c) => {
      const title = within ? `${within}.${c.name}` : c.name;
      const own = classText({ ...c, path: c.name, classes: [] }, 9).replace(/^\n#+ .*\n/, "");
      const body = c.classes.map((k) => classText(k, 2)).join("");
      return { title, name: `parts-${title.replaceAll(".", "-")}`, text: `# ${title}\n${own}${body}` };
    });
  });
}
