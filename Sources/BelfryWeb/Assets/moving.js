// Moving items and lists by Alt and the arrows, by drag, and by a finger that has rested on them: the buttons of their
// menus do the same.

function shift(event) {
  const name = { ArrowUp: "before", ArrowDown: "after" }[event.key]
  const id = name && row()?.id
  const mover = () => $(`#${id} .menu button[name=${name}]`)
  if (!id || !mover()) return
  event.preventDefault()
  // The form is read once the reply to the previous move has updated the neighbours of the row.
  inTurn(() => {
    const button = mover()
    if (!button) return
    const fields = new URLSearchParams(new FormData(button.form, button))
    return deliver(changeOf(button.getAttribute("formaction"), fields))
  })
}

// The row that can be moved and contains an element; null if there is none.
const movable = (target) => {
  const row = target.closest?.(".items > li, .lists > li")
  return row && $("[formaction$='/move']", row) ? row : null
}

let dragged = null, origin
function lift(row) {
  dragged = row
  origin = row?.nextSibling
}

// Moves the lifted row to a position; false if it cannot be there.
function carry(target, y) {
  const over = target?.closest?.(".items > li, .lists > li")
  if (!dragged || over?.parentNode != dragged.parentNode) return false
  const { top, height } = over.getBoundingClientRect()
  if (over != dragged) over[y < top + height / 2 ? "before" : "after"](dragged)
  return true
}

function putDown(isKept) {
  const row = dragged
  dragged = null
  row?.classList.remove("lifted")
  if (isStale) refresh()
  // The page may have been updated meanwhile.
  if (!row?.isConnected || row.nextSibling == origin) return
  if (!isKept || isOver) {
    row.parentNode.insertBefore(row, origin?.isConnected ? origin : null)
    return isKept && tellOver()
  }
  const [before, after] = [row.nextElementSibling, row.previousElementSibling]
  const place = before ? { before: before.id.slice(1) } : { after: after.id.slice(1) }
  const path = $("[formaction$='/move']", row).getAttribute("formaction")
  send(changeOf(path, new URLSearchParams({ ...place, back: here })))
}

addEventListener("pointerover", ({ target, pointerType }) => {
  const row = movable(target)
  if (row) row.draggable = pointerType == "mouse"
})
addEventListener("dragstart", ({ target }) => lift(target.closest?.("li[draggable=true]")))
addEventListener("dragover", (event) => {
  if (carry(event.target, event.clientY)) event.preventDefault()
})
addEventListener("drop", (event) => dragged && event.preventDefault())
addEventListener("dragend", ({ dataTransfer }) => putDown(dataTransfer.dropEffect != "none"))

// A finger scrolls, unless it has rested on a row before.
let resting, start
addEventListener("touchstart", ({ target, touches }) => {
  clearTimeout(resting)
  start = touches[0]
  const row = touches.length == 1 && !isOutside && !target.closest?.("button, input, .menu") &&
    movable(target)
  if (!row) return
  resting = setTimeout(() => {
    lift(row)
    row.classList.add("lifted")
    // Browsers refuse to vibrate before the first tap.
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(10)
  }, 400)
}, { passive: true })
addEventListener("touchmove", (event) => {
  const { clientX, clientY } = event.touches[0]
  // Small movements of a resting finger do not count.
  if (Math.hypot(clientX - start.clientX, clientY - start.clientY) > 8) clearTimeout(resting)
  if (!dragged) return
  event.preventDefault()
  carry(document.elementFromPoint(clientX, clientY), clientY)
  const edge = clientY < 80 ? -12 : clientY > innerHeight - 120 ? 12 : 0
  if (edge) scrollBy(0, edge)
}, { passive: false })
for (const end of ["touchend", "touchcancel"]) {
  addEventListener(end, (event) => {
    clearTimeout(resting)
    if (!dragged) return
    // The end of a drag does not follow the row's link.
    if (event.cancelable) event.preventDefault()
    putDown(end == "touchend")
  }, { passive: false })
}
addEventListener("contextmenu", (event) => dragged && event.preventDefault())

listen()
tellCopy()
keep()
forgetOthers()
showKept()
