// A press outside an open menu closes it, which the browser does, and must not press the element under it.

let isOutside = false
addEventListener("pointerdown", ({ target }) => {
  const menu = $(":popover-open")
  // A press on the menu's own button closes it too.
  const isOwn = menu?.contains(target) || target.closest(`[popovertarget="${menu?.id}"]`)
  isOutside = Boolean(menu && !isOwn)
}, true)
addEventListener("click", (event) => {
  // A click by the keyboard has no position (its detail is 0), and does not follow a press outside.
  if (!isOutside || !event.detail) return
  isOutside = false
  event.preventDefault()
  event.stopPropagation()
}, true)
