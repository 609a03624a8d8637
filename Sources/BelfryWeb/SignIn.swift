import BelfryEngine
import BelfryModel
import Hummingbird
import NIOCore
import Transport
import WebAccess

/// Signing in with a link, and out.
struct SignIn: Sendable {
  let visitors: Visitors
  let origin: OriginRule
  let publicURL: ServerURL?

  func add(to router: Router<WebContext>) {
    router.get("sign-in/:secret") { _, context in try await page(secret(context)) }
    router.post("sign-in/:secret") { request, context in try await signIn(request, context) }
    router.post("sign-out") { request, context in try await signOut(request) }
  }

  // Looking changes nothing: who fetches links ahead signs nobody in.
  private func page(_ secret: String) async throws -> Response {
    let now = visitors.time.now
    let isGood = try await visitors.threads.run { [file = visitors.file] in try file.isLinkGood(secret, at: now) }
    guard isGood else { throw Self.spent }
    return .page("Sign in") { body in
      body.form(action: "/sign-in/\(secret)", button: "Sign in")
    }.withoutReferrer
  }

  private func signIn(_ request: Request, _ context: WebContext) async throws -> Response {
    // Otherwise another site could sign a browser in to what is not its user's.
    try origin.checkSignIn(request.head)
    let now = visitors.time.now
    let client = visitors.addresses.client(of: request.head, from: context.peer)
    try visitors.failures.check(client, at: now)
    let secret = try secret(context)
    let cookie = SessionCookie(isSecure: isSecure(request))
    let session = try await visitors.threads.run { [file = visitors.file] in
      try file.openSession(link: secret, lasting: Double(cookie.time), at: now)
    }
    guard let session else {
      visitors.failures.note(client, at: now)
      throw Self.spent
    }
    return Response(status: .seeOther, headers: [.location: "/", .setCookie: cookie.setting(session)]).withoutReferrer
  }

  private func signOut(_ request: Request) async throws -> Response {
    if case .session(let secret)? = Credential(request.head) {
      try await visitors.threads.run { [file = visitors.file] in try file.endSession(secret) }
    }
    let cookie = SessionCookie(isSecure: isSecure(request))
    var response = Response.page("Signed out") { $0.paragraph("'belfry access link' makes a link to sign in again.") }
    response.headers[.setCookie] = cookie.removing
    response.headers.set("Clear-Site-Data", "\"cache\", \"storage\"")
    return response
  }

  // The proxy that provides https passes the Host on.
  private func isSecure(_ request: Request) -> Bool {
    guard let publicURL, publicURL.scheme == "https", let host = request.head.authority?.lowercased() else {
      return false
    }
    return HostRule.name(of: host) == publicURL.host
  }

  private func secret(_ context: WebContext) throws -> String { try context.parameters.require("secret") }

  private static let spent = Problem(
    .gone, "this link was used already, or its five minutes are over", hint: "'belfry access link' makes another")
}

extension Response {
  /// The reply for a page whose URL is a secret.
  fileprivate var withoutReferrer: Response {
    var response = self
    response.headers.set("Referrer-Policy", "no-referrer")
    return response
  }
}
