// A press outside an open menu closes it, as the browser sees to, and presses nothing that lies there.

let isOutside = false
addEventListener("pointerdown", ({ target }) => {
  const menu = $(":popover-open")
  // A press on the menu's own button closes it too.
  const isOwn = menu?.contains(target) || target.closest(`[popovertarget="${menu?.id}"]`)
  isOutside = Boolean(menu && !isOwn)
}, true)
addEventListener("click", (event) => {
  // A press of a key has no place, and follows no press outside.
  if (!isOutside || !event.detail) return
  isOutside = false
  event.preventDefault()
  event.stopPropagation()
}, true)
