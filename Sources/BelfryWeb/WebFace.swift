import BelfryEngine
import BelfryModel
import CivilTime
import Hummingbird
import NIOCore
import WebAccess

/// What the web face remembers of requests, also when it reads its config anew.
struct WebMemory: Sendable {
  let failures = FailureLimit()
  let takeBacks = RecentTakeBacks()
}

/// The routes over Belfry's use cases.
struct WebFace: Sendable {
  let belfry: Belfry
  let access: AccessFile
  let links: LinkReader
  let threads: StoreThreads
  let memory: WebMemory
  let log: EventLog

  /// The routes with the rules that all of them are held to.
  ///
  /// - Throws: ``BelfryError`` where the secret of a proxy cannot be read.
  func router(_ settings: WebSettings, at address: ListenAddress, limits: WebLimits) throws -> Router<WebContext> {
    let proxy = try SigningProxy(settings)
    let router = Router(context: WebContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: ReplyRules(time: belfry.time, log: log))
    let origin = OriginRule(publicURL: settings.publicURL, address: address, proxy: proxy)
    router.add(
      middleware: RequestRules(
        host: HostRule(publicURL: settings.publicURL), origin: origin, limits: limits, proxy: proxy))
    let visitors = visitors(settings, at: address, proxy)
    addOpenRoutes(to: router)
    SignIn(visitors: visitors, origin: origin).add(to: router)
    let decoy = Decoy(file: access, takeBacks: memory.takeBacks)
    let presses = BatchQueue { [belfry] in LinkPress.make($0, belfry, decoy) }
    AnswerRoutes(belfry: belfry, links: links, visitors: visitors, presses: presses, decoy: decoy).add(to: router)
    ReminderRoutes(belfry: belfry, visitors: visitors).add(to: router)
    Stylesheet.add(to: router)
    addRoutes(to: router, for: visitors)
    return router
  }

  private func visitors(
    _ settings: WebSettings, at address: ListenAddress, _ proxy: SigningProxy?
  ) -> Visitors {
    let isLocalSocket = if case .unix = address { true } else { false }
    return Visitors(
      file: access, time: belfry.time, threads: threads, failures: memory.failures,
      addresses: ClientAddresses(trusted: Set(settings.trustedProxies), isLocalSocket: isLocalSocket),
      proxy: proxy, publicURL: settings.publicURL)
  }

  private func addOpenRoutes(to router: Router<WebContext>) {
    router.get("healthz") { _, _ in Response.text("ok\n") }
    router.get("readyz") { _, _ in try await ready() }
  }

  private func addRoutes(to router: Router<WebContext>, for visitors: Visitors) {
    let readers = router.group().add(middleware: VisitorRule(needed: .read, visitors: visitors))
    readers.get("/") { _, context in try home(context) }
    let overseers = router.group()
      .add(middleware: VisitorRule(needed: .read, needsAllLists: true, visitors: visitors))
    overseers.get("metrics") { _, _ in try await metrics() }
  }

  private func home(_ context: WebContext) throws -> Response {
    let visitor = try context.signedIn()
    return .page("Signed in") { body in
      body.paragraph("As \(visitor.grant.person ?? visitor.name), with the scope \(visitor.grant.scope.rawValue).")
      body.form(action: "/sign-out", button: "Sign out")
    }
  }

  private func metrics() async throws -> Response {
    let now = belfry.time.now
    let metrics = try await threads.run { [belfry] in
      try belfry.store.read { try Metrics($0, version: BelfryVersion.current, now: now).text }
    }
    return .text(metrics)
  }

  // Ready while the store can be read.
  private func ready() async throws -> Response {
    do {
      try await threads.run { [belfry] in _ = try belfry.store.read { try $0.plannedZone() } }
    } catch {
      log(Event(.warning, error))
      throw Problem(.serviceUnavailable, "the store cannot be read", hint: "belfry doctor tells why", retryAfter: 5)
    }
    return Response.text("ready\n")
  }
}

extension Response {
  /// A reply in plain text.
  static func text(_ text: String) -> Response {
    Response(
      status: .ok, headers: [.contentType: "text/plain; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}
