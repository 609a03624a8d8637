extension AssetRoutes {
  // The definitions that all parts use. Elements made by the script have `data-made`, and are not kept for offline use.
  static let start = #"""
    const $ = (query, root = document) => root.querySelector(query)
    const all = (query, root = document) => [...root.querySelectorAll(query)]
    const main = $("#main")
    const session = main.dataset.session

    const pageOf = url => {
      const { pathname, searchParams } = new URL(url, location)
      for (const name of ["done", "item"]) searchParams.delete(name)
      return pathname + (searchParams.size ? "?" + searchParams : "")
    }
    const here = pageOf(location)

    function make(name, text, attributes = {}) {
      const made = document.createElement(name)
      made.dataset.made = ""
      made.textContent = text
      for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
      return made
    }

    for (const old of all("[data-made]")) old.remove()

    // For screen readers alone: who looks has seen it.
    function say(text) {
      $("#status .said")?.remove()
      $("#status").append(make("p", text, { class: "said" }))
    }

    function tell(text, style = "notice") {
      $("#status").replaceChildren(make("p", text, { class: style }))
    }

    """#

  // Makes a part of the page like another, and leaves what is the same as it is: focus, open menus, typed texts.
  static let morphing = #"""
    const typed = new WeakSet
    addEventListener("input", event => event.target.form && typed.add(event.target.form))

    function morph(old, fresh) {
      if (old.isEqualNode(fresh) || typed.has(old)) return
      if (old.nodeType != 1 || old.nodeName != fresh.nodeName) return old.replaceWith(fresh)
      for (const { name } of [...old.attributes])
        if (!fresh.hasAttribute(name) && name != "open") old.removeAttribute(name)
      for (const { name, value } of fresh.attributes) if (old.getAttribute(name) != value) old.setAttribute(name, value)
      const known = new Map([...old.children].filter(child => child.id).map(child => [child.id, child]))
      let place = old.firstChild
      for (const child of [...fresh.childNodes]) {
        while (place?.dataset?.made === "") place = place.nextSibling
        const same = child.id ? known.get(child.id)
          : place && !place.id && place.nodeName == child.nodeName ? place : null
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
      const near = [row?.nextElementSibling, row?.previousElementSibling].filter(Boolean)
      const shortcut = focus.className
      morph(old, fresh)
      if (document.activeElement == focus) return
      const next = focus.isConnected ? focus
        : near.map(li => $("." + (shortcut || "brief"), li)).find(found => found?.isConnected)
      ;(next ?? main).focus({ preventScroll: true })
    }

    """#

  // Forms, sent without leaving the page; except those that lead to a page of their own, which have `data-whole`.
  static let sending = #"""
    const isCheck = path => path.match(/^\/items\/(\d+)\/(check|uncheck)$/)

    addEventListener("submit", event => {
      const form = event.target, button = event.submitter
      const path = button?.getAttribute("formaction") ?? form.getAttribute("action") ?? here
      if (form.getAttribute("method") != "post" || "whole" in form.dataset || path == "/sign-out") return
      event.preventDefault()
      const fields = new URLSearchParams(new FormData(form, button))
      if (fields.has("line") && fields.get("line") == understood) fields.append("seen", "yes")
      send(path, fields, form)
    })

    async function send(path, fields, form) {
      let reply, page
      try {
        reply = await fetch(path, { method: "POST", body: fields, headers: { Accept: "text/html" } })
        page = new DOMParser().parseFromString(await reply.text(), "text/html")
      } catch {
        if (isCheck(path) && await opened) return keepCheck(path)
        return tell("Belfry cannot be reached. Nothing was changed.", "faults")
      }
      if (reply.status == 401) return leave()
      if (reply.redirected) {
        if (form) typed.delete(form)
        if (!reply.ok || pageOf(reply.url) != here) return location.assign(reply.url)
        form?.reset()
        if (form?.elements.line) echo(form, "")
        document.title = page.title
        say("")
        update(main, $("#main", page))
        return keepPage()
      }
      const action = form?.getAttribute("action")
      const fresh = action && all("form", page).find(other => other.getAttribute("action") == action)
      if (!fresh) return tell($(".error, .faults, main p", page)?.textContent ?? "That did not work.", "faults")
      typed.delete(form)
      document.title = page.title
      update(form, fresh)
      typed.add(form)
      const fault = $("[aria-invalid]", form)
      if (fault) fault.focus()
      else say($(".faults, .echo", form)?.textContent ?? "")
    }

    // Echoes the meaning of a time while it is typed.
    let understood = null, question, pause
    addEventListener("input", ({ target }) => {
      const form = target.form
      if (target.name != "line" && !(form?.matches(".item") && $("#echo", form))) return
      clearTimeout(pause)
      pause = setTimeout(() => ask(form), 250)
    })

    async function ask(form) {
      question?.abort()
      question = new AbortController
      const headers = { Fragment: "echo" }, signal = question.signal
      const line = form.elements.line?.value
      const fields = new URLSearchParams(new FormData(form))
      fields.append("show", "yes")
      try {
        const action = form.getAttribute("action")
        const reply = await (line == null
          ? fetch(action, { method: "POST", body: fields, headers, signal })
          : fetch(action.replace("items", "new") + "?" + new URLSearchParams({ line }), { headers, signal }))
        if (reply.ok) echo(form, await reply.text(), line)
      } catch {}
    }

    function echo(form, html, line = null) {
      const fresh = new DOMParser().parseFromString(html, "text/html").body.firstElementChild ?? make("div", "")
      understood = fresh.textContent.trim() ? line : null
      let box = $("#echo", form)
      if (!box) form.append(box = make("div", "", { id: "echo", role: "status", class: "wide" }))
      box.replaceChildren(...fresh.childNodes)
    }

    """#
}
