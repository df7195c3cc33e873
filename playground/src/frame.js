// The page of a model in a frame of its own, which can reach neither this page nor the network.

// The editor shows the model already; here its closed forms come first.
const STYLE = "main { display: flex; flex-direction: column } #closed-forms { order: -1 } #model-text { display: none } body { padding-top: 0.5rem }";
const PAGE_POLICY = nonce => `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'unsafe-inline'; img-src data:`;

export class Frame {
  // `moved` is called with the places of the sliders when one of them moves.
  constructor(place, nonce, moved) {
    this.place = place;
    this.nonce = nonce;
    this.moved = moved;
    this.at = {};
    this.scroll = 0;
    this.shown = null;
    addEventListener("message", event => {
      if (!this.shown || event.source !== this.shown.contentWindow || !event.data || event.data.pamela !== "moved") return;
      this.scroll = Number(event.data.scroll) || 0;
      const entries = Object.entries(event.data.at || {}).filter(([, value]) => Number.isFinite(value));
      Object.assign(this.at, Object.fromEntries(entries));
      this.moved(this.at);
    });
  }

  // The old page stays until the new one is there.
  show(html) {
    const frame = document.createElement("iframe");
    frame.sandbox = "allow-scripts";
    frame.title = "Closed forms, values and pictures";
    frame.className = "coming";
    frame.srcdoc = html.replaceAll("<script>", `<script nonce="${this.nonce}">`)
      .replace("<head>", `<head>\n<meta http-equiv="Content-Security-Policy" content="${PAGE_POLICY(this.nonce)}">`)
      .replace("</head>", `<style>${STYLE}</style>\n</head>`);
    if (this.coming) this.coming.remove();
    this.coming = frame;
    return new Promise(resolve => {
      frame.addEventListener("load", () => {
        if (this.coming !== frame) return resolve(false);
        this.coming = null;
        frame.contentWindow.postMessage({ pamela: "places", at: this.at, scroll: this.scroll }, "*");
        if (this.shown) this.shown.remove();
        this.shown = frame;
        frame.className = "";
        resolve(true);
      });
      this.place.append(frame);
    });
  }
}
