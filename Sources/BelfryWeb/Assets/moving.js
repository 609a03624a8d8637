// Moving items and lists by Alt and the arrows, and by drag: the buttons of their menus do the same.

function shift(event) {
  const name = { ArrowUp: "before", ArrowDown: "after" }[event.key]
  const mover = name && row() && $(`.menu button[name=${name}]`, row())
  if (!mover) return
  event.preventDefault()
  mover.click()
}

let dragged = null, origin
addEventListener("pointerover", ({ target }) => {
  const row = target.closest?.(".items > li, .lists > li")
  if (row && $("[formaction$='/move']", row)) row.draggable = true
})
addEventListener("dragstart", (event) => {
  dragged = event.target.closest?.("li[draggable]")
  origin = dragged?.nextSibling
})
addEventListener("dragover", (event) => {
  const over = event.target.closest?.(".items > li, .lists > li")
  if (!dragged || over?.parentNode != dragged.parentNode) return
  event.preventDefault()
  const { top, height } = over.getBoundingClientRect()
  if (over != dragged) over[event.clientY < top + height / 2 ? "before" : "after"](dragged)
})
addEventListener("drop", (event) => dragged && event.preventDefault())
addEventListener("dragend", (event) => {
  const row = dragged
  dragged = null
  if (!row || row.nextSibling == origin) return
  if (event.dataTransfer.dropEffect == "none") return row.parentNode.insertBefore(row, origin)
  const [before, after] = [row.nextElementSibling, row.previousElementSibling]
  const place = before ? { before: before.id.slice(1) } : { after: after.id.slice(1) }
  const path = $("[formaction$='/move']", row).getAttribute("formaction")
  send(path, new URLSearchParams({ ...place, back: here }))
})

listen()
keep()
forgetOthers()
showKept()
