// A form with `data-push` asks for the server's key at the path that it names, has the browser subscribe, and sends the
// address that its push service gave it.

const subscribed = async () =>
  (await navigator.serviceWorker?.getRegistration("/"))?.pushManager?.getSubscription()

async function subscribe(path) {
  if (!navigator.serviceWorker || !globalThis.PushManager) {
    throw new Error(
      "This browser shows no notifications of this page. On an iPhone or iPad, put the page on the home " +
        "screen and open it there.",
    )
  }
  if (await Notification.requestPermission() != "granted") {
    throw new Error(
      "Notifications of this page are blocked: allow them in the settings of this browser.",
    )
  }
  const reply = await fetch(path, { method: "POST", headers: { Accept: "application/json" } })
  const { key, detail } = await reply.json()
  if (!reply.ok) throw new Error(detail + ".")
  await navigator.serviceWorker.register("/worker.js")
  const { pushManager } = await navigator.serviceWorker.ready
  const old = await pushManager.getSubscription()
  // A subscription accepts only messages signed with the key with which it was made.
  if (old && encode(old.options.applicationServerKey) != key) await old.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
}

addEventListener("submit", async (event) => {
  const form = event.target
  if (!form.dataset.push) return
  event.preventDefault()
  try {
    const { endpoint, keys } = (await subscribe(form.dataset.push)).toJSON()
    submit(form, { endpoint, ...keys })
  } catch (fault) {
    refuse(form, fault.message)
  }
})

// Only the browser knows which subscription is its own. A kept page may show one that has ended.
async function showHere(subscription) {
  const digest = subscription &&
    await crypto.subtle.digest("SHA-256", new TextEncoder().encode(subscription.endpoint))
  for (const each of document.querySelectorAll("[data-mark]")) {
    each.querySelector("em")?.toggleAttribute(
      "hidden",
      each.dataset.mark != (digest && encode(digest)),
    )
  }
  for (const each of document.querySelectorAll("[data-here] > p")) {
    each.toggleAttribute("hidden", !subscription)
  }
  for (const each of document.querySelectorAll("[data-here] > form")) {
    each.toggleAttribute("hidden", !!subscription)
  }
}

addEventListener("unsubscribed", () => showHere(null))
await showHere(await subscribed().catch(() => null))
