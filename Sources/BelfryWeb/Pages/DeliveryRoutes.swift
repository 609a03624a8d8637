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
      WebRoute(method: .get, path: "/deliveries/:id/retry", right: .scope(.admin)) {
        try await confirm(.dead, $0, $1)
      },
      WebRoute(method: .get, path: "/deliveries/:id/discard", right: .scope(.admin)) {
        try await confirm(.pending, $0, $1)
      },
      WebRoute(method: .post, path: "/deliveries/:id/retry", right: .scope(.admin)) {
        try await change(.retried, $0, $1) { try $0.retryDeliveries([$1]) }
      },
      WebRoute(method: .post, path: "/deliveries/:id/discard", right: .scope(.admin)) {
        try await change(.discarded, $0, $1) { try $0.discardDeliveries([$1]) }
      },
    ]
  }

  private func show(_ request: Request, _ context: WebContext) async throws -> Response {
    let visitor = try context.signedIn()
    let filter = try DeliveryFilter(FormFields(query: request))
    let ((page, leftOut), notice) = try await calls.read(for: visitor) { sight in
      (try sight.leavingOut { try self.page(filter, sight, visitor) }, try Notice(request, visitor, sight))
    }
    return Shell(visitor: visitor, notice: notice, leftOut: leftOut).response("Deliveries", to: request) {
      page.add(to: &$0)
    }
  }

  private func page(_ filter: DeliveryFilter, _ sight: Sight, _ visitor: Access) throws -> DeliveriesPage {
    let reader = DeliveryReader(sight: sight, setup: setup)
    let (cards, hasMore) = try reader.cards(filter)
    return DeliveriesPage(
      filter: filter, cards: cards, hasMore: hasMore, troubles: try reader.troubles(),
      sinks: visitor.grant.isForAllLists ? setup.sections.map(\.name) : [], lists: try sight.lists(),
      people: try sight.reading.view.personNames(), time: PageTime(sight.reading), scope: visitor.grant.scope)
  }

  private func confirm(_ state: Delivery.State, _ request: Request, _ context: WebContext) async throws -> Response {
    let (visitor, id) = (try context.signedIn(), try context.number("delivery"))
    let (delivery, message) = try await calls.read(for: visitor) { try $0.delivery(id) }
    let word = state == .dead ? "retried" : "discarded"
    guard delivery.state == state else {
      throw Problem(.conflict, "delivery \(id) is \(delivery.state.name): only what is \(state.name) can be \(word)")
    }
    let isKnown = setup.sinks.contains { $0.name == delivery.sink }
    let fate =
      isKnown ? "gets this within a minute" : "is not in the config or switched off, so this is given up again"
    var page = ConfirmationPage(
      question: "\(state == .dead ? "Retry" : "Discard") delivery \(id)?",
      consequence: state == .dead
        ? "\(delivery.place) \(fate): \(message.title)"
        : "\(delivery.place) never gets this, and it cannot be undone: \(message.title)",
      action: "/deliveries/\(id)/\(state == .dead ? "retry" : "discard")",
      button: state == .dead ? "Retry" : "Discard", back: "/deliveries?state=\(state.name)", list: nil)
    if state == .dead { (page.style, page.refusal) = ("main", "Leave it") }
    return Shell(visitor: visitor).response(page.question, to: request) { page.add(to: &$0) }
  }

  private func change(
    _ deed: Notice.Deed, _ request: Request, _ context: WebContext,
    _ body: @escaping @Sendable (Belfry, _ id: Int64) throws -> [(Delivery, Message)]
  ) async throws -> Response {
    let (visitor, id) = (try context.signedIn(), try context.number("delivery"))
    let sent = try await FormFields(request)
    try await calls.change(by: visitor) { sight in
      _ = try sight.delivery(id)
    } _: { belfry in
      _ = try body(belfry, id)
    }
    return .leading(to: Notice.path(try WayBack.path(sent, or: "/deliveries#d\(id)"), after: deed))
  }
}

extension Sight {
  /// The delivery with this number, and its message.
  ///
  /// - Throws: ``Problem`` 404, the same for one that the visitor may not see.
  fileprivate func delivery(_ id: Int64) throws -> (Delivery, Message) {
    var owners = try OwnersInSight(self)
    guard let delivery = try reading.view.delivery(id: id),
      let message = try reading.view.message(id: delivery.messageID), try owners.include(message)
    else { throw Problem(.notFound, "there is no delivery \(id)") }
    return (delivery, message)
  }
}
