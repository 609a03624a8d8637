// The lists that were read last, and checks that are made while Belfry cannot be reached.

const open = () =>
  new Promise((done, fail) => {
    const request = indexedDB.open("belfry", 1)
    request.onupgradeneeded = () =>
      request.result.createObjectStore("checks", { autoIncrement: true })
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
  await checks("readwrite", (store) => store.add({ session, id, word, key: crypto.randomUUID() }))
  const row = $("#i" + id)
  if (row) strike(row, id, word)
  else {$(`form[action="${path}"] button`, main)?.setAttribute(
      "formaction",
      path.replace(word, word == "check" ? "uncheck" : "check"),
    )}
  keepPage()
  tell("Belfry cannot be reached. This is kept, and sent later.")
}

// The key stays with a check until a reply came: sent twice, it counts once.
const sendKept = () =>
  navigator.locks.request("belfry-checks", async () => {
    if (!await opened) return
    let sent = 0
    for (const place of await checks("readonly", (store) => store.getAllKeys())) {
      const check = await checks("readonly", (store) => store.get(place))
      if (check.session == session) {
        const reply = await fetch(`/api/v1/items/${check.id}/${check.word}`, {
          method: "POST",
          headers: { "Idempotency-Key": check.key },
        }).catch(() => null)
        if (
          !reply || reply.status == 401 || reply.status >= 500 || reply.headers.has("Retry-After")
        ) return
        if (reply.ok) sent++
        else {tell(
            `Item ${check.id} could not be changed: ${(await reply.json()).detail}.`,
            "fault",
          )}
      }
      await checks("readwrite", (store) => store.delete(place))
    }
    if (!sent) return
    tell(
      sent == 1
        ? "The change that was kept was sent."
        : `The ${sent} changes that were kept were sent.`,
    )
    refresh()
  })
addEventListener("online", sendKept)

const shelf = "belfry-" + session
let keeping
// Not while somebody waits for what they pressed, and not once the session has ended, which takes the copies away.
function keepPage() {
  clearTimeout(keeping)
  keeping = setTimeout(async () => await caches.has(shelf) && keepNow(), 1000)
}

async function keepNow() {
  if (
    isOver || !session || !navigator.serviceWorker ||
    !/^\/(lists(\/\d+)?|items\/\d+|agenda)?$/.test(here)
  ) return
  const copy = document.documentElement.cloneNode(true)
  for (const made of all("[data-made], .notice, .fault", copy)) made.remove()
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "POLICY",
  }
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
    navigator.serviceWorker.controller || active.postMessage("claim")
  )
  for (const name of await caches.keys()) if (name != shelf) await caches.delete(name)
  keepNow()
}
