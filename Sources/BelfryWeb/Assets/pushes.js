// Notifications. Browsers require that every push shows one, and otherwise end the subscription.

const read = (data) => {
  try {
    return data.json()
  } catch {
    return { title: "Belfry", text: "Something rang that cannot be shown here." }
  }
}

// Milliseconds of vibration and of pause, in turn.
const vibrations = {
  normal: [200, 100, 200],
  high: [300, 100, 300, 100, 300],
  critical: [600, 200, 600, 200, 600, 200, 600, 200, 600],
}

function show(push) {
  const { tag, title, text, actions = [], silent = false, urgency, time } = push
  const most = globalThis.Notification?.maxActions ?? 2
  return registration.showNotification(title, {
    tag,
    silent,
    body: text,
    icon: "ICON",
    timestamp: time,
    renotify: Boolean(tag) && !silent,
    requireInteraction: urgency == "critical",
    ...(silent ? {} : { vibrate: vibrations[urgency] ?? vibrations.normal }),
    actions: actions.slice(0, most).map(({ title }, place) => ({ action: String(place), title })),
    data: push,
  })
}

// Without a session the present number of overdue items is unknown, so the number in the message is used.
async function mark(known) {
  if (!navigator.setAppBadge) return
  const reply = await fetch("/api/v1/lists?limit=500").catch(() => null)
  const count = reply?.ok
    ? (await reply.json()).reduce((sum, list) => sum + list.overdue, 0)
    : known
  if (count != null) await navigator.setAppBadge(count)
}

// Chromium forgets a notification that is on its way to the screen when it is asked which ones are shown: several
// pushes at once would lose some, so each has its turn.
let last = Promise.resolve()
const inTurn = (work) => last = last.then(work, work)

addEventListener("push", (event) => event.waitUntil(receive(read(event.data))))
async function receive(push) {
  await inTurn(() => put(push))
  await mark(push.badge)
}

async function put(push) {
  const [shown] = await registration.getNotifications({ tag: push.tag })
  // A person who pressed a button here still sees the result, and can undo it.
  const isOwn = push.isOver && shown?.data?.isAnswered
  await show(isOwn ? shown.data : push)
  const pages = await clients.matchAll({ type: "window" })
  // A person who is viewing a page sees the answer there.
  if (push.isOver && !isOwn && pages.some((page) => page.visibilityState == "visible")) {
    for (const each of await registration.getNotifications({ tag: push.tag })) each.close()
  }
}

async function press(push, { title, token, answer }) {
  const reply = await fetch(`/a/${token}${answer ? "/take-back" : ""}`, {
    method: "POST",
    headers: { Accept: "application/json" },
    credentials: "omit",
    ...(answer ? { body: new URLSearchParams({ answer }) } : {}),
  }).catch(() => null)
  const result = { ...push, silent: true, actions: [], isAnswered: true }
  if (!reply) {
    Object.assign(result, { actions: push.actions, isAnswered: false })
    result.text = `${title}: Belfry cannot be reached. Press again later.`
  } else if (answer) {
    result.text = reply.ok ? "Taken back." : "It could not be taken back: open the page."
  } else {
    const { id, effect, detail } = await reply.json().catch(() => ({}))
    result.text = !reply.ok
      ? `${title}: ${detail ?? "it could not be done"}.`
      : effect == "done"
      ? `${title}.`
      : `${title}: it was answered before.`
    if (reply.ok && effect == "done" && id) result.actions = [{ title: "Undo", token, answer: id }]
  }
  await inTurn(() => show(result))
  await mark()
}

addEventListener("notificationclick", (event) => {
  const { notification, action } = event
  const push = notification.data ?? {}
  const pressed = push.actions?.[action]
  if (pressed?.token) return event.waitUntil(press(push, pressed))
  notification.close()
  const { pathname } = new URL(pressed?.url ?? push.url ?? "/", location)
  event.waitUntil(clients.openWindow(pathname))
})

addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)))
async function renew({ oldSubscription, newSubscription }) {
  if (!oldSubscription) return
  const { applicationServerKey } = oldSubscription.options
  const fresh = newSubscription ??
    await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
  const { endpoint, keys } = fresh.toJSON()
  const fields = { old: oldSubscription.endpoint, endpoint, ...keys }
  await fetch("/notifications/renew", { method: "POST", body: new URLSearchParams(fields) })
}
