// Shortcuts of one letter, which can be switched off (WCAG 2.2, 2.1.4). Each has its words, its effect, and the scope
// without which it would do nothing.

const row = () => document.activeElement.closest(".items > li, .lists > li")
const link = (row) => $(".choose input, .brief, a", row)
// Rows that are folded away are passed over.
const step = (by) => {
  const list = all(".items > li, .lists > li"), at = list.indexOf(row())
  const beyond = at < 0 ? list : by > 0 ? list.slice(at + 1) : list.slice(0, at).reverse()
  const next = beyond.find((row) => link(row) && !row.closest("details:not([open])"))
  if (!next) return
  link(next).focus({ preventScroll: true })
  next.scrollIntoView({ block: "nearest" })
}
const field = (query) => {
  const found = $(query)
  if (found) reveal(found)
  return found
}
// The menu of a row leads to its form. Without a menu its text leads to its page.
const edit = (row) =>
  ($(".menu a[href$='#f-text'], .menu a[href$='/settings']", row) ?? $("a.brief", row))?.click()
const keys = {
  n: ["New item or list", () => field("#f-line, #f-name") ?? location.assign("/#f-line"), "edit"],
  // A narrow window has a link in place of the field.
  "/": ["Search", () => $(".find").offsetParent ? $(".find").click() : field("[name=q]")],
  j: ["Next line", () => step(1)],
  k: ["Line before", () => step(-1)],
  x: [
    "Check, or uncheck",
    () =>
      $(row() ? ".check, .choose input" : ".actions form[action$=check] button", row() ?? main)
        ?.click(),
    "answer",
  ],
  v: [
    "Choose several lines, or stop choosing",
    () => $(".views a[href*='choose='], .several a")?.click(),
    "edit",
  ],
  e: ["Edit", () => row() ? edit(row()) : field("#f-text"), "edit"],
  s: ["Snooze for 10 minutes, chosen lines for 1 hour", () => {
    const several = $(".several [value=snooze]")
    if (several) return several.click()
    const item = row()?.matches(".items > li") ? row() : null
    const path = item ? `/items/${item.id.slice(1)}/snooze` : $(".snooze")?.getAttribute("action")
    if (path) send(changeOf(path, new URLSearchParams({ for: "10m", back: here })))
  }, "answer"],
  // Each press undoes one more change; only the button redoes.
  z: ["Undo your last change", () => inTurn(undo), "edit"],
  "?": ["These keys", () => help()],
}
// Kept changes have not reached the server, so it would undo the change before them.
function undo() {
  if (keepsChanges()) {
    return tell("First send or discard the changes kept in this browser.", "fault")
  }
  return deliver(lostUndo ?? lastUndo())
}
// The undo that the notice offers; without a notice, the undo of the last change.
function lastUndo() {
  const form = $("#status form[action='/undo']")
  return changeOf("/undo", new URLSearchParams(form ? new FormData(form) : { back: here }))
}
const scopes = ["read", "answer", "edit", "admin"]
const may = (scope = "read") => scopes.indexOf(main.dataset.scope) >= scopes.indexOf(scope)
for (const [key, [, , scope]] of Object.entries(keys)) if (!may(scope)) delete keys[key]
const isOn = () => localStorage.getItem("belfry-keys") != "off"

addEventListener("keydown", (event) => {
  if (event.ctrlKey && event.key == "k") {
    event.preventDefault()
    return (keys.n ?? keys["/"])[1]()
  }
  const isInField = event.target.matches("input:not([type=checkbox]), textarea, select")
  if (event.key == "Escape" && !isInField && !$("dialog[open], :popover-open")) {
    $(".several a")?.click()
  }
  if (event.key == "Escape" && isInField && !event.isComposing) return leaveField(event)
  if (event.altKey && event.key.startsWith("Arrow")) return shift(event)
  if (!isOn() || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
  if (isInField || $("dialog[open]")) return
  const key = keys[event.key]
  if (!key) return
  event.preventDefault()
  key[1]()
})

// Leaves a field for the keys. What was typed stays, also in a search, which browsers would clear.
function leaveField(event) {
  if (!event.target.closest("main, .bar") || event.target.closest("dialog, [popover]")) return
  event.preventDefault()
  main.focus({ preventScroll: true })
}

function help() {
  const dialog = make("dialog", "", { "aria-labelledby": "keys" })
  // Otherwise the focus would be on the first control, and a small screen would show only the end of the keys.
  dialog.append(make("h2", "Keys", { id: "keys", tabindex: "-1", autofocus: "" }))
  const list = make("dl", "")
  const moves = may("edit") ? [["Alt ↑ ↓", ["Move the item"]]] : []
  for (const [key, [words]] of [...Object.entries(keys), ...moves]) {
    const line = make("div", "")
    line.append(make("dt", key), make("dd", words))
    list.append(line)
  }
  const label = make("label", "", { class: "mark" })
  const mark = make("input", "", { type: "checkbox" })
  mark.checked = isOn()
  mark.onchange = () => localStorage.setItem("belfry-keys", mark.checked ? "on" : "off")
  label.append(mark, "One-letter keys are on")
  const form = make("form", "", { method: "dialog" })
  form.append(make("button", "Close"))
  dialog.append(list, label, form)
  dialog.onclose = () => dialog.remove()
  document.body.append(dialog)
  dialog.showModal()
}

// In choose mode the focus starts at the first row.
$(".choose input")?.focus()

const button = make("button", "Keys", { type: "button" })
button.onclick = help
$(".who").prepend(button)
