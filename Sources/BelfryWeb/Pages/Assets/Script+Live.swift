extension AssetRoutes {
  // One tab holds the stream of changes, and tells the others.
  static let live = #"""
    const tags = new Map
    let isBusy = false, isStale = false, isOver = false

    async function refresh() {
      if (document.hidden || isBusy) return isStale = true
      isBusy = true
      do {
        isStale = false
        try {
          for (const part of all("[data-live]")) if (!part.closest("form")) await renew(part)
        } catch {}
      } while (isStale)
      isBusy = false
      keepPage()
    }

    async function renew(part) {
      const headers = { Fragment: part.id, Accept: "text/html" }
      if (tags.has(part.id)) headers["If-None-Match"] = tags.get(part.id)
      const reply = await fetch(here, { headers, cache: "no-store" })
      if (reply.status == 401) return leave()
      if (reply.status == 404) return tell("This is no longer there.", "faults")
      if (!reply.ok) return
      tags.set(part.id, reply.headers.get("ETag"))
      const fresh = new DOMParser().parseFromString(await reply.text(), "text/html").body.firstElementChild
      if (!fresh || part.isEqualNode(fresh)) return
      const before = texts(part)
      const after = texts(fresh)
      update(part, fresh)
      const added = [...after].filter(([id]) => !before.has(id)).map(([, text]) => text + " was added")
      const gone = [...before].filter(([id]) => !after.has(id)).map(([, text]) => text + " is no longer shown")
      say([...added, ...gone].slice(0, 3).join(". ") || "This page was brought up to date")
    }

    // The session has ended, perhaps in another tab: this page keeps no copy of itself from now on.
    function leave() {
      isOver = true
      location.reload()
    }

    const texts = part => new Map(all("li[id] .brief", part).map(link => [link.id, link.textContent]))

    const tabs = new BroadcastChannel("belfry")
    tabs.onmessage = refresh
    addEventListener("visibilitychange", () => document.hidden || (isStale && refresh()))

    function listen() {
      navigator.locks.request("belfry-events", () => new Promise(end => {
        const source = new EventSource("/api/v1/events")
        const changed = () => { tabs.postMessage(""); refresh() }
        source.addEventListener("change", changed)
        source.addEventListener("reset", changed)
        source.onopen = () => { changed(); sendKept() }
        source.onerror = () => {
          if (source.readyState != EventSource.CLOSED) return
          refresh()
          setTimeout(() => { end(); listen() }, 5000)
        }
      }))
    }

    """#

  // The lists that were read last, and checks that are made while Belfry cannot be reached.
  static let offline = #"""
    const open = () => new Promise((done, fail) => {
      const request = indexedDB.open("belfry", 1)
      request.onupgradeneeded = () => request.result.createObjectStore("checks", { autoIncrement: true })
      request.onsuccess = () => done(request.result)
      request.onerror = fail
    })
    const opened = open().catch(() => null)

    async function checks(mode, act) {
      const db = await opened
      return new Promise((done, fail) => {
        const request = act(db.transaction("checks", mode).objectStore("checks"))
        request.onsuccess = () => done(request.result)
        request.onerror = fail
      })
    }

    async function keepCheck(path) {
      const [, id, word] = isCheck(path)
      await checks("readwrite", store => store.add({ session, id, word, key: crypto.randomUUID() }))
      const row = $("#i" + id)
      row?.classList.toggle("done", word == "check")
      const box = $(row ? ".check" : `form[action="${path}"] button`, row ?? main)
      const other = word == "check" ? "uncheck" : "check"
      box?.setAttribute("formaction", `/items/${id}/${other}`)
      if (row) box?.setAttribute("aria-labelledby", `say-${other} t${id}`)
      keepPage()
      tell("Belfry cannot be reached. This is kept, and sent later.")
    }

    // The key stays with a check until a reply came: sent twice, it counts once.
    const sendKept = () => navigator.locks.request("belfry-checks", async () => {
      if (!await opened) return
      let sent = 0
      for (const place of await checks("readonly", store => store.getAllKeys())) {
        const check = await checks("readonly", store => store.get(place))
        if (check.session == session) {
          const reply = await fetch(`/api/v1/items/${check.id}/${check.word}`, {
            method: "POST", headers: { "Idempotency-Key": check.key } }).catch(() => null)
          if (!reply || reply.status == 401 || reply.status >= 500 || reply.headers.has("Retry-After")) return
          if (reply.ok) sent++
          else tell(`Item ${check.id} could not be changed: ${(await reply.json()).detail}.`, "faults")
        }
        await checks("readwrite", store => store.delete(place))
      }
      if (!sent) return
      tell(sent == 1 ? "The change that was kept was sent." : `The ${sent} changes that were kept were sent.`)
      refresh()
    })
    addEventListener("online", sendKept)

    const shelf = "belfry-" + session
    async function keepPage() {
      if (isOver || !session || !navigator.serviceWorker || !/^\/(lists\/\d+)?$/.test(here)) return
      const copy = document.documentElement.cloneNode(true)
      for (const made of all("[data-made], .notice, .faults", copy)) made.remove()
      const headers = { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": "POLICY" }
      const cache = await caches.open(shelf)
      await cache.put(here, new Response("<!doctype html>" + copy.outerHTML, { headers }))
      for (const file of all("link[href], script[src]", document.head)) {
        const path = file.href || file.src
        if (!await cache.match(path)) await cache.add(path)
      }
    }

    async function keep() {
      if (!session || !navigator.serviceWorker) return
      navigator.serviceWorker.register("/worker.js")
      // A page that was on its way when the worker started is not its own yet.
      navigator.serviceWorker.ready.then(({ active }) =>
        navigator.serviceWorker.controller || active.postMessage("claim"))
      for (const name of await caches.keys()) if (name != shelf) await caches.delete(name)
      keepPage()
    }

    """#.replacing("POLICY", with: ReplyRules.policy)

  // Only where nothing else replies: everything that is read comes from the server.
  static let workerText = #"""
    addEventListener("install", () => skipWaiting())
    for (const name of ["activate", "message"])
      addEventListener(name, event => event.waitUntil(clients.claim()))
    addEventListener("fetch", event => {
      const { request } = event
      const { pathname, search, origin } = new URL(request.url)
      if (request.method != "GET" || origin != location.origin) return
      if (request.mode == "navigate") event.respondWith(fetch(request).catch(() => kept(pathname, search)))
      else if (/^\/(style|script|icon|app)-/.test(pathname))
        event.respondWith(caches.match(request).then(file => file ?? fetch(request)))
    })

    async function kept(path, query) {
      const page = await caches.match(path + query)
      if (page) return page
      return path != "/" && await caches.match("/") ? Response.redirect("/") : Response.error()
    }

    """#
}
