// Makes a part of the page equal to another; unchanged elements keep their focus, open menus and typed text.

function morph(old, fresh) {
  // Usually only some rows of a list differ, so the rows are compared without comparing the whole list first.
  const isPart = old.id || !old.firstElementChild
  if (typed.has(old) || (isPart && !old.dataset?.live && old.isEqualNode(fresh))) return
  if (old.nodeType != 1 || old.nodeName != fresh.nodeName) return old.replaceWith(fresh)
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && name != "open") old.removeAttribute(name)
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) != value) old.setAttribute(name, value)
  }
  const known = new Map(
    [...old.children].filter((child) => child.id).map((child) => [child.id, child]),
  )
  // Removed children go first, so that those behind them stay in place.
  const staying = new Set([...fresh.children].map((child) => child.id))
  for (const [id, child] of known) if (!staying.has(id) && child.dataset.made !== "") child.remove()
  let place = old.firstChild
  for (const child of [...fresh.childNodes]) {
    while (place?.dataset?.made === "") place = place.nextSibling
    const same = child.id
      ? known.get(child.id)
      : place && !place.id && place.nodeName == child.nodeName
      ? place
      : null
    if (same && same == place) place = place.nextSibling
    else old.insertBefore(same ?? child, place)
    if (same) morph(same, child)
  }
  while (place) {
    const next = place.nextSibling
    if (place.dataset?.made !== "") place.remove()
    place = next
  }
}

function update(old, fresh) {
  const focus = document.activeElement
  const row = focus.closest("li[id]")
  const near = [row, row?.nextElementSibling, row?.previousElementSibling].filter(Boolean)
  const shortcut = focus.className
  morph(old, fresh)
  if (document.activeElement == focus) return
  const next = focus.isConnected ? focus : near.map((li) => document.getElementById(li.id) ?? li)
    .map((li) => $("." + (shortcut || "brief"), li)).find((found) => found?.isConnected)
  ;(next ?? main).focus({ preventScroll: true })
}
