// Pages come from the server, and from the copies only if it cannot be reached; style, scripts and icons the other way
// round.

addEventListener("install", () => skipWaiting())
for (const name of ["activate", "message"]) {
  addEventListener(name, (event) => event.waitUntil(clients.claim()))
}
addEventListener("fetch", (event) => {
  const { request } = event
  const { pathname, search, origin } = new URL(request.url)
  if (request.method != "GET" || origin != location.origin) return
  if (request.mode == "navigate") {
    event.respondWith(fetch(request).catch(() => kept(pathname, search)))
  } else if (/^\/(style|script|icon|app)-/.test(pathname)) {
    event.respondWith(caches.match(request).then((file) => file ?? fetch(request)))
  }
})

async function kept(path, query) {
  const page = await caches.match(path + query)
  if (page) return page
  return path != "/" && await caches.match("/") ? Response.redirect("/#not-kept") : Response.error()
}
