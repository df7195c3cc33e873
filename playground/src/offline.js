// Keeps the files of the playground, so that it works without a network. Their names hold what is in them.
const KEPT = "pamela-" + VERSION;

addEventListener("install", event => event.waitUntil(caches.open(KEPT).then(cache => cache.addAll(FILES)).then(() => skipWaiting())));
addEventListener("activate", event => event.waitUntil((async () => {
  for (const key of await caches.keys()) if (key.startsWith("pamela-") && key !== KEPT) await caches.delete(key);
  await clients.claim();
})()));
addEventListener("fetch", event => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  event.respondWith((async () => {
    const cache = await caches.open(KEPT);
    const known = await cache.match(event.request, { ignoreSearch: true });
    // The page itself comes from the network if there is one, so that a new version is seen.
    if (event.request.mode !== "navigate") return known || fetch(event.request);
    return fetch(event.request).catch(() => known || cache.match("./"));
  })());
});
