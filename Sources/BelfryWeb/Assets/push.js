// A form with `data-push` asks for the server's key at the path that it names, has the browser subscribe, and sends the
// address that its push service gave it.

const base64 = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
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
      "This browser may not show notifications of this page: its settings permit them.",
    )
  }
  const reply = await fetch(path, { method: "POST", headers: { Accept: "application/json" } })
  const { key, detail } = await reply.json()
  if (!reply.ok) throw new Error(detail + ".")
  await navigator.serviceWorker.register("/worker.js")
  const { pushManager } = await navigator.serviceWorker.ready
  const old = await pushManager.getSubscription()
  // It takes messages of the key that it was made with, and of no other.
  if (old && base64(old.options.applicationServerKey) != key) await old.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
}

addEventListener("submit", async (event) => {
  const form = event.target
  if (!form.dataset.push) return
  event.preventDefault()
  try {
    const { endpoint, keys } = (await subscribe(form.dataset.push)).toJSON()
    for (const [name, value] of Object.entries({ endpoint, ...keys })) {
      const field = form.elements[name] ?? form.appendChild(document.createElement("input"))
      Object.assign(field, { type: "hidden", name, value })
    }
    form.submit()
  } catch (fault) {
    const line = form.querySelector("[role=alert]") ?? form.appendChild(document.createElement("p"))
    line.setAttribute("role", "alert")
    line.className = "error"
    line.textContent = fault.message
  }
})

// Which of the subscriptions is this browser's, only the browser knows.
const subscription = await subscribed().catch(() => null)
if (subscription) {
  const digest = await crypto.subtle.digest(
    "SHA-256",
    new TextEncoder().encode(subscription.endpoint),
  )
  document.querySelector(`[data-mark="${base64(digest)}"] em`)?.removeAttribute("hidden")
}
