// One tab holds the stream of changes, and notifies the other tabs.

// The tag of each part that is still as it was fetched.
const tags = new Map()
const changes = new MutationObserver(forgetTags)
changes.observe(main, { attributes: true, characterData: true, childList: true, subtree: true })
function forgetTags(records) {
  for (const { target } of records) {
    tags.delete((target.closest ? target : target.parentElement)?.closest("[data-live]")?.id)
  }
}

let isBusy = false, isStale = false, isOver = false
// True while the thing that the page shows is deleted.
let isGone = false

// How often this page itself has changed what it shows. A part requested before the last time is outdated.
let moment = 0

// The number of the last announced change, and the numbers of this page's own changes, which it already shows.
let heard = NaN
const own = new Set()

function ownChange(number) {
  if (number) own.add(Number(number))
}

// Without a number, anything may have changed, and the numbering may have restarted, as with another store.
function hear(number) {
  if (number) {
    heard = number
    return catchUp()
  }
  main.dataset.change = ""
  own.clear()
  refresh()
}

// Fetches the page's parts, unless all changes were made here. Visitors who see only some lists get no numbers.
function catchUp() {
  let shown = Number(main.dataset.change || NaN)
  while (own.delete(shown + 1)) main.dataset.change = ++shown
  if (sendingCount || Number.isNaN(heard) || heard <= shown) return
  if (main.dataset.change) main.dataset.change = heard
  heard = NaN
  refresh()
}

async function refresh() {
  if (document.hidden || isBusy || dragged) return isStale = true
  isBusy = true
  do {
    isStale = false
    try {
      // If the thing is deleted, no part of its page is there.
      for (const part of all("[data-live]")) {
        if (!part.closest("form") && !await renew(part)) break
      }
    } catch {
      // The next change tries again.
    }
  } while (isStale && !dragged && !sendingCount)
  isBusy = false
  keepPage()
}

// Fetches a part; false if it is no longer there.
async function renew(part) {
  const headers = { Fragment: part.id, Accept: "text/html" }
  const shown = moment
  forgetTags(changes.takeRecords())
  if (tags.has(part.id)) headers["If-None-Match"] = tags.get(part.id)
  const reply = await fetch(here, { headers, cache: "no-store", signal: untilGivenUp() })
  if (reply.status == 401) return leave()
  if (reply.status == 304) {
    endCopy()
    return true
  }
  const page = await parse(await reply.text())
  if (moment != shown || sendingCount) return isStale = true
  // The 404 of a proxy says nothing about the part.
  if (reply.status == 404 && isOurs(page)) {
    if (!isGone) setGone(true)
    return false
  }
  if (!reply.ok) return true
  const fresh = $("body", page).firstElementChild
  if (fresh?.id != part.id) return true
  if (isGone) setGone(false)
  endCopy()
  await strikeKept(fresh)
  // While a row is being dragged, its list must not be replaced.
  if (dragged) return isStale = true
  forgetTags(changes.takeRecords())
  update(part, fresh)
  const records = changes.takeRecords()
  tags.set(part.id, reply.headers.get("ETag"))
  // A part that differs only in what was opened or typed stays as it is.
  if (records.length) say(described(records))
  return true
}

// Nothing about a deleted thing can be pressed, until an undo brings it back. What was typed stays.
function setGone(isIt) {
  isGone = isIt
  for (const each of all("button, a.button", main)) {
    if (each.closest("#status, #kept, .quick")) continue
    each.toggleAttribute(each.matches("a") ? "inert" : "disabled", isGone)
  }
  if (!isGone) return hush()
  if (document.activeElement?.closest(":disabled, [inert]")) main.focus({ preventScroll: true })
  tell("This is no longer there.", "fault")
}

// A description of what changed in a part.
function described(records) {
  const came = rowsIn(records, "addedNodes"), went = rowsIn(records, "removedNodes")
  const added = [...came].filter(([id]) => !went.has(id)).map(([, text]) => text + " was added")
  const gone = [...went].filter(([id]) => !came.has(id)).map(([, text]) =>
    text + " is no longer shown"
  )
  return [...added, ...gone].slice(0, 3).join(". ") || "This page was brought up to date"
}

// The texts of the rows among the nodes that were added or removed.
const rowsIn = (records, name) =>
  new Map(
    records.flatMap((record) => [...record[name]]).filter((node) => node.nodeType == 1)
      .flatMap((node) => [node, ...all("li[id]", node)]).filter((node) => node.matches("li[id]"))
      .map((row) => [row.id, $(".brief", row)?.textContent]),
  )

// The browser's copies are deleted before the session ends: the server, which has them deleted too, may be unreachable.
async function signOut(form) {
  const left = all("#kept li").length + waiting.size + unsent().length
  const what = left == 1 ? "1 change was" : `${left} changes were`
  if (left && !confirm(`${what} not sent, and will be lost. Sign out anyway?`)) return
  isOver = true
  tabs.postMessage("over")
  const removals = await Promise.allSettled([forgetKept(() => true), forgetPages(() => true)])
  const isReached = await fetch("/healthz", { cache: "no-store", signal: untilGivenUp() })
    .catch(() => null)
  if (isReached) return form.submit()
  document.body.replaceChildren(main)
  main.replaceChildren(make(
    "p",
    "This browser is still signed in, since Belfry cannot be reached. Sign out again once it can.",
    { class: "fault" },
  ))
  if (removals.every(({ status }) => status == "fulfilled")) {
    main.prepend(make("p", "Nothing of Belfry is left in this browser.", { class: "notice" }))
  }
}

// The session has ended, perhaps in another tab, so this page keeps no copy of itself from now on. The changes that
// were not sent end with it, so they are shown before.
function leave() {
  if ($("#lost")) return
  // A user who signed out in another tab was asked there already.
  if (isOver) return location.reload()
  isOver = true
  const lost = all("#kept li").map((line) => line.firstChild.textContent)
  const changes = unsent().map((form) => ({
    path: form.getAttribute("action"),
    body: content(form),
  }))
  for (const change of [...waiting, ...changes]) lost.push(wordsOf(change))
  const words = lost.filter(Boolean)
  if (!words.length) return location.reload()
  const list = make("ul", "", { id: "lost" })
  for (const each of words) list.append(make("li", each))
  const told = "Your session has ended. These changes were not sent:"
  $("#status").replaceChildren()
  main.replaceChildren(
    $("#status"),
    make("p", told, { class: "fault", role: "alert" }),
    list,
    make("a", "Sign in again", { class: "button", href: here }),
  )
}

const tabs = new BroadcastChannel("belfry")
tabs.onmessage = ({ data }) => {
  if (isOver) return
  if (data == "over") isOver = true
  else if (data == "kept") showKept()
  else hear(data)
}
addEventListener("visibilitychange", () => document.hidden || (isStale && refresh()))
// Words such as "today" change with the clock. Kept changes are sent once the server can handle them again.
const everyMinute = () =>
  setTimeout(
    () => Promise.resolve(isGone || refresh()).then(sendKept).catch(() => {}).finally(everyMinute),
    60500 - Date.now() % 60000,
  )
everyMinute()

function listen() {
  navigator.locks.request("belfry-events", () =>
    new Promise((end) => {
      const last = main.dataset.kept ? "" : main.dataset.change
      const source = new EventSource("/api/v1/events" + (last ? "?last=" + last : ""))
      const spread = (number) => {
        tabs.postMessage(number)
        hear(number)
      }
      source.addEventListener("change", (event) => spread(Number(event.lastEventId)))
      source.addEventListener("reset", () => spread(0))
      source.onopen = () => {
        if (!last) spread(0)
        sendKept()
      }
      source.onerror = () => {
        if (source.readyState != EventSource.CLOSED) return
        refresh()
        setTimeout(() => {
          end()
          listen()
        }, 5000)
      }
    }))
}
