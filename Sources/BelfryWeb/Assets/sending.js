// Forms, sent without leaving the page; except those with `data-whole`, whose reply is another page.

// A change, with the key under which it counts once however often it is sent, and the time at which it was typed.
const changeOf = (path, fields) => ({
  path,
  body: String(fields),
  key: crypto.randomUUID(),
  now: new Date().toISOString(),
})

// A request that has no reply after 30 seconds is given up, since what was done after it waits.
const untilGivenUp = () => AbortSignal.timeout(30_000)

const post = ({ path, body, key }, fields, options) =>
  fetch(path, {
    method: "POST",
    body,
    signal: untilGivenUp(),
    ...options,
    headers: {
      Accept: "text/html",
      "Content-Type": "application/x-www-form-urlencoded",
      "Idempotency-Key": key,
      ...fields,
    },
  })

// The reasons why a change has no outcome yet.
const isAway = "Belfry cannot be reached.", isBusyNow = "Belfry cannot do this now."

// The last change of each form that got no reply: sent again unchanged, it counts once.
const unanswered = new WeakMap()

// The undo that got no reply. Another press sends it again, instead of undoing one more change.
let lostUndo

// The changes that were made and have no reply yet.
const waiting = new Set()

// Changes are sent in the order in which they were made: each waits for the reply to the one before. Earlier messages
// are removed at the press, not when the change is sent, so that the error of a change that was still under way stays.
let turn = Promise.resolve()
const inTurn = (work) => {
  hush()
  return turn = turn.then(work, work)
}

// Changes that still wait when the page is left are sent at once. If one of them was under way already, its key ensures
// that it counts once.
addEventListener("pagehide", () => {
  if (isOver) return
  for (const change of waiting) post(change, {}, { keepalive: true }).catch(() => {})
})

const isCheck = (path) => path.match(/^\/items\/(\d+)\/(check|uncheck)$/)

addEventListener("submit", (event) => {
  const form = event.target, button = event.submitter
  const path = button?.getAttribute("formaction") ?? form.getAttribute("action") ?? here
  if (path == "/sign-out" && !isOver) {
    event.preventDefault()
    return signOut(form)
  }
  if (form.getAttribute("method") != "post" || "whole" in form.dataset || isOver) {
    return typed.delete(form)
  }
  event.preventDefault()
  button?.closest("[popover]")?.hidePopover?.()
  if (path == "/items/several" && !$("[name=row]:checked", form)) {
    return tell("Choose at least one item first.", "fault")
  }
  if (isCheck(path) && button.matches(".check")) return mark(button.closest("li"), path)
  const fields = new URLSearchParams(new FormData(form, button))
  // A later echo would describe the line that was already sent.
  clearTimeout(pause)
  question?.abort()
  if (fields.has("line")) {
    if (!fields.get("line").trim()) return
    // The notice shows how the line was understood, and has a button that undoes it.
    fields.set("seen", "yes")
    fields.set("back", here)
    // The next line can be typed while this one is sent.
    form.elements.line.value = ""
    echo(form, "")
    typed.delete(form)
  }
  const change = changeOf(path, fields)
  // A second press while the first one is being sent means the same.
  const isSame = ({ path, body }) => path == change.path && body == change.body
  if (!fields.has("line") && [...waiting].some(isSame)) return
  // A form with a version is read once the reply to the change before has renewed it.
  if (fields.has("version") && [...waiting].some((other) => other.path == path)) {
    return turn.finally(() => form.isConnected && form.requestSubmit(button))
  }
  send(change, form)
})

// The second press of a double click meant the button that was there before.
addEventListener("click", (event) => {
  if (event.detail > 1 && event.target.closest("#status button")) event.preventDefault()
})

// An empty line is not an error: Enter was pressed twice.
addEventListener("invalid", (event) => event.target.name == "line" && event.preventDefault(), true)

function send(change, form) {
  const before = form && unanswered.get(form)
  if (before?.path == change.path && before.body == change.body) change = before
  waiting.add(change)
  if (form) sent.set(form, content(form))
  return inTurn(() => deliver(change, form)).finally(() => waiting.delete(change))
}

const lineOf = ({ body }) => new URLSearchParams(body).get("line")

// Puts a line that was not added back; false if another one was begun meanwhile.
function putBack(form, line) {
  const field = form.elements.line
  if (field.value) return false
  field.value = line
  keepTyped(form)
  return true
}

// If another tab could not sign out, since Belfry was unreachable then, this page is still open, but changes nothing
// until it is loaded again.
const tellOver = () =>
  $("#status") && !$("#lost") && tell("Nothing was changed: load this page again.", "fault")

// The event of a change may come before its reply, which shows the change.
async function deliver(change, form) {
  // A change belongs to its session, which has ended.
  if (isOver) return tellOver()
  sendingCount++
  try {
    await carryOut(change, form)
  } finally {
    endSending()
  }
}

async function carryOut(change, form) {
  const { path } = change, line = form ? lineOf(change) : null
  let reply, page
  try {
    reply = await post(change)
    page = await parse(await reply.text())
    // A page that is not Belfry's says nothing about the change.
    if ((reply.ok || reply.status >= 500) && !isOurs(page)) throw new Error("another's page")
  } catch {
    if (isOver) return
    if (isCheck(path) && await opened) return keepCheck(change)
    if (await keepForLater(change, form)) return
    if (form) unanswered.set(form, change)
    if (path == "/undo") lostUndo = change
    const isLost = line != null && !putBack(form, line)
    const what = isLost ? `Not added: “${line}”. ` : ""
    return tell(`${what}${isAway} Try again later.`, "fault")
  }
  if (isOver && reply.status != 401) return
  if (reply.status >= 500 && isCheck(path) && await opened) return keepCheck(change, isBusyNow)
  // After an error of the server the change may have taken effect. Sent again unchanged, it counts once.
  if (form && reply.status >= 500) unanswered.set(form, change)
  else if (form) unanswered.delete(form)
  lostUndo = reply.status >= 500 && path == "/undo" ? change : null
  if (reply.status == 401) return leave()
  const isFilled = form && line == null
  if (reply.redirected) {
    if (isFilled) forgetTyped(form)
    const isChosen = path == "/items/several" && endsChoice(reply.url)
    if (!reply.ok || pageOf(reply.url) != here) return location.assign(reply.url)
    // What was checked meanwhile stays struck.
    await strikeKept(page)
    const later = isFilled ? typedSince(form) : []
    if (isFilled) resetExcept(later, form)
    document.title = $("title", page).textContent
    moment++
    $("#status .said")?.remove()
    update(main, $("#main", page))
    typeAgain(later)
    isGone = false
    endCopy()
    if (form?.matches(".item") && !later.length) fold(form)
    if (isChosen) focusItem(reply.url)
    // The reply to a repeated undo has no notice.
    if (path == "/undo" && !$("#status .notice")) tell("Undone.")
    return keepPage()
  }
  const words = $(".error, .faults, main p", page)?.textContent ?? "That did not work."
  if (line != null && !putBack(form, line)) return keepLine(change, reply.status, words)
  const action = form?.getAttribute("action")
  const fresh = action && all("form", page).find((other) => other.getAttribute("action") == action)
  if (!fresh) return tell(words, "fault")
  const before = typed.get(form) ?? content(form), later = isFilled ? typedSince(form) : []
  typed.delete(form)
  document.title = $("title", page).textContent
  update(form, fresh)
  typed.set(form, before)
  typeAgain(later)
  const fault = $("[aria-invalid], .choice input", form)
  // The focus stays with somebody who types.
  if (fault && later.length) tell($(".faults, .error", form)?.textContent ?? words, "fault")
  else if (fault) reveal(fault)
  else say($(".faults, .echo", form)?.textContent ?? "")
}

// True if a reply leads from the choice of rows to the same rows, which then change in place.
function endsChoice(url) {
  const page = new URL(here, location)
  page.searchParams.delete("choose")
  if (pageOf(page) == here || pageOf(page) != pageOf(url)) return false
  here = pageOf(url)
  history.replaceState(null, "", here)
  return true
}

// The buttons of the choice, one of which had the focus, have gone. The focus stays with somebody who types.
function focusItem(url) {
  const row = document.getElementById("t" + new URL(url).searchParams.get("item"))
  if (row && !document.activeElement.matches("input:not([type=checkbox]), textarea")) row.focus()
}

// A form that was saved is folded away again.
function fold(form) {
  const edit = form.closest("details.edit")
  if (!edit) return
  if (edit.contains(document.activeElement)) $("summary", edit).focus()
  edit.open = false
}

// Echoes the meaning of a time while it is typed.
let question, pause
addEventListener("input", ({ target }) => {
  const form = target.form
  if (target.name != "line" && !(form?.matches(".item") && $("#echo", form))) return
  clearTimeout(pause)
  pause = setTimeout(() => ask(form), 250)
})

async function ask(form) {
  question?.abort()
  question = new AbortController()
  const headers = { Fragment: "echo" }, signal = question.signal
  const line = form.elements.line?.value
  const fields = new URLSearchParams(new FormData(form))
  fields.append("show", "yes")
  try {
    const action = form.getAttribute("action")
    const reply = await (line == null
      ? fetch(action, { method: "POST", body: fields, headers, signal })
      : fetch(action.replace("items", "new") + "?" + new URLSearchParams({ line }), {
        headers,
        signal,
      }))
    if (reply.ok) {
      echo(form, await reply.text())
    }
  } catch {
    // The line stays without an echo.
  }
}

function echo(form, html) {
  const fresh = new DOMParser().parseFromString(html, "text/html").body.firstElementChild ??
    make("div", "")
  let box = $("#echo", form)
  if (!box) form.append(box = make("div", "", { id: "echo", role: "status", class: "wide" }))
  box.replaceChildren(...fresh.childNodes)
}
