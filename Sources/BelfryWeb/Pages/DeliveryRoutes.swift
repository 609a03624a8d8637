import BelfryEngine
import BelfryModel
import Hummingbird
import WebAccess

/// The page of deliveries, their retry and their discard.
struct DeliveryRoutes: RouteGroup {
  let calls: StoreCalls
  let setup: WebSetup

  var routes: [WebRoute] {
    [
      WebRoute(method: .get, path: "/deliveries", right: .scope(.read)) { try await show($0, $1) },
      WebRoute(method: .get, path: "/deliveries/retry", right: .scope(.admin)) { try await confirm(.retry, $0, $1) },
      WebRoute(method: .get, path: "/deliveries/discard", right: .scope(.admin)) {
        try await confirm(.discard, $0, $1)
      },
      WebRoute(method: .post, path: "/deliveries/retry", right: .scope(.admin)) { try await take(.retry, $0, $1) },
      WebRoute(method: .post, path: "/deliveries/discard", right: .scope(.admin)) { try await take(.discard, $0, $1) },
      WebRoute(method: .get, path: "/deliveries/:id/retry", right: .scope(.admin)) {
        try await confirm(.retry, $0, $1)
      },
      WebRoute(method: .get, path: "/deliveries/:id/discard", right: .scope(.admin)) {
        try await confirm(.discard, $0, $1)
      },
      WebRoute(method: .post, path: "/deliveries/:id/retry", right: .scope(.admin)) { try await take(.retry, $0, $1) },
      WebRoute(method: .post, path: "/deliveries/:id/discard", right: .scope(.admin)) {
        try await take(.discard, $0, $1)
      },
    ]
  }

  private func show(_ request: Request, _ context: WebContext) async throws -> Response {
    let visitor = try context.signedIn()
    let filter = try DeliveryFilter(FormFields(query: request))
    var (page, shell) = try await calls.wholePage(request, visitor) { try self.page(filter, $0, visitor) }
    shell.back = .settings
    return shell.response("Deliveries", to: request) { page.add(to: &$0) }
  }

  private func page(_ filter: DeliveryFilter, _ sight: Sight, _ visitor: Access) throws -> DeliveriesPage {
    let reader = DeliveryReader(sight: sight, setup: setup)
    let (cards, hasMore) = try reader.cards(filter)
    return DeliveriesPage(
      filter: filter, cards: cards, hasMore: hasMore, troubles: try reader.troubles(),
      sinks: visitor.grant.isForAllLists ? setup.sections.map(\.name) : [], lists: try sight.lists(),
      people: try sight.reading.view.personNames(), time: PageTime(sight.reading), scope: visitor.grant.scope)
  }

  // MARK: Retry and discard

  /// The deliveries that a request names: one in its path, several in its fields, or all of a state.
  fileprivate enum Choice: Sendable {
    case some([Int64])
    case all(Delivery.State)

    init(_ fields: FormFields, _ context: WebContext) throws {
      if context.parameters.get("id") != nil {
        self = .some([try context.number("delivery")])
      } else if let name = try fields.text("all") {
        guard let state = Delivery.State.allCases.first(where: { $0.name == name }) else {
          throw Problem(.badRequest, "'all' must be a state, such as \(Delivery.State.dead.name)")
        }
        self = .all(state)
      } else {
        self = .some(try fields.numbers("id"))
      }
    }

    /// The choice as fields of a form.
    var fields: [(name: String, value: String)] {
      switch self {
      case .some(let ids): ids.map { ("id", "\($0)") }
      case .all(let state): [("all", state.name)]
      }
    }
  }

  private func confirm(_ step: DeliveryStep, _ request: Request, _ context: WebContext) async throws -> Response {
    let visitor = try context.signedIn()
    let choice = try Choice(FormFields(query: request), context)
    var (found, shell) = try await calls.page(request, visitor) { try Chosen($0, choice, step) }
    guard let (delivery, message) = found.first else { throw Self.none(step) }
    let isOne = found.count == 1
    let places = found.places.sorted()
    let gets = places.count == 1 ? "gets" : "get"
    let isKnown = found.sinks.allSatisfy { name in setup.sinks.contains { $0.name == name } }
    let fate =
      isKnown
      ? "\(gets) \(isOne ? "this" : "them") within a minute"
      : "\(places.count == 1 ? "is" : "are") switched off or not in the config, so this will fail again"
    var page = ConfirmationPage(
      question: "\(step.name) \(isOne ? message.title : counted(found.count, "delivery"))?",
      consequence: step == .retry
        ? "\(places.inSentence) \(fate)."
        : "\(places.inSentence) never \(gets) \(isOne ? "this" : "them"), and it cannot be undone.",
      action: isOne ? "/deliveries/\(delivery.id)/\(step.rawValue)" : "/deliveries/\(step.rawValue)",
      button: step.name, back: "/deliveries?state=\(delivery.state.name)")
    if !isOne { page.fields = choice.fields }
    if step == .retry { (page.style, page.refusal) = ("main", "Leave it") }
    shell.back = Shell.Place(name: "Deliveries", path: "/deliveries")
    return shell.response(page.question, to: request, hasHeading: true) { page.add(to: &$0) }
  }

  private func take(_ step: DeliveryStep, _ request: Request, _ context: WebContext) async throws -> Response {
    let visitor = try context.signedIn()
    let sent = try await FormFields(request, upTo: FormFields.mostText)
    let choice = try Choice(sent, context)
    let ids = try await calls.read(for: visitor) { sight in
      var ids: [Int64] = []
      try sight.visitDeliveries(choice, step) { delivery, _ in ids.append(delivery.id) }
      return ids
    }
    guard !ids.isEmpty else { throw Self.none(step) }
    try await calls.change(by: visitor) { sight in
      try sight.visitDeliveries(.some(ids), step) { _, _ in }
    } _: { belfry in
      _ = try step == .retry ? belfry.retryDeliveries(ids) : belfry.discardDeliveries(ids)
    }
    let back = try WayBack.path(sent, or: ids.count == 1 ? "/deliveries#d\(ids[0])" : "/deliveries")
    return .leading(to: Notice.path(back, after: step == .retry ? .retried : .discarded, count: ids.count))
  }

  private static func none(_ step: DeliveryStep) -> Problem {
    Problem(.notFound, "there is no delivery to \(step.rawValue)", hint: "/deliveries shows all of them")
  }
}

/// A summary of the chosen deliveries, of which there may be many more than fit in memory.
private struct Chosen: Sendable {
  var first: (delivery: Delivery, message: Message)?
  var count = 0
  var places: Set<String> = []
  var sinks: Set<String> = []

  init(_ sight: Sight, _ choice: DeliveryRoutes.Choice, _ step: DeliveryStep) throws {
    try sight.visitDeliveries(choice, step) { delivery, message in
      first = first ?? (delivery, message)
      count += 1
      places.insert(delivery.place)
      sinks.insert(delivery.sink)
    }
  }
}

extension Sight {
  /// Visits the deliveries of a choice that are in the state for a step, each with its message.
  ///
  /// - Throws: ``Problem`` 404 for a delivery that is unknown or that the visitor may not see, and 409 for one in
  ///   another state.
  fileprivate func visitDeliveries(
    _ choice: DeliveryRoutes.Choice, _ step: DeliveryStep, _ body: (Delivery, Message) -> Void
  ) throws {
    var owners = try OwnersInSight(self)
    switch choice {
    case .all(let state):
      guard step.states.contains(state) else { return }
      try owners.visitDeliveries(DeliveryQuery(state: state, limit: 500)) { delivery, message in
        body(delivery, message)
        return .next
      }
    case .some(let ids):
      for id in ids {
        guard let delivery = try reading.view.delivery(id: id),
          let message = try reading.view.message(id: delivery.messageID), try owners.include(message)
        else { throw Problem(.notFound, "there is no such delivery") }
        guard step.states.contains(delivery.state) else {
          let needed = step.states.map(\.words).joined(separator: " or ")
          throw Problem(
            .conflict, "this delivery is \(delivery.state.words): \(step.rawValue) is for what is \(needed)")
        }
        body(delivery, message)
      }
    }
  }
}
