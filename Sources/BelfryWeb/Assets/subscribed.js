// If the server no longer knows the subscription of this browser, which is then useless, ends it and asks once to
// subscribe again.

async function askAnew() {
  const registration = await navigator.serviceWorker?.getRegistration("/")
  const subscription = await registration?.pushManager?.getSubscription()
  if (!subscription) return
  const body = new URLSearchParams({ endpoint: subscription.endpoint })
  const headers = { Accept: "application/json" }
  const reply = await fetch("/notifications/known", { method: "POST", body, headers })
  // A proxy's own page says nothing about the subscription.
  if (reply.status != 404 || !isJSON(reply)) return
  await subscription.unsubscribe()
  dispatchEvent(new Event("unsubscribed"))
  tell("Notifications no longer ring in this browser. Settings turns them on again.")
}

if (session) askAnew().catch(() => {})
