// Copies of the pages that were read last, for when Belfry cannot be reached.

const shelf = "belfry-" + session
// The time at which the server was last reached: the page is as of then, however late it is kept.
let reached = Date.now()
let keeping
// Delayed, so that no press waits for it; stops once the session has ended, which deletes the copies.
function keepPage() {
  clearTimeout(keeping)
  keeping = setTimeout(async () => {
    if (!await caches.has(shelf)) return
    await keepNow()
    fetchAhead()
  }, 1000)
}

async function keepNow() {
  if (
    isOver || !session || !navigator.serviceWorker ||
    !/^\/(lists(\/\d+)?|items\/\d+|agenda)?(\?view=\w+)?$/.test(here)
  ) return
  const cache = await caches.open(shelf), path = here, time = reached
  const page = "<!doctype html>" + document.documentElement.outerHTML
  await nextTask()
  const copy = copyOf(page, time)
  await nextTask()
  if (isOver) return
  await cache.put(path, copy)
  for (const file of all("link[href], script[src]", document.head)) {
    const path = file.href || file.src
    if (!await cache.match(path)) await cache.add(path)
  }
}

// A page as it is stored, with the number of the change that it shows, and the time at which it came from the server. A
// copy that is changed and kept again retains that time.
function copyOf(page, time) {
  if (!/<main [^>]*data-kept=/.test(page)) {
    page = page.replace("<main ", `<main data-kept="${time}" `)
  }
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "POLICY",
    Change: page.match(/ data-change="(\d*)"/)?.[1] ?? "",
    Kept: page.match(/<main [^>]*data-kept="(\d+)"/)[1],
  }
  return new Response(page, { headers })
}

// True if a copy need not be fetched again yet. Visitors who see only some lists have no numbers of changes.
function isFresh({ headers }) {
  const { change } = main.dataset, kept = Number(headers.get("Kept")), age = Date.now() - kept
  // Words such as "tomorrow" are relative to the day on which the copy was made.
  if (new Date(kept).toDateString() != new Date().toDateString()) return false
  return age < 60_000 || (change ? headers.get("Change") >= Number(change) : age < 600_000)
}

// Says that this page is a copy, and if so, that it is shown instead of a page that the worker has not found.
function tellCopy() {
  if (!main.dataset.kept) return
  const time = new Date(Number(main.dataset.kept)).toLocaleString("en-GB", {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  })
  const isOther = location.hash == "#not-kept"
  if (isOther) history.replaceState(null, "", here)
  const other = isOther ? " The page that you opened is not kept here; this is Today." : ""
  tell(`Belfry cannot be reached.${other} Shown as of ${time}.`, "notice copy")
}

// The server was reached: the page is no copy any more, and is as of now.
function endCopy() {
  reached = Date.now()
  delete main.dataset.kept
  $("#status > .copy")?.remove()
}

async function keep() {
  if (!session || !navigator.serviceWorker) return
  navigator.serviceWorker.register("/worker.js")
  // The worker does not control a page that was being loaded when the worker started.
  navigator.serviceWorker.ready.then(({ active }) =>
    navigator.serviceWorker.controller || active.postMessage("claim")
  )
  await forgetPages((name) => name != shelf)
  await keepNow()
  fetchAhead()
}

async function forgetPages(isGone) {
  if (!globalThis.caches) return
  for (const name of await caches.keys()) if (isGone(name)) await caches.delete(name)
}

// Fetches the pages that a person who goes offline now would most likely open next, first of all Today: it is shown
// instead of a page that is not kept, and may have been left before it was kept.
async function fetchAhead() {
  if (here != "/" && !here.startsWith("/lists/") || navigator.connection?.saveData) return
  if (isOver || !await caches.has(shelf)) return
  // While several are chosen, the texts of rows lead nowhere.
  const rows = all(".items a.brief").slice(0, 30).map((link) => link.getAttribute("href"))
  const cache = await caches.open(shelf)
  for (const path of ["/", "/agenda", "/lists", ...rows]) {
    const known = await cache.match(path)
    if (isOver || (known && isFresh(known))) continue
    const reply = await fetch(path, { headers: { Accept: "text/html", Purpose: "prefetch" } })
      .catch(() => null)
    if (!reply?.ok) return
    const page = await reply.text()
    // A proxy may have replied with a page of its own.
    if (!page.includes(`data-session="${session}"`)) return
    if (!isOver) await cache.put(path, copyOf(page, Date.now()))
  }
}
