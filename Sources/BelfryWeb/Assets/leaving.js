// Asks before something that was typed, and not sent, is lost.

// The forms in which somebody typed, each with its content before.
const typed = new WeakMap()

const content = (form) => String(new URLSearchParams(new FormData(form)))

// The first input has changed the form already, but not what a reset brings back.
function keepTyped(form) {
  if (form && !typed.has(form)) typed.set(form, unchanged(form))
}

// The content of a form as the server sent it.
function unchanged(form) {
  const before = form.cloneNode(true)
  before.reset()
  return content(before)
}
addEventListener("input", ({ target }) => keepTyped(target.form))

// The content of each form when it was sent.
const sent = new WeakMap()

// The fields of a form that were changed since it was sent, each with its content and its caret.
function typedSince(form) {
  const before = new URLSearchParams(sent.get(form)), now = new FormData(form)
  const isSame = (name) => String(before.getAll(name)) == String(now.getAll(name))
  return [...form.elements].filter(({ name, type }) => name && type != "hidden" && !isSame(name))
    .map((field) => ({
      field,
      value: field.value,
      checked: field.checked,
      caret: field.selectionStart,
      hasFocus: field == document.activeElement,
    }))
}

// A form was taken: only what was typed since would be lost.
function forgetTyped(form) {
  if (typedSince(form).length) typed.set(form, sent.get(form))
  else typed.delete(form)
}

// Resets the other fields of a form. A field that belongs to no form is not reset, and keeps its caret.
function resetExcept(fields, form) {
  typed.delete(form)
  for (const { field } of fields) field.setAttribute("form", "")
  form.reset()
  for (const { field } of fields) field.removeAttribute("form")
}

// Puts back what a reply has replaced.
function typeAgain(fields) {
  for (const { field, value, checked, caret, hasFocus } of fields) {
    const same = field.isConnected ? field : document.getElementById(field.id)
    if (!same) continue
    keepTyped(same.form)
    if (same.value != value) same.value = value
    same.checked = checked
    if (same == field || !hasFocus) continue
    same.focus()
    if (caret != null) same.setSelectionRange(caret, caret)
  }
}

// A change that waits for its turn is sent when the page is left. A choice of rows is soon made again.
function unsent() {
  const isWaiting = (form) =>
    sent.get(form) == content(form) &&
    [...waiting].some(({ path }) => path == form.getAttribute("action"))
  return all("form[method=post]:not([action='/items/several'])").filter((form) =>
    typed.has(form) && typed.get(form) != content(form) && !isWaiting(form)
  )
}

addEventListener("beforeunload", (event) => {
  if (!isOver && unsent().length) event.preventDefault()
})
