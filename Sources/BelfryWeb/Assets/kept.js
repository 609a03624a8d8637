// Changes that are made while Belfry cannot be reached: kept here, shown, and sent later.

const open = () =>
  new Promise((done, fail) => {
    const request = indexedDB.open("belfry", 2)
    request.onupgradeneeded = ({ oldVersion }) => {
      const kept = request.result.createObjectStore("kept", { autoIncrement: true })
      if (oldVersion != 1) return
      request.transaction.objectStore("checks").openCursor().onsuccess = ({ target }) => {
        if (!target.result) return request.result.deleteObjectStore("checks")
        const { session, id, word, key } = target.result.value
        kept.add({ session, key, path: `/api/v1/items/${id}/${word}`, words: `${word} an item` })
        target.result.continue()
      }
    }
    request.onsuccess = () => done(request.result)
    request.onerror = fail
    // A tab with an older script holds an older version: no change is kept until that tab is closed.
    request.onblocked = fail
  })
const opened = open().catch(() => null)

async function kept(mode, act) {
  const db = await opened
  return new Promise((done, fail) => {
    const request = act(db.transaction("kept", mode).objectStore("kept"))
    request.onsuccess = () => done(request.result)
    request.onerror = fail
  })
}

const textOf = (id) => $("#t" + id)?.textContent ?? $("main h1")?.textContent ?? "an item"

// The description of a change that can be sent later; undefined for other changes.
function wordsOf({ path, body }) {
  const check = isCheck(path), fields = new URLSearchParams(body)
  if (check) return `${check[2] == "check" ? "Check" : "Uncheck"}: ${textOf(check[1])}`
  if (fields.has("line") && /^(\/lists\/\d+)?\/items$/.test(path)) {
    return `Add: ${fields.get("line")}`
  }
  if (/^\/items\/\d+$/.test(path)) return `Change: ${fields.get("text")}`
}

// Keeps a change to be sent later, and tells the user why; false if it cannot be kept.
async function keepForLater(change, form, reason = isAway) {
  const words = wordsOf(change)
  if (!words || !await opened || isOver) return false
  if (form?.elements.version) await joinEdits(change, form)
  await kept("readwrite", (store) => store.add({ session, ...change, words }))
  if (form && !form.elements.line) forgetTyped(form)
  await showKept()
  tell(`${reason} This is kept, and sent later.`)
  return true
}

// What each form showed before the next edit in it: the last edit that was kept, otherwise what the server sent.
const shownIn = new WeakMap()

// An edit takes in an earlier one of the same version of the item, since the second to be sent would contradict the
// first. Nothing is taken from an edit that is being sent.
const joinEdits = (change, form) =>
  navigator.locks.request("belfry-kept", { ifAvailable: true }, async (lock) => {
    const shown = new URLSearchParams(shownIn.get(form) ?? unchanged(form))
    const now = new URLSearchParams(change.body)
    shownIn.set(form, change.body)
    for (const [place, { path, body, fault, now: time }] of lock ? await keptHere() : []) {
      const before = new URLSearchParams(body)
      if (path != change.path || fault || before.get("version") != now.get("version")) continue
      const isUntouched = (name) => String(now.getAll(name)) == String(shown.getAll(name))
      // Words such as "tomorrow" are read as of the time at which they were typed.
      if (isUntouched("due")) change.now = time
      for (const name of new Set([...now.keys(), ...before.keys()].filter(isUntouched))) {
        now.delete(name)
        for (const value of before.getAll(name)) now.append(name, value)
      }
      change.body = String(now)
      await kept("readwrite", (store) => store.delete(place))
    }
  })

// Keeps a line that was not added while the next one is being typed. After an error of the server it is sent again.
async function keepLine(change, status, words) {
  if (status >= 500 && await keepForLater(change, null, isBusyNow)) return
  const fault = words.trim().replace(/\.$/, ""), line = lineOf(change)
  if (await opened) {
    const entry = { session, ...change, words: wordsOf(change), fault }
    await kept("readwrite", (store) => store.add(entry))
    await showKept()
  }
  tell(`Not added: “${line}”. ${fault}.`, "fault")
}

// True if at least one kept change was not refused.
const keepsChanges = () => $("#kept li:not(:has(.error))") != null

async function keepCheck(change, reason) {
  const { path } = change, [, id, word] = isCheck(path)
  await keepForLater(change, null, reason)
  if (!$("#i" + id)) {
    $(`form[action="${path}"] button`, main)?.setAttribute(
      "formaction",
      path.replace(word, word == "check" ? "uncheck" : "check"),
    )
  }
  keepPage()
}

// The change may have taken effect although no reply came; its key ensures that it counts once. Its dates are read as
// of the time at which they were typed.
function sendLater(change) {
  const { path } = change, json = "application/json"
  // An earlier script kept changes in this format.
  if (path.startsWith("/api/")) return post(change, { Accept: json, "Content-Type": json })
  return post({ ...change, path: asTyped(change) }, { Accept: json })
}

const asTyped = ({ path, now }) => now ? `${path}?now=${now}` : path

// The outcome of a change, with the reason if it was refused; undefined if the change has to be sent again later.
async function outcomeOf(change) {
  const reply = await sendLater(change)
  if (reply.status == 401 || reply.status >= 500 || reply.headers.has("Retry-After")) return
  if (isJSON(reply)) {
    // The JSON of another program, such as a proxy, says nothing about the change.
    const isProblem = reply.headers.get("Content-Type").includes("problem+json")
    if (!isProblem && !change.path.startsWith("/api/")) return
    const { detail } = await reply.json()
    // A reply in JSON has no form in which the user could choose what to keep: the item may be gone.
    return { isDone: reply.ok || reply.redirected, fault: detail, hasForm: false }
  }
  const page = await parse(await reply.text())
  if ($("#main", page)?.dataset.session != session) return
  const fault = reply.status == 409
    ? "it was changed meanwhile"
    : $(".error", page)?.textContent.replace(/\.$/, "") ?? "something in it is wrong"
  return { isDone: reply.ok, fault }
}

const sendKept = () =>
  navigator.locks.request("belfry-kept", async () => {
    if (isOver || !await opened) return
    let sent = 0
    const faults = []
    for (const place of await kept("readonly", (store) => store.getAllKeys())) {
      const entry = await kept("readonly", (store) => store.get(place))
      if (entry?.session != session || entry.fault) continue
      const outcome = await outcomeOf(entry).catch(() => null)
      // The entries were deleted with the session, and none may be stored again.
      if (isOver) return
      if (!outcome) break
      if (outcome.isDone) {
        sent++
        await kept("readwrite", (store) => store.delete(place))
      } else {
        const { fault, hasForm } = outcome
        faults.push(`${entry.words}: ${fault}.`)
        await kept("readwrite", (store) => store.put({ ...entry, fault, hasForm }, place))
      }
    }
    if (!sent && !faults.length) return
    tabs.postMessage("kept")
    await showKept()
    const words = sent == 1
      ? "The change kept in this browser was sent."
      : `The ${sent} changes kept in this browser were sent.`
    tell(
      faults.length ? `Not saved: ${faults.join(" ")}` : words,
      faults.length ? "fault" : "notice",
    )
    // The button gets the focus only if nothing has it, since a person who is typing would press it.
    if (faults.length && document.activeElement == document.body) $("#kept button")?.focus()
    refresh()
  })
addEventListener("online", sendKept)

async function forgetKept(isGone) {
  if (!await opened) return
  for (const place of await kept("readonly", (store) => store.getAllKeys())) {
    const entry = await kept("readonly", (store) => store.get(place))
    if (isGone(entry?.session)) await kept("readwrite", (store) => store.delete(place))
  }
}

// Removes changes that an earlier session kept. Only a newly opened page does so: a page that stayed open during a new
// sign-in in another tab would remove the changes of the present session.
const forgetOthers = () => session && forgetKept((other) => other != session)

// The changes that this session keeps, in order, each with its place.
async function keptHere() {
  const found = []
  for (const place of await kept("readonly", (store) => store.getAllKeys())) {
    const entry = await kept("readonly", (store) => store.get(place))
    if (entry?.session == session) found.push([place, entry])
  }
  return found
}

// Shows in the rows of a page the checks and unchecks that the server does not know yet.
async function strikeKept(page = document) {
  const entries = isOver || !await opened ? [] : await keptHere()
  const changes = entries.map(([, entry]) => entry).filter(({ fault }) => !fault)
  for (const { path } of [...changes, ...waiting]) {
    const [, id, word] = isCheck(path) ?? [], row = id && $("#i" + id, page)
    if (row) strike(row, id, word)
  }
}

// Shows the waiting and the refused changes. A refused edit leads to its form, where the user chooses what to keep.
async function showKept() {
  if (isOver || !await opened) return $("#kept")?.remove()
  const list = make("ul", "")
  for (const [place, entry] of await keptHere()) {
    const line = make("li", entry.words)
    line.append(...buttons(entry, place))
    list.append(line)
  }
  await strikeKept()
  const focus = document.activeElement.closest("#kept button")
  const at = all("#kept li").indexOf(focus?.closest("li"))
  // The old section goes only now, since another call may have added one while this one was reading.
  $("#kept")?.remove()
  if (!isOver && list.children.length) {
    const box = make("section", "", { id: "kept", class: "card" })
    box.append(make("h2", "Kept in this browser"), list)
    $("#status").after(box)
  }
  if (focus) focusKept(at, focus.textContent)
}

// The button of the same kind in the line that took the place of another; the page if no line is left.
function focusKept(at, kind) {
  const lines = all("#kept li"), line = lines[at] ?? lines.at(-1)
  const same = line && all("button", line).find((button) => button.textContent == kind)
  ;(same ?? $("#kept button") ?? main).focus()
}

function buttons(entry, place) {
  const named = (words) =>
    make("button", words, {
      type: "button",
      class: "small",
      "aria-label": `${words}: ${entry.words}`,
    })
  const drop = named("Discard")
  const forget = async () => {
    await kept("readwrite", (store) => store.delete(place))
    const [, id] = isCheck(entry.path) ?? [], row = id && $("#i" + id)
    if (row?.dataset.was) strike(row, id, row.dataset.was == "true" ? "check" : "uncheck")
    await showKept()
  }
  drop.onclick = forget
  if (!entry.fault) return [drop]
  const fault = make("p", entry.fault + ".", { class: "error" })
  if (entry.hasForm === false) return [fault, drop]
  const choose = named(lineOf(entry) == null ? "Choose what to keep" : "Edit")
  choose.onclick = async () => {
    // A question on leaving would come too late: the change is forgotten by then.
    if (unsent().length) return tell("First send or remove what you typed on this page.", "fault")
    // The change is forgotten only once the server itself can be reached, and not only a proxy before it.
    const reply = await fetch("/api/v1/lists?limit=1", { cache: "no-store" }).catch(() => null)
    if (!reply?.ok || reply.redirected || !isJSON(reply)) {
      return tell(`${isAway} Try again later.`, "fault")
    }
    const form = make("form", "", { method: "post", action: asTyped(entry), "data-whole": "" })
    for (const [name, value] of new URLSearchParams(entry.body)) {
      const field = make("input", "", { type: "hidden", name })
      field.value = value
      form.append(field)
    }
    document.body.append(form)
    await forget()
    form.submit()
  }
  return [fault, choose, drop]
}
