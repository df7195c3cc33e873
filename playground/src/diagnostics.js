// Errors of the compiler, whose places are bytes, for the editor, whose places are units of UTF-16.

export function places(text) {
  const bytes = new TextEncoder().encode(text), decoder = new TextDecoder();
  return byte => decoder.decode(bytes.subarray(0, byte)).length;
}

export function diagnostics(text, found, file) {
  const at = places(text);
  return found.map(own => {
    const place = own.place && own.place.file === file ? own.place : null;
    const from = place ? at(place.start_byte) : 0, to = place ? at(place.end_byte) : 0;
    const also = (own.related || []).map(one => `\n${one.place.file}:${one.place.line}: ${one.label}`);
    const edits = (own.edits || []).filter(edit => edit.place.file === file);
    const title = edits.length !== 1 ? "correct it" : edits[0].text === "" ? "remove it" :
      edits[0].place.start_byte === edits[0].place.end_byte ? `insert ${edits[0].text}` : `change to ${edits[0].text}`;
    return {
      from, to: Math.max(from, to), severity: own.severity === "error" ? "error" : own.severity === "warning" ? "warning" : "info",
      source: own.code,
      message: (place || !own.place ? "" : `${own.place.file}:${own.place.line}: `) + own.message + (own.label ? `\n${own.label}` : "") +
        also.join("") + (own.hint ? `\n${own.hint}` : ""),
      actions: edits.length === 0 ? [] : [{
        name: title,
        apply: view => view.dispatch({ changes: edits.map(edit => ({ from: at(edit.place.start_byte), to: at(edit.place.end_byte), insert: edit.text })) }),
      }],
    };
  });
}
