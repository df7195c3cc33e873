// A model as the fragment of an address, which reaches no server.

async function through(stream, bytes) {
  const result = new Response(new Blob([bytes]).stream().pipeThrough(stream));
  return new Uint8Array(await result.arrayBuffer());
}

const MOST_TEXT = 256 * 1024;

export async function fragment({ text, name, at }) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  const code = btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(""));
  const parts = ["m=" + code.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")];
  if (name) parts.push("n=" + encodeURIComponent(name));
  const places = Object.entries(at || {}).map(([parameter, value]) => `${encodeURIComponent(parameter)}:${value}`);
  if (places.length) parts.push("at=" + places.join(","));
  return "#" + parts.join("&");
}

// The shared model, or null if the fragment holds none.
export async function shared(hash) {
  const parts = new Map(hash.replace(/^#/, "").split("&").map(part => {
    const [key, ...rest] = part.split("=");
    return [key, rest.join("=")];
  }));
  if (!parts.get("m")) return null;
  try {
    const code = atob(parts.get("m").replaceAll("-", "+").replaceAll("_", "/"));
    const reader = new Blob([Uint8Array.from(code, c => c.charCodeAt(0))]).stream()
      .pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    // A short link may hold a long text: it is read only as far as a model may go.
    const pieces = [];
    let length = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.length;
      if (length > MOST_TEXT) return { error: "The shared model is longer than 256 kB." };
      pieces.push(value);
    }
    const text = await new Blob(pieces).text();
    const at = {};
    for (const place of (parts.get("at") || "").split(",")) {
      const [parameter, value] = place.split(":");
      if (parameter && Number.isFinite(Number(value))) at[decodeURIComponent(parameter)] = Number(value);
    }
    return { text, name: decodeURIComponent(parts.get("n") || ""), at };
  } catch {
    return { error: "The link is damaged: it holds no model." };
  }
}
