import BelfryEngine
import BelfryModel
import CivilTime
import Hummingbird
import SystemThreads
import WebAccess

/// The memory of past requests, which a reload of the config keeps.
struct WebMemory: Sendable {
  let failures = FailureLimit()
  let takeBacks = RecentTakeBacks()
  let sinkTests = SinkTestTurn()
  let signInMails = SignInMailTurns()
  let sealing = SealingKey()
  let doctor = TaskThread()
}

/// The routes over Belfry's use cases.
struct WebFace: Sendable {
  let belfry: Belfry
  var setup = WebSetup()
  let access: AccessStore
  let links: LinkReader
  let threads: StoreThreads
  let memory: WebMemory
  let feed: StoreFeed
  let log: EventLog

  /// The routes with the rules that apply to all of them.
  ///
  /// - Throws: ``BelfryError`` if the secret of a proxy cannot be read.
  func router(_ settings: WebSettings, at address: ListenAddress, limits: WebLimits) throws -> Router<WebContext> {
    let router = Router(context: WebContext.self, options: .autoGenerateHeadEndpoints)
    let proxy = try SigningProxy(settings, people: belfry.settings.people.map(\.name))
    router.add(middleware: Compression(proxy: proxy))
    router.add(middleware: ReplyRules(time: belfry.time, log: log))
    router.add(
      middleware: RequestRules(
        host: HostRule(publicURL: settings.publicURL), origin: origin(settings, at: address, proxy), limits: limits,
        proxy: proxy))
    let once = once(settings, at: address, proxy)
    router.add(
      routes(settings, at: address, limits: limits, proxy: proxy, once), for: once.visitors,
      unchanged: UnchangedRule(calls: once.calls, replies: UnchangedReplies()),
      once: OnceForms(once: once, limit: limits.body))
    return router
  }

  /// All routes, each with the right that it asks for.
  func routes(
    _ settings: WebSettings, at address: ListenAddress, limits: WebLimits, proxy: SigningProxy?, _ once: OnceRequests
  ) -> [WebRoute] {
    let mail = SignInMail(
      people: belfry.settings.people, setup: setup, origin: settings.origin(at: address),
      turns: memory.signInMails, access: access, time: belfry.time, log: log)
    let signIn = SignIn(
      visitors: once.visitors, origin: origin(settings, at: address, proxy), mail: mail)
    return groups(signIn, once, limits).flatMap(\.routes)
  }

  private func origin(_ settings: WebSettings, at address: ListenAddress, _ proxy: SigningProxy?) -> OriginRule {
    OriginRule(publicURL: settings.publicURL, address: address, proxy: proxy)
  }

  private func groups(_ signIn: SignIn, _ once: OnceRequests, _ limits: WebLimits) -> [any RouteGroup] {
    let (visitors, calls) = (once.visitors, once.calls)
    let decoy = Decoy(access: access, takeBacks: memory.takeBacks)
    let presses = BatchQueue { [belfry] in LinkPress.make($0, belfry, decoy) }
    let channels = setup.sinks.compactMap(\.sink.replySource?.channel)
    return [
      OpenRoutes(calls: calls, log: log), AssetRoutes(), signIn,
      AnswerRoutes(
        belfry: belfry, links: links, visitors: visitors, presses: presses, decoy: decoy, channels: channels),
      ReminderRoutes(calls: calls, visitors: visitors, channels: channels), TodayRoutes(calls: calls, setup: setup),
      ListsRoutes(calls: calls), SearchRoutes(calls: calls),
      SettingsRoutes(calls: calls, setup: setup), ListRoutes(calls: calls),
      NewItemRoutes(calls: calls, setup: setup), ItemRoutes(calls: calls, setup: setup), MarkRoutes(calls: calls),
      MoveRoutes(calls: calls), SeveralRoutes(calls: calls),
      UndoRoutes(calls: calls), AgendaRoutes(calls: calls, setup: setup),
      DeliveryRoutes(calls: calls, setup: setup), AnswersRoutes(calls: calls),
      SinkRoutes(calls: calls, setup: setup, turn: memory.sinkTests),
      ConfigRoutes(calls: calls, setup: setup, doctor: memory.doctor),
      AccessRoutes(calls: calls, visitors: visitors, setup: setup),
      PushRoutes(calls: calls, setup: setup, visitors: visitors, turn: memory.sinkTests),
      PasskeyRoutes(visitors: visitors, origin: signIn.origin, sealing: memory.sealing),
      FeedRoutes(calls: calls, visitors: visitors),
      EventRoutes(feed: feed, time: belfry.time),
      APIRoutes(
        services: APIServices(
          calls: calls, setup: setup, once: once, limits: limits, sinkTests: memory.sinkTests,
          sealing: memory.sealing)),
    ]
  }

  /// The visitors of the routes, the calls of the store, and the requests that take effect once.
  func once(_ settings: WebSettings, at address: ListenAddress, _ proxy: SigningProxy?) -> OnceRequests {
    let isLocalSocket = if case .unix = address { true } else { false }
    let visitors = Visitors(
      access: access, time: belfry.time, threads: threads, failures: memory.failures,
      addresses: ClientAddresses(trusted: Set(settings.trustedProxies), isLocalSocket: isLocalSocket),
      proxy: proxy, publicURL: settings.publicURL, origin: settings.origin(at: address))
    return OnceRequests(visitors: visitors, calls: StoreCalls(belfry: belfry, threads: threads))
  }
}
