// A server of a folder on this machine, and a browser.
import { createServer } from "node:http";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import puppeteer from "puppeteer-core";

const kinds = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".json": "application/json" };

export async function served(folder) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    const file = join(folder, path.endsWith("/") ? path + "index.html" : path);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": kinds[extname(file)] || "text/plain", "content-encoding": "gzip" });
    response.end(gzipSync(readFileSync(file)));
  });
  await new Promise(resolve => server.listen(0, "127.0.0.1", resolve));
  return { server, address: `http://127.0.0.1:${server.address().port}/` };
}

// The browser, or null if there is none. CHROMIUM names it.
export async function launched() {
  const executablePath = process.env.CHROMIUM || ["/usr/bin/chromium", "/usr/bin/google-chrome"].find(existsSync);
  if (!executablePath) return null;
  const profile = mkdtempSync(join(tmpdir(), "pamela-browser-"));
  const browser = await puppeteer.launch({
    executablePath, userDataDir: profile, protocolTimeout: 300_000,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  browser.on("disconnected", () => rmSync(profile, { recursive: true, force: true }));
  return browser;
}
