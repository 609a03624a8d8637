import BelfryEngine
import BelfryModel
import FoundationEssentials
import Hummingbird
import WebAccess

/// The page about access to the server: what each person has, how to end it, and access for others.
struct AccessRoutes: RouteGroup {
  let calls: StoreCalls
  let visitors: Visitors
  let setup: WebSetup

  var routes: [WebRoute] {
    [
      WebRoute(method: .get, path: "/access", right: .scope(.read)) { try await show($0, $1) },
      WebRoute(method: .get, path: "/access/revoke", right: .scope(.read)) { try await confirm($0, $1) },
      WebRoute(method: .post, path: "/access/revoke", right: .scope(.read)) { try await revoke($0, $1) },
      WebRoute(method: .post, path: "/access/tokens", right: .allLists(.admin)) { try await addToken($0, $1) },
      WebRoute(method: .post, path: "/access/links", right: .allLists(.admin)) { try await makeLink($0, $1) },
    ]
  }

  private func show(_ request: Request, _ context: WebContext) async throws -> Response {
    try await page(AccessForms(), request, try context.signedIn())
  }

  private func page(_ forms: AccessForms, _ request: Request, _ visitor: Access) async throws -> Response {
    let now = visitors.time.now
    let all = try await visitors.useAccess { access in try access.list(at: now) }
    let passkeys = PasskeySite(request.head, visitors) == nil ? nil : visitor.isFresh(at: now)
    var (page, shell) = try await calls.page(request, visitor) { [people = calls.belfry.settings.people] sight in
      AccessPage(
        all: all.filter { $0.isOpen(to: visitor) }, visitor: visitor, lists: try sight.lists(), people: people,
        forms: forms, passkeys: passkeys, time: PageTime(sight.reading))
    }
    shell.back = .settings
    return shell.response(
      "Access", to: request, status: forms.errors.isEmpty ? .ok : .unprocessableContent
    ) { page.add(to: &$0) }
  }

  // MARK: Ending

  private func confirm(_ request: Request, _ context: WebContext) async throws -> Response {
    let visitor = try context.signedIn()
    let access = try await access(FormFields(query: request), visitor)
    let name = try await calls.read(for: visitor) { access.name(at: PageTime($0.reading)) }
    let consequence =
      switch access.kind {
      case .passkey:
        "Nobody can sign in with it any more. Whoever did so is signed out, and their browsers show no more reminders."
      case .session, .token, .proxy:
        "Programs that use it need a new one. Sessions and sign-in links made with it end too, and their browsers show "
          + "no more reminders."
      }
    let page = ConfirmationPage(
      question: access.isSame(as: visitor) ? "End the session of this browser?" : "End \(name)?",
      consequence: consequence, action: "/access/revoke", button: "End it", back: "/access",
      fields: [("name", access.name)])
    let shell = try await shell(request, visitor)
    return shell.response(page.question, to: request, hasHeading: true) { page.add(to: &$0) }
  }

  private func revoke(_ request: Request, _ context: WebContext) async throws -> Response {
    let visitor = try context.signedIn()
    let access = try await access(FormFields(request), visitor)
    let now = visitors.time.now
    let isLeft = try await visitors.useAccess { tables in
      let files = setup.sections.subscriptionFiles.union(setup.pushChannels.map(\.file))
      try tables.revoke(access.name, subscriptionsIn: Array(files))
      return try visitor.kind == .proxy || tables.list(at: now).contains { $0.isSame(as: visitor) }
    }
    if isLeft { return .leading(to: Notice.path("/access", after: .revoked)) }
    var response = Response.leading(to: "/sign-in")
    response.headers[.setCookie] = SecretCookie.session.removing(isSecure: visitors.isSecure(request.head))
    response.headers.set(SecretCookie.clearing.name, SecretCookie.clearing.value)
    return response
  }

  // Another person's access is not found, so that its name stays unknown.
  private func access(_ fields: FormFields, _ visitor: Access) async throws -> Access {
    guard let name = try fields.text("name") else { throw Problem(.badRequest, "the form names no access") }
    let now = visitors.time.now
    let all = try await visitors.useAccess { access in try access.list(at: now) }
    guard let access = all.first(where: { $0.name == name && $0.isOpen(to: visitor) }) else {
      throw Problem(.notFound, "there is no access '\(name)'")
    }
    return access
  }

  // MARK: Access for others

  private func addToken(_ request: Request, _ context: WebContext) async throws -> Response {
    let (visitor, now) = (try context.signedIn(), visitors.time.now)
    var forms = try AccessForms(token: await FormFields(request, upTo: FormFields.mostText))
    let lists = forms.lists
    let uuids = try await calls.read(for: visitor) { sight in try lists.map { try sight.list($0).uuid } }
    guard let grant = forms.tokenGrant(uuids, calls.belfry.settings.people) else {
      return try await page(forms, request, visitor)
    }
    let name = forms.token.name
    let shell = try await shell(request, visitor)
    do {
      let token = try await visitors.useAccess { access in try access.addToken(name, for: grant, at: now) }
      if grant.scope == .feed, let origin = visitors.origin {
        return secret(
          "The calendar of \(name)", origin + FeedPath.path(token),
          "A calendar program subscribes to this URL. Whoever knows it sees the calendar.", request, shell)
      }
      return secret(
        "The token of \(name)", token, "A program signs in with the header 'Authorization: Bearer TOKEN'.", request,
        shell)
    } catch let error as Concealed where error.error.isForWhoTyped {
      forms.errors["name"] = error.error.forWhoTyped
      return try await page(forms, request, visitor)
    }
  }

  private func makeLink(_ request: Request, _ context: WebContext) async throws -> Response {
    let (visitor, now) = (try context.signedIn(), visitors.time.now)
    var forms = try AccessForms(link: await FormFields(request, upTo: FormFields.mostText))
    guard let origin = visitors.origin else {
      throw Problem(
        .conflict, "the config does not say by which URL browsers reach the web face", hint: "set web.public_url")
    }
    let lists = forms.linkLists
    let uuids = try await calls.read(for: visitor) { sight in try lists.map { try sight.list($0).uuid } }
    guard let grant = forms.linkGrant(uuids, calls.belfry.settings.people) else {
      return try await page(forms, request, visitor)
    }
    let shell = try await shell(request, visitor)
    let link = try await visitors.useAccess { access in try access.makeLink(for: grant, by: visitor, at: now) }
    return secret(
      "A link to sign in", "\(origin)/sign-in/\(link)", "It works once, within five minutes.", request, shell)
  }

  private static let place = Shell.Place(name: "Access", path: "/access")

  // Read before a secret is made, since a secret whose page fails is never seen.
  private func shell(_ request: Request, _ visitor: Access) async throws -> Shell {
    var shell = try await calls.shell(request, visitor)
    shell.back = Self.place
    return shell
  }

  private func secret(
    _ title: String, _ secret: String, _ use: String, _ request: Request, _ shell: Shell
  ) -> Response {
    shell.response(title, to: request) { body in
      body.element("p", ["class": "card"]) { $0.element("code", secret, ["class": "secret", "dir": "ltr"]) }
      body.paragraph("It is shown only once. \(use)")
    }
  }
}

extension Access {
  /// True if both are the same access, even if its use has changed some fields.
  func isSame(as other: Access) -> Bool { kind == other.kind && name == other.name && madeAt == other.madeAt }
}
