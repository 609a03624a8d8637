import BelfryEngine
import BelfryModel
import CivilTime
import WebAccess

/// The tokens, sessions and passkeys that a visitor may end, and forms to make more.
struct AccessPage: Sendable {
  let all: [Access]
  let visitor: Access
  let lists: [Checklist]
  let people: [Person]
  let forms: AccessForms
  /// True if a passkey can be added at once, false if that needs a new sign-in; `nil` if browsers permit none.
  let passkeys: Bool?
  let time: PageTime

  private var decides: Bool { visitor.may(.admin) && visitor.grant.isForAllLists }

  func add(to body: inout HTML) {
    body.paragraph(
      decides
        ? "The tokens, sessions and passkeys of everybody."
        : "The sessions and passkeys that are yours."
          + (visitor.grant.isForAllLists ? "" : " \(SettingsPage.limits)"),
      ["class": "hint"])
    body.live("holders") { body in
      guard !all.isEmpty else { return body.paragraph("There are none.", ["class": "empty"]) }
      body.markup("<ul class=\"rings card\">\n")
      for access in all { add(access, to: &body) }
      body.markup("</ul>\n")
    }
    addPasskeys(to: &body)
    if RouteRight.allLists(.read).permits(visitor.grant) {
      body.element("p") { body in
        body.element("a", "The browsers that show reminders", ["href": "/notifications", "class": "button"])
      }
    }
    guard decides else { return }
    body.markup("<div class=\"columns\">\n")
    addTokenForm(to: &body)
    addLinkForm(to: &body)
    body.markup("</div>\n")
  }

  private func add(_ access: Access, to body: inout HTML) {
    let moment = time.moment(.floating)
    body.element("li") { body in
      body.element("p") { body in
        body.element("strong", access.name(at: time), ["dir": "auto"])
        if access.kind == .token { body.element("span", "token") }
        if access.kind == .passkey { body.element("span", "passkey") }
        body.element("span", access.grant.scope.rawValue, ["class": "state"])
        if let person = access.grant.person { body.element("span", person, ["dir": "auto"]) }
        if access.isSame(as: visitor) { body.element("em", access.kind == .session ? "this browser" : "this one") }
      }
      body.element("p", ["class": "when"]) { body in
        body.element(
          "span", access.lastUsedAt.map { "last used about \(moment.short(max($0, access.madeAt)))" } ?? "never used")
        body.element("span", "made \(moment.short(access.madeAt))")
        if let end = access.expiresAt { body.element("span", "ends \(moment.short(end))") }
        if !access.grant.isForAllLists {
          let names = access.grant.lists.compactMap { id in lists.first { $0.uuid == id }?.name }
          body.element("span", names.isEmpty ? "for lists that are gone" : "for \(names.joined(separator: ", "))")
        }
      }
      let path = "/access/revoke?name=\(FormFields.encoded(access.name))"
      body.element(
        "a", "End", ["class": "button", "href": path, "aria-label": "End \(access.name(at: time))"])
    }
  }

  // MARK: Forms

  private func addPasskeys(to body: inout HTML) {
    guard visitor.kind == .session else { return }
    body.markup("<section class=\"card\"><h2>A passkey of yours</h2>\n")
    body.paragraph(
      "It signs you in by finger, face or PIN, with the rights of this session, until you end it here.",
      ["class": "hint"])
    switch passkeys {
    case nil: body.paragraph("Browsers allow passkeys over https, and on this machine under the name localhost.")
    case false?:
      body.element("p") { body in
        body.add("You signed in more than ten minutes ago. ")
        body.element("a", "Sign in again", ["href": "/sign-in"])
        body.add(" to add one.")
      }
    case true?:
      body.passkeyForm(action: "/access/passkeys", options: "/access/passkeys/options", button: "Add a passkey") {
        var label = Field("label", "Its name", value: "")
        label.isRequired = true
        label.add(to: &$0)
      }
    }
    body.markup("</section>\n")
  }

  private func addTokenForm(to body: inout HTML) {
    body.markup("<section class=\"card\"><h2>A token for a program</h2>\n")
    body.element("form", ["method": "post", "action": "/access/tokens", "data-whole": ""]) { body in
      var name = Field("name", "Name", value: forms.token.name, error: forms.errors["name"])
      name.isRequired = true
      name.add(to: &body)
      addScope("scope", forms.token.scope, AccessScope.allCases, to: &body)
      addPerson("person", forms.token.person, to: &body)
      addLists("list", forms.lists, to: &body)
      body.markup("<button class=\"main\">Add a token</button>\n")
    }
    body.markup("</section>\n")
  }

  private func addLinkForm(to body: inout HTML) {
    body.markup("<section class=\"card\"><h2>A link to sign in</h2>\n")
    body.paragraph("It works once, within five minutes: for another browser, or for somebody else.", ["class": "hint"])
    body.element("form", ["method": "post", "action": "/access/links", "data-whole": ""]) { body in
      addPerson("guest", forms.link.person, to: &body)
      addScope("right", forms.link.scope, AccessScope.allCases.filter { $0 != .feed }, to: &body)
      addLists("only", forms.linkLists, to: &body)
      body.markup("<button class=\"main\">Make a link</button>\n")
    }
    body.markup("</section>\n")
  }

  private func addScope(_ name: String, _ value: String, _ scopes: [AccessScope], to body: inout HTML) {
    var field = Field(name, "Scope", value: value, error: forms.errors[name])
    field.control = .choice(scopes.map { ($0.rawValue, "\($0.rawValue): \($0.words)") })
    field.add(to: &body)
  }

  private func addPerson(_ name: String, _ value: String, to body: inout HTML) {
    // Without people in the config there is nobody to choose.
    guard !people.isEmpty else { return }
    var field = Field(name, "Person", value: value, error: forms.errors[name])
    field.control = .choice([("", "nobody in particular")] + people.map { ($0.name, $0.name) })
    field.add(to: &body)
  }

  private func addLists(_ name: String, _ chosen: [Int64], to body: inout HTML) {
    guard !lists.isEmpty else { return }
    body.element("details", ["class": "sub"]) { body in
      body.markup("<summary>Only for some lists</summary>\n")
      for list in lists {
        body.markup("<label class=\"mark\"><input type=\"checkbox\" name=\"")
        body.add(name)
        body.markup("\" value=\"")
        body.add(list.id)
        body.markup(chosen.contains(list.id) ? "\" checked> " : "\"> ")
        body.element("bdi", list.name, ["class": "brief"])
        body.markup("</label>")
      }
    }
  }
}

extension Access {
  /// Its name, for a session with the day on which it began, since a person may have several in one browser.
  func name(at time: PageTime) -> String {
    kind == .session ? "\(shownName), \(Moment.day(time.planner.floatingZone.wallTime(at: madeAt).date))" : shownName
  }
}

extension AccessScope {
  fileprivate var words: String {
    switch self {
    case .read: "see everything"
    case .answer: "answer reminders, check and snooze"
    case .edit: "change lists and items"
    case .admin: "decide about access and deliveries"
    case .feed: "the calendar, and nothing else"
    }
  }
}
