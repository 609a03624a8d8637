import BelfryEngine
import BelfryModel
import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore
import WebAccess

/// Signing in with a link, and out.
struct SignIn: RouteGroup, Sendable {
  let visitors: Visitors
  let origin: OriginRule
  let mail: SignInMail

  /// The path of the page that says how to sign in.
  static let path = "/sign-in"

  private static let destinationTime = 900.0

  var routes: [WebRoute] {
    [
      WebRoute(method: .get, path: Self.path, right: .none) { request, _ in try await explain(request) },
      WebRoute(method: .post, path: Self.path, right: .none) { request, _ in try await sendLink(request) },
      WebRoute(method: .get, path: "/sign-in/:secret", right: .none) { request, context in
        try await page(request, context)
      },
      WebRoute(method: .post, path: "/sign-in/:secret", right: .none) { request, context in
        try await signIn(request, context)
      },
      WebRoute(method: .post, path: "/sign-out", right: .none) { request, _ in try await signOut(request) },
    ]
  }

  // Viewing changes nothing, so that a program that prefetches the link does not use it up.
  private func page(_ request: Request, _ context: WebContext) async throws -> Response {
    let now = visitors.time.now
    let secret = try secret(context)
    let isGood = try await visitors.useAccess { access in try access.isLinkGood(secret, at: now) }
    guard isGood else { throw await refusal(of: request, context) }
    return .page("Sign in") { body in
      body.paragraph("This signs the browser in. The link works once.")
      body.form(action: "/sign-in/\(secret)", button: "Sign in", style: "main")
    }
  }

  private func signIn(_ request: Request, _ context: WebContext) async throws -> Response {
    // Otherwise another site could sign a browser in to another person's account.
    try origin.checkSignIn(request.head)
    let now = visitors.time.now
    let secret = try secret(context)
    let isSecure = visitors.isSecure(request.head)
    let time = Self.sessionTime(isSecure: isSecure)
    let (session, destination) = try await visitors.useAccess { access in
      let label = BrowserName.name(request.head)
      let session = try access.openSession(link: secret, label: label, lasting: time, at: now)
      return (session, try Self.destination(request.head, isSecure: isSecure, in: access, at: now))
    }
    guard let session else { throw await refusal(of: request, context) }
    return Self.entered(session, lasting: time, isSecure: isSecure, destination, request.head)
  }

  private func refusal(of request: Request, _ context: WebContext) async -> Problem {
    await visitors.refusal(of: request.head, from: context.peer, .signIn, Self.spent)
  }

  /// The reply that starts a browser's session, and redirects to the page that the browser had asked for.
  static func entered(
    _ session: String, lasting time: Double, isSecure: Bool, _ destination: Destination?, _ head: HTTPRequest
  ) -> Response {
    let page = WayBack.page(head, isSecure: isSecure)
    var response = Response(
      status: .seeOther,
      headers: [
        .location: destination?.path ?? page ?? "/",
        .setCookie: SecretCookie.session.setting(session, lasting: time, isSecure: isSecure),
      ])
    if page != nil {
      response.headers.append(
        HTTPField(name: .setCookie, value: SecretCookie.page.removing(isSecure: isSecure)))
    }
    return response
  }

  private func signOut(_ request: Request) async throws -> Response {
    let isSecure = visitors.isSecure(request.head)
    if case .session(let secret)? = Credential(request.head, isSecure: isSecure) {
      try await visitors.useAccess { access in try access.endSession(secret) }
    }
    var response = Response.page("Signed out") { $0.paragraph("'belfry access link' makes a link to sign in again.") }
    response.headers[.setCookie] = SecretCookie.session.removing(isSecure: isSecure)
    response.headers.set(SecretCookie.clearing.name, SecretCookie.clearing.value)
    return response
  }

  /// The length of a session, in seconds.
  static func sessionTime(isSecure: Bool) -> Double { isSecure ? 30 * 86_400 : 12 * 3_600 }

  private func secret(_ context: WebContext) throws -> String { try context.parameters.require("secret") }

  private static let spent = Problem(
    .gone, "this link was used already, or its five minutes are over", hint: "'belfry access link' makes another")
}

// MARK: The page after sign-in

extension SignIn {
  /// Keeps the page to which a browser is redirected once it has signed in.
  ///
  /// - Returns: the secret in its cookie.
  static func keep(_ destination: Destination, in access: AccessStore, at now: Date) throws -> String {
    try access.keep(destination, until: now.addingTimeInterval(destinationTime), at: now)
  }

  /// The reply that redirects a browser to the page about signing in.
  static func asking(_ secret: String, isSecure: Bool) -> Response { leading(to: path, secret, isSecure: isSecure) }

  /// The reply that redirects a browser to a page, with the secret of its destination in case it has to sign in there.
  static func leading(to path: String, _ secret: String, isSecure: Bool) -> Response {
    let cookie = SecretCookie.destination.setting(secret, lasting: destinationTime, isSecure: isSecure)
    return Response(status: .seeOther, headers: [.location: path, .setCookie: cookie])
  }

  static func destination(
    _ head: HTTPRequest, isSecure: Bool, in access: AccessStore, at now: Date
  ) throws -> Destination? {
    try SecretCookie.destination.secret(in: head, isSecure: isSecure).flatMap { try access.destination($0, at: now) }
  }

  // A browser that has just signed in is redirected at once.
  private func explain(_ request: Request) async throws -> Response {
    let now = visitors.time.now
    let isSecure = visitors.isSecure(request.head)
    let (session, destination) = try await visitors.useAccess { access in
      let secret = SecretCookie.session.secret(in: request.head, isSecure: isSecure)
      let session = try secret.flatMap { try access.session($0, at: now) }
      return (session, try Self.destination(request.head, isSecure: isSecure, in: access, at: now))
    }
    if let session, session.isFresh(at: now), let destination {
      return Response(status: .seeOther, headers: [.location: destination.path])
    }
    let hasPasskeys = PasskeySite(request.head, visitors) != nil
    let isStale = session.map { !$0.isFresh(at: now) } ?? false
    return .page("Sign in first") { body in
      if isStale { body.paragraph("You signed in more than ten minutes ago, which is too long for this.") }
      if mail.isPossible { Self.addForm(destination?.person ?? session?.grant.person ?? "", to: &body) }
      body.element("p") { body in
        body.add(mail.isPossible ? "Or run " : "Run ")
        body.element("code", "belfry access link")
        body.add(" on the computer where Belfry keeps its store, and open the link that it prints in this browser. ")
        body.add("It works once, within five minutes.")
      }
      if destination != nil { body.paragraph("You then come back to the reminder.") }
      if destination == nil, WayBack.page(request.head, isSecure: isSecure) != nil {
        body.paragraph("You then come to the page that you asked for.")
      }
      guard hasPasskeys else { return }
      body.paragraph("If you have added a passkey, it is enough:")
      body.passkeyForm(action: "/passkeys/sign-in", options: "/passkeys/options", button: "Sign in with a passkey")
    }
  }
}

// MARK: A link by mail

extension SignIn {
  private static func addForm(_ person: String, to body: inout HTML) {
    body.markup("<form class=\"line\" method=\"post\" action=\"/sign-in\">\n")
    var field = Field("person", "Your name or mail address", value: person)
    field.isRequired = true
    field.hint = "A link to sign in is sent to the address that Belfry's config has for you."
    field.add(to: &body)
    body.markup("<button class=\"main\">Send me a link</button>\n</form>\n")
  }

  // The reply is the same for every name, since the sender has not shown who they are.
  private func sendLink(_ request: Request) async throws -> Response {
    try origin.checkSignIn(request.head)
    let text = try await FormFields(request).text("person") ?? ""
    let person = try TextRules.line(text, what: "the name", hint: "give one name or address")
    guard mail.isPossible else {
      throw Problem(.notFound, "this server mails no links", hint: "'belfry access link' makes one")
    }
    mail.send(to: person)
    return .page("Check your mail", status: .accepted) { body in
      body.paragraph(
        "If Belfry's config has a mail address for '\(person)', a link is on its way there. It works once, and for five "
          + "minutes: open it in this browser.", ["dir": "auto"])
      body.paragraph("Nothing came? Another link can be sent after a minute.", ["class": "quiet"])
      body.element("p") { $0.element("a", "Back", ["href": Self.path]) }
    }
  }
}

extension Destination {
  /// The path of the page of its reminder, or of one action.
  var path: String {
    let base = "/reminders/\(reminder.uuidString.lowercased())"
    return action.map { "\(base)/actions/\($0)" } ?? base
  }
}
