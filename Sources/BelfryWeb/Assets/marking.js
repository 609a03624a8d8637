// A check shows at once and is sent in the background, as one request; if refused, it is reverted with a message.

let sendingCount = 0
function endSending() {
  if (!--sendingCount) isStale ? refresh() : catchUp()
}

function strike(row, id, word) {
  moment++
  // The state in which the server has shown the row.
  row.dataset.was ??= row.matches(".done")
  row.classList.remove("leaving")
  row.classList.toggle("done", word == "check")
  const box = $(".check", row), other = word == "check" ? "uncheck" : "check"
  box.setAttribute("formaction", `/items/${id}/${other}`)
  box.setAttribute("aria-labelledby", `say-${other} t${id}`)
}

// A check is sent at once. Later changes wait for its outcome, as does another check of the same item.
function mark(row, path) {
  const [, id, word] = isCheck(path)
  const isSecond = [...waiting].some((change) => isCheck(change.path)?.[1] == id)
  const change = changeOf(path, new URLSearchParams({ back: here }))
  strike(row, id, word)
  sendingCount++
  waiting.add(change)
  const outcome = isSecond ? null : sendMark(row, change)
  return inTurn(() => outcome ?? sendMark(row, change))
}

async function sendMark(row, change) {
  const [, id, word] = isCheck(change.path), other = word == "check" ? "uncheck" : "check"
  let reason
  try {
    if (isOver) {
      strike(row, id, other)
      return tellOver()
    }
    if (keepsChanges()) {
      await keepCheck(change, "Earlier changes are sent first.")
      return sendKept()
    }
    const reply = await post(change, { Fragment: "status" })
    if (reply.status == 401) return leave()
    const page = new DOMParser().parseFromString(await reply.text(), "text/html")
    // If the page is not Belfry's own, but for example a proxy's sign-in page, the check is kept and sent later. After
    // an error of the server it may have taken effect; its key ensures that it counts once.
    if (reply.status >= 500) throw new Error(reason = isBusyNow)
    if (reply.ok && (reply.redirected || !$("body > .notice", page))) throw new Error("no notice")
    if (!reply.ok) {
      strike(row, id, other)
      return tell($("main p", page)?.textContent ?? "That did not work.", "fault")
    }
    reached = Date.now()
    lostUndo = null
    moment++
    ownChange(reply.headers.get("Change"))
    $("#status").replaceChildren(...page.body.childNodes)
    settle(row)
  } catch {
    if (isOver) return
    if (await opened) return keepCheck(change, reason)
    strike(row, id, other)
    tell(`${reason ?? isAway} Try again later.`, "fault")
  } finally {
    waiting.delete(change)
    endSending()
  }
}

// A repeating item stays, with its next date; search results stay where they are.
function settle(row) {
  if (row.matches(".again")) return refresh()
  if (here.startsWith("/search")) return
  // It was checked and unchecked again.
  if (row.dataset.was == String(row.matches(".done"))) return
  row.classList.add("leaving")
  setTimeout(() => {
    const list = row.parentNode
    // An undo has brought the row back.
    if (!list || !row.matches(".leaving")) return
    const next = $(".check", row.nextElementSibling ?? row.previousElementSibling ?? row)
    if (row.contains(document.activeElement)) (row.contains(next) ? main : next).focus()
    row.remove()
    if (!list.children.length) refresh()
    keepPage()
  }, matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 400)
}
