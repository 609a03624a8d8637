// The number on the icon of the installed page: the overdue items, now and after every change.

const isInstalled = navigator.setAppBadge && matchMedia("(display-mode: standalone)").matches

async function badge() {
  const reply = await fetch("/api/v1/lists?limit=500").catch(() => null)
  if (!reply?.ok) return
  navigator.setAppBadge((await reply.json()).reduce((sum, list) => sum + list.overdue, 0))
}

if (isInstalled && session) {
  let timer
  const later = () => {
    clearTimeout(timer)
    timer = setTimeout(badge, 1000)
  }
  new MutationObserver(later).observe(main, { childList: true, subtree: true })
  later()
}
