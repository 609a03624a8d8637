import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import HTTPTypes
import Hummingbird
import Transport
import WebAccess

/// Authenticates the sender of a request, and refuses senders without the needed right.
struct VisitorRule: RouterMiddleware {
  /// The scope that the routes behind it need.
  let needed: AccessScope
  /// True if they show all lists together.
  var needsAllLists = false
  let visitors: Visitors
  /// Replies to conditional requests; `nil` for routes whose replies depend on more than the store.
  var unchanged: UnchangedRule?

  func handle(
    _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    var context = context
    let isQuestion = UnchangedReplies.Question.isAsked(in: request.head)
    let (access, state) = try await access(of: request, context, lookingAt: isQuestion ? unchanged?.calls.belfry : nil)
    guard access.grant.scope.includes(needed) else {
      throw Problem(
        .forbidden, "'\(access.shownName)' has the scope \(access.grant.scope.rawValue)",
        hint: "this needs \(needed.rawValue)")
    }
    if needsAllLists, !access.grant.isForAllLists {
      throw Problem(
        .forbidden, "'\(access.shownName)' has access to some lists only", hint: "this needs access to all lists")
    }
    context.visitor = access
    guard isQuestion, let unchanged else { return try await next(request, context) }
    return try await unchanged.reply(to: request, by: access, in: state) { [context] in
      try await next(request, context)
    }
  }

  // A visitor who has to sign in first is redirected to the page afterwards.
  private func access(
    of request: Request, _ context: WebContext, lookingAt belfry: Belfry?
  ) async throws -> (Access, UnchangedReplies.State?) {
    do {
      return try await visitors.access(of: request.head, from: context.peer, lookingAt: belfry)
    } catch var problem as Problem where problem.status == .unauthorized {
      problem.cookie = WayBack.cookie(of: request, isSecure: visitors.isSecure(request.head))
      throw problem
    }
  }
}

extension Router<WebContext> {
  /// Adds routes, each behind the right that it asks for.
  func add(_ routes: [WebRoute], for visitors: Visitors, unchanged: UnchangedRule, once: OnceForms) {
    for route in routes {
      let group = group()
      let unchanged = route.followsFromStore ? unchanged : nil
      switch route.right {
      case .none: break
      case .scope(let scope):
        group.add(middleware: VisitorRule(needed: scope, visitors: visitors, unchanged: unchanged))
      case .allLists(let scope):
        group.add(
          middleware: VisitorRule(needed: scope, needsAllLists: true, visitors: visitors, unchanged: unchanged))
      }
      if route.isForm { group.add(middleware: once) }
      group.on(RouterPath(route.path), method: route.method, use: route.reply)
    }
  }
}

extension WebContext {
  /// The access of the visitor.
  ///
  /// - Throws: ``Problem`` 401 if no ``VisitorRule`` has set it.
  func signedIn() throws(Problem) -> Access {
    guard let visitor else { throw Visitors.unknown }
    return visitor
  }
}

/// Authenticates requests by their tokens and sessions, and by the names that a proxy adds.
struct Visitors: Sendable {
  let access: AccessStore
  let time: any TimeSource
  let threads: StoreThreads
  let failures: FailureLimit
  let addresses: ClientAddresses
  /// The proxy that signs people in.
  let proxy: SigningProxy?
  /// The URL by which people reach the server.
  let publicURL: ServerURL?
  /// The beginning of the server's URLs; `nil` if it is unknown.
  let origin: String?

  static let unknown = Problem(
    .unauthorized, "sign in first", hint: "'belfry access link' makes a link, 'belfry access add' a token")

  /// The access of the sender of a request.
  ///
  /// - Parameters:
  ///   - peer: the address at the other end of the connection.
  ///   - belfry: if given, the state of its store is read in the same call, if the sender has access.
  /// - Throws: ``Problem`` 401, the same for every reason, and 429 after many wrong tokens; 403 if a proxy names a
  ///   person who is not in the config.
  func access(
    of head: HTTPRequest, from peer: String?, lookingAt belfry: Belfry? = nil
  ) async throws -> (Access, UnchangedReplies.State?) {
    let now = time.now
    if let found = try await find(head, at: now, lookingAt: belfry) { return found }
    // A request without a secret guesses none.
    guard showsSecret(head) else { throw Self.unknown }
    throw await refusal(of: head, from: peer, .access, Self.unknown)
  }

  /// The refusal of a wrong secret: 429 in place of `problem` after many of them, sent to this server or to others of the
  /// same store.
  ///
  /// - Parameter peer: the address at the other end of the connection.
  func refusal(
    of head: HTTPRequest, from peer: String?, _ kind: FailureLimit.Kind, _ problem: Problem
  ) async -> Problem {
    let (client, now) = (addresses.client(of: head, from: peer), time.now)
    let refusal = failures.refusal(of: client, kind, at: now, problem)
    guard access.isShared, refusal.status != FailureLimit.tooMany.status else { return refusal }
    // If the tables cannot be reached, the reply stays the same.
    let count = try? await useAccess { access in
      try access.countFailure("\(kind.rawValue) \(client)", inMinute: FailureLimit.minute(now))
    }
    if let count, count > FailureLimit.most { return FailureLimit.tooMany }
    return refusal
  }

  private func showsSecret(_ head: HTTPRequest) -> Bool {
    if head.showsToken || SecretCookie.session.isShown(in: head) { return true }
    if case .forged? = proxy?.person(head) { return true }
    return false
  }

  // A token takes precedence over the proxy's name, since it may permit less; the proxy's name takes precedence over a
  // cookie.
  private func find(
    _ head: HTTPRequest, at now: Date, lookingAt belfry: Belfry?
  ) async throws -> (Access, UnchangedReplies.State?)? {
    let credential = Credential(head, isSecure: isSecure(head))
    let person = head.showsToken ? nil : proxy?.person(head)
    switch person {
    case .known(let name)?: return (.proxied(name), nil)
    // The proxy has authenticated this person, so the reason may be shown.
    case .stranger(let name)?:
      throw Problem(
        .forbidden, "\(inQuotes(name)) is not one of the people in the config", hint: "add them to 'people'")
    case .nobody?, .forged?, nil: break
    }
    return try await useAccess { access in
      let found =
        switch (person, credential) {
        case (.forged, _), (_, nil):
          // A missing secret causes the same work as a wrong one, so that the time reveals nothing.
          try access.token("", at: now)
        case (_, .token(let text)?): try access.token(text, at: now)
        case (_, .session(let text)?): try access.session(text, at: now)
        }
      // If the store cannot be read, the reply itself says so.
      return found.map { ($0, belfry.flatMap { try? UnchangedReplies.State($0) }) }
    }
  }

  /// Reads or changes the access tables.
  ///
  /// - Throws: ``Concealed``, since the sender is not authenticated yet.
  func useAccess<Result: Sendable>(
    _ body: @escaping @Sendable (AccessStore) throws -> Result
  ) async throws -> Result {
    do {
      return try await threads.run { [access] in try body(access) }
    } catch let error as BelfryError {
      throw Concealed(error: error)
    }
  }

  /// True if a request came over https: its Host is then that of the public URL, which the https proxy passes on.
  func isSecure(_ head: HTTPRequest) -> Bool {
    guard let publicURL, publicURL.scheme == "https", let host = head.authority?.lowercased() else { return false }
    return HostRule.name(of: host) == publicURL.host
  }
}

/// The credential of a request: an access token or a session.
enum Credential: Equatable {
  case token(String)
  case session(String)

  /// The header takes precedence over a cookie; `nil` if there is neither, or more than one of a kind.
  init?(_ head: HTTPRequest, isSecure: Bool) {
    if head.showsToken {
      let parts = head.headerFields[.authorization]?.split(separator: " ", maxSplits: 1) ?? []
      guard parts.count == 2 else { return nil }
      self = .token(String(parts[1]))
      return
    }
    guard let secret = SecretCookie.session.secret(in: head, isSecure: isSecure) else { return nil }
    self = .session(secret)
  }
}
