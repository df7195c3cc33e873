// Colours and completion, by the words that the compiler knows.
import { StreamLanguage, LanguageSupport } from "@codemirror/language";
import { completeFromList, snippetCompletion } from "@codemirror/autocomplete";

export function language(words) {
  const kinds = new Map();
  for (const word of words.contextual) kinds.set(word, "modifier");
  for (const word of words.predefined) kinds.set(word.name, "function");
  for (const word of words.reserved) kinds.set(word, "keyword");
  const parser = StreamLanguage.define({
    name: "pamela",
    token(stream) {
      if (stream.eatSpace()) return null;
      if (stream.match(/%.*/)) return "comment";
      if (stream.match(/"[^"]*"?/)) return "string";
      if (stream.match(/[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/)) return "number";
      const word = stream.match(/[A-Za-z_][A-Za-z0-9_]*/);
      if (word) {
        const kind = kinds.get(word[0]);
        const calls = stream.match(/\s*\(/, false);
        return kind === "function" ? (calls ? "function" : "variable") : kind || "variable";
      }
      if (stream.match(/[-+*/^=<>!&|]+/)) return "operator";
      stream.next();
      return null;
    },
    tokenTable: {},
    languageData: { commentTokens: { line: "%" }, closeBrackets: { brackets: ["(", "[", "{"] } },
  });
  const list = completeFromList([
    ...words.reserved.map(label => ({ label, type: "keyword" })),
    ...words.contextual.map(label => ({ label, type: "keyword" })),
    ...words.predefined.map(word => snippetCompletion(
      word.signature.replace(/([(, ])([A-Za-z_]+)(?=[,)])/g, "$1$${$2}"),
      { label: word.name, detail: word.signature, info: word.says, type: "function" })),
  ]);
  const names = context => {
    const word = context.matchBefore(/[A-Za-z_][A-Za-z0-9_]*/);
    if (!word || /%[^\n]*$/.test(context.state.sliceDoc(context.state.doc.lineAt(context.pos).from, context.pos))) return null;
    const text = context.state.doc.toString().replace(/%.*/g, "");
    const own = [...new Set(text.match(/[A-Za-z_][A-Za-z0-9_]*/g) || [])].filter(name => !kinds.has(name) && name !== word.text);
    const known = list(context) || { options: [] };
    return { from: word.from, options: [...own.map(label => ({ label, type: "variable", boost: 1 })), ...known.options], validFor: /^\w*$/ };
  };
  return new LanguageSupport(parser, parser.data.of({ autocomplete: names }));
}
