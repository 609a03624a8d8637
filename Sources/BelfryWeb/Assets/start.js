// The definitions that all parts use. Elements made by the script have `data-made`, and go when a copy is opened.

const $ = (query, root = document) => root.querySelector(query)
const all = (query, root = document) => [...root.querySelectorAll(query)]
const main = $("#main")
const session = main.dataset.session

const pageOf = (url) => {
  const { pathname, searchParams } = new URL(url, location)
  const ofNotice = ["done", "item", "many", "change", "skipped", "skips"]
  for (const name of ofNotice) searchParams.delete(name)
  return pathname + (searchParams.size ? "?" + searchParams : "")
}
// The page that is shown; it changes only when a choice of rows ends.
let here = pageOf(location)
// The notice that the address names is shown once: a reload, or the way back, does not bring it again.
if (new URL(location).searchParams.has("done")) history.replaceState(null, "", here + location.hash)

function make(name, text, attributes = {}) {
  const made = document.createElement(name)
  made.dataset.made = ""
  made.textContent = text
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  return made
}

// A copy also has the notice that was shown when it was kept.
const outdated = main.dataset.kept ? "[data-made], .notice, .fault" : "[data-made]"
for (const old of all(outdated)) old.remove()

// True for a page of this server, and not, for example, of a proxy that asks for its own sign-in.
const isOurs = (page) => Boolean($("link[rel=stylesheet][href^='/style-']", page))

// Lets the browser handle presses before work goes on.
const nextTask = () => globalThis.scheduler?.yield?.()

// Parses a page in steps: first all but its rows, each of which is one line, then the rows. The result is in no
// document, where each button added to a form would make the browser go through all others of the form.
async function parse(text) {
  const page = document.implementation.createHTMLDocument().createElement("html"), runs = []
  page.innerHTML = text.replace(
    /(?:^<li [^\n]*<\/li>\n)+/gm,
    (run) => `<li data-run="${runs.push(run.split(/(?<=\n)/)) - 1}"></li>`,
  )
  for (const place of all("[data-run]", page)) {
    for (const rows = runs[place.dataset.run]; rows.length;) {
      await nextTask()
      place.insertAdjacentHTML("beforebegin", rows.splice(0, 30).join(""))
    }
    place.remove()
  }
  await nextTask()
  return page
}

const isJSON = (reply) => Boolean(reply.headers.get("Content-Type")?.includes("json"))

// Focuses an element, and opens the sections in which it is folded.
function reveal(element) {
  for (let fold = element.closest("details"); fold; fold = fold.parentNode.closest("details")) {
    fold.open = true
  }
  element.focus()
}

// Removes earlier messages, which do not concern the present action. The message that the page is a copy stays.
const hush = () => {
  for (const old of all("#status > [data-made]:not(.copy)")) old.remove()
}

// For screen readers only: the screen shows it already.
function say(text) {
  $("#status .said")?.remove()
  $("#status").append(make("p", text, { class: "said" }))
}

function tell(text, style = "notice") {
  $("#status").replaceChildren(make("p", text, { class: style }))
}
