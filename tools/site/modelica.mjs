// modelica.mjs - colours for code blocks: keywords, strings, comments, numbers. Everything else stays as it is.

const keywords = new Set(`algorithm and annotation block connect connector constant constraint der each else elseif
  elsewhen encapsulated end enumeration equation expandable extends external false final flow for function if import in
  initial inner input lagrange loop model not operator optimization or outer output package parameter partial protected
  public pure record redeclare replaceable return stream then true type when while within`.split(/\s+/));

const token = /(\/\/[^\n]*|\/\*[\s\S]*?\*\/)|("(?:[^"\\]|\\.)*")|(\b\d+(?:\.\d+)?(?:[eE][-+]?\d+)?\b)|([A-Za-z_]\w*)|([\s\S])/g;

export function escape(text) {
  return text.replace(/[&<>"']/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[c]);
}

// The text of a model as HTML.
export function highlight(text) {
  const span = (name, part) => `<span class="${name}">${escape(part)}</span>`;
  return text.replace(token, (whole, comment, string, number, word) => {
    if (comment) return span("comment", comment);
    if (string) return span("string", string);
    if (number) return span("number", number);
    if (word && keywords.has(word)) return span("keyword", word);
    return escape(whole);
  });
}
