// Asks before something that was typed, and not sent, is lost.

// The forms in which somebody typed, each with its content before.
const typed = new WeakMap()

const content = (form) => String(new URLSearchParams(new FormData(form)))

// The first input has changed the form already, but not what a reset brings back.
function keepTyped(form) {
  if (!form || typed.has(form)) return
  const before = form.cloneNode(true)
  before.reset()
  typed.set(form, content(before))
}
addEventListener("input", ({ target }) => keepTyped(target.form))

// A change that waits for its turn is sent when the page is left. A choice of rows is soon made again.
function unsent() {
  const isWaiting = (form) => [...waiting].some(({ path }) => path == form.getAttribute("action"))
  return all("form[method=post]:not([action='/items/several'])").filter((form) =>
    typed.has(form) && typed.get(form) != content(form) && !isWaiting(form)
  )
}

addEventListener("beforeunload", (event) => {
  if (!isOver && unsent().length) event.preventDefault()
})
