import BelfryEngine
import BelfryModel
import Digests
import FoundationEssentials
import Hummingbird
import OrderedJSON
import WebAccess
import WebPush

/// Subscribing a browser to a sink, and the end of subscriptions.
struct PushRoutes: RouteGroup {
  let calls: StoreCalls
  let setup: WebSetup
  let visitors: Visitors
  let turn: SinkTestTurn

  var routes: [WebRoute] {
    [
      WebRoute(method: .get, path: "/notifications", right: .allLists(.read)) { try await show($0, $1) },
      // A notification has buttons that answer the reminder.
      WebRoute(method: .post, path: "/notifications", right: .allLists(.answer)) { try await subscribe($0, $1) },
      WebRoute(method: .post, path: "/notifications/key", right: .allLists(.answer)) { request, _ in
        try await key(try sink(FormFields(query: request)))
      },
      WebRoute(method: .post, path: "/notifications/end", right: .allLists(.answer)) { try await end($0, $1) },
      WebRoute(method: .post, path: "/notifications/test", right: .allLists(.answer)) { try await test($0, $1) },
      WebRoute(method: .post, path: "/notifications/known", right: .allLists(.answer)) { request, context in
        try await know(request, try context.signedIn())
      },
      // Sent by a browser's worker, long after its session ended. A client that knows the endpoint counts as that
      // browser.
      WebRoute(method: .post, path: "/notifications/renew", right: .none) { try await renew($0, $1) },
    ]
  }

  private func show(_ request: Request, _ context: WebContext) async throws -> Response {
    let visitor = try context.signedIn()
    let channels = try await visitors.threads.run {
      try setup.pushChannels.map { path, names in
        let all = try SubscriptionFile(path: path).subscriptions()
        let shown = all.filter { $0.isOpen(to: visitor) }
        let tests = shown.compactMap { one in turn.last(of: names[0], to: one.name).map { (one.name, $0.outcome) } }
        return NotificationsPage.Channel(
          names: names, subscriptions: shown, tests: Dictionary(tests) { first, _ in first })
      }
    }
    let browser = BrowserName.name(request.head)
    var (page, shell) = try await calls.page(request, visitor) { sight in
      NotificationsPage(channels: channels, visitor: visitor, browser: browser, time: PageTime(sight.reading))
    }
    shell.back = .settings
    return shell.response("Notifications", to: request) { page.add(to: &$0) }
  }

  // MARK: Subscribing

  private func key(_ sink: any SubscribedSink) async throws -> Response {
    let key = try await visitors.threads.run { try SubscriptionFile(path: sink.subscriptionFile).keyForSubscribers() }
    return .json(["key": .string(Base64URL.encode(key.publicKey))])
  }

  private func subscribe(_ request: Request, _ context: WebContext) async throws -> Response {
    let (visitor, now) = (try context.signedIn(), visitors.time.now)
    let fields = try await FormFields(request, upTo: Self.mostBytes)
    let sink = try sink(fields)
    let address = try fields.address(permittedBy: sink)
    let label = try fields.text("label") ?? ""
    try AccessNames.check(label: label)
    _ = try await visitors.threads.run {
      try SubscriptionFile(path: sink.subscriptionFile).add(
        address, called: label, for: visitor.grant.person, by: visitor, at: now)
    }
    return .leading(to: "/notifications")
  }

  // A browser whose subscription is unknown has to subscribe again, as after the loss of a file.
  private func know(_ request: Request, _ visitor: Access) async throws -> Response {
    let endpoint = try await FormFields(request, upTo: Self.mostBytes).text("endpoint") ?? ""
    let files = Set(setup.pushSinks.map(\.sink.subscriptionFile))
    let isKnown = try await visitors.threads.run {
      try files.isEmpty || files.contains { try SubscriptionFile(path: $0).knows(endpoint, seenBy: visitor) }
    }
    guard isKnown else { throw Problem(.notFound, "there is no such subscription") }
    return Response(status: .noContent)
  }

  private func end(_ request: Request, _ context: WebContext) async throws -> Response {
    let visitor = try context.signedIn()
    let fields = try await FormFields(request)
    let (sink, name) = (try sink(fields), try fields.text("name") ?? "")
    let isEnded = try await visitors.threads.run {
      let file = SubscriptionFile(path: sink.subscriptionFile)
      guard try file.subscription(name)?.isOpen(to: visitor) == true else { return false }
      return try file.end(name)
    }
    guard isEnded else { throw Problem(.notFound, "there is no subscription '\(name)'") }
    return .leading(to: "/notifications")
  }

  private func test(_ request: Request, _ context: WebContext) async throws -> Response {
    let visitor = try context.signedIn()
    let fields = try await FormFields(request)
    let (sink, name) = (try sink(fields), try fields.text("name") ?? "")
    let isOpen = try await visitors.threads.run {
      try SubscriptionFile(path: sink.subscriptionFile).subscription(name)?.isOpen(to: visitor) == true
    }
    guard isOpen else { throw Problem(.notFound, "there is no subscription '\(name)'") }
    let sinkName = try fields.text("sink") ?? ""
    turn.keep(try await SinkTestRun.run(sinkName, setup, turn, to: name), of: sinkName, to: name)
    return .leading(to: "/notifications")
  }

  private func renew(_ request: Request, _ context: WebContext) async throws -> Response {
    let fields = try await FormFields(request, upTo: Self.mostBytes)
    let (old, endpoint) = (try fields.text("old") ?? "", try fields.text("endpoint") ?? "")
    // A browser does not know to which sink it belongs.
    for (_, sink) in setup.pushSinks where sink.refusal(ofEndpoint: endpoint) == nil {
      let file = SubscriptionFile(path: sink.subscriptionFile)
      // The request is not authenticated, so this cheap check comes before the expensive ones.
      guard try await visitors.threads.run({ try file.knows(old) }) else { continue }
      let address = try fields.address(permittedBy: sink)
      let isRenewed = try await visitors.threads.run { try file.renew(old, as: address) }
      if isRenewed { return Response(status: .noContent) }
    }
    throw await visitors.refusal(
      of: request.head, from: context.peer, .link, Problem(.notFound, "there is no such subscription"))
  }

  private func sink(_ fields: FormFields) throws(Problem) -> any SubscribedSink {
    let name = try fields.text("sink") ?? ""
    guard let sink = setup.pushSinks.first(where: { $0.name == name })?.sink else { throw Self.unknownSink }
    return sink
  }

  // An endpoint of 2,048 bytes, its keys, and a name, percent-encoded.
  private static let mostBytes = 8_192
  private static let unknownSink = Problem(
    .notFound, "the config has no such sink of the type webpush", hint: "reload the page")
}

extension PushSubscription {
  /// True if a visitor may see and end it: the person's own ones, and all with the scope `admin`. One without a person
  /// is open to every session without a person, but to no token.
  fileprivate func isOpen(to visitor: Access) -> Bool {
    if visitor.may(.admin) { return true }
    return person == visitor.grant.person && (person != nil || visitor.kind == .session)
  }
}

extension FormFields {
  /// The address of a browser.
  ///
  /// - Throws: ``Problem`` for an invalid one, and for a push service to which the sink does not post.
  fileprivate func address(permittedBy sink: any SubscribedSink) throws(Problem) -> PushSubscription.Address {
    let endpoint = try text("endpoint") ?? ""
    if let reason = sink.refusal(ofEndpoint: endpoint) { throw Problem(.unprocessableContent, reason) }
    let publicKey = Base64URL.decode(try text("p256dh") ?? "", count: 65)
    let secret = Base64URL.decode(try text("auth") ?? "", count: 16)
    guard let publicKey, let secret, let recipient = PushRecipient(publicKey: publicKey, secret: secret),
      recipient.sealed([]) != nil
    else { throw Problem(.badRequest, "the browser's keys are not those of a push subscription") }
    return PushSubscription.Address(endpoint: endpoint, recipient: recipient)
  }
}
