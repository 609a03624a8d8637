import BelfryEngine
import BelfryModel
import BelfryRuntime
import FoundationEssentials

/// Reads deliveries as far as a visitor may see them.
struct DeliveryReader {
  private static let mostCounted = 200
  private static let mostMissed = 5
  private static let mostLooked = 200

  let sight: Sight
  let setup: WebSetup

  private var view: any StoreView { sight.reading.view }

  /// The deliveries of one page, and whether there are more.
  func cards(_ filter: DeliveryFilter) throws -> (cards: [DeliveryCard], hasMore: Bool) {
    var owners = try OwnersInSight(sight)
    let list = try filter.list.map { try sight.list($0).id }
    var (found, hasMore): ([(Delivery, Message)], Bool) = ([], false)
    let query = DeliveryQuery(
      state: filter.state, sink: filter.sink, lists: list.map { [$0] }, before: filter.before,
      limit: DeliveryFilter.length + 1)
    try owners.visitDeliveries(query) { delivery, message in
      hasMore = found.count == DeliveryFilter.length
      if !hasMore { found.append((delivery, message)) }
      return hasMore ? .stop : .next
    }
    let cards = try found.map { delivery, message in
      DeliveryCard(
        delivery: delivery, message: message, attempts: try view.attempts(of: delivery.id),
        answers: try owners.answers(to: message),
        hasOwner: try message.contents.first.map { try exists($0.owner) } ?? false)
    }
    return (cards, hasMore)
  }

  /// The problems that keep reminders from ringing.
  ///
  /// - Parameter withMissed: false to leave out the items that were missed, for which each overdue item has to be read.
  func troubles(withMissed: Bool = true) throws -> Troubles {
    var (owners, troubles) = (try OwnersInSight(sight), Troubles())
    // A delivery whose reminders were all answered or ended needs no attention.
    (troubles.dead, troubles.isCountCut) = try count(.dead, &owners) { try !$1.contents.allSatisfy(view.isEnded) }
    let (failing, isCut) = try count(.pending, &owners) { delivery, _ in delivery.attempts > 0 }
    (troubles.failing, troubles.isCountCut) = (failing, troubles.isCountCut || isCut)
    if withMissed { troubles.missed = try missed(&owners) }
    // A running daemon is less than a minute late.
    let latest = sight.reading.now.addingTimeInterval(-60)
    try view.visitPending(limit: Self.mostCounted) { pending in
      guard pending.fireDate.date < latest else { return .stop }
      if try owners.include(pending.owner) { troubles.waiting += 1 }
      return .next
    }
    guard owners.isEverything else { return troubles }
    let zone = sight.reading.planner.floatingZone
    let states = SinkState.all(setup.sections, setup.sinks, try view.sinkProblems(), try view.inboxes())
    troubles.sinks = states.compactMap { state in
      state.problems(zone).map { "channel '\(state.section.name)' \($0)" }
    }
    if setup.sinks.isEmpty { troubles.sinks.append("no channel is enabled in the config: nothing rings") }
    return troubles
  }

  private func count(
    _ state: Delivery.State, _ owners: inout OwnersInSight, where matches: (Delivery, Message) throws -> Bool
  ) throws -> (count: Int, isCut: Bool) {
    var (count, seen) = (0, 0)
    try owners.visitDeliveries(DeliveryQuery(state: state, limit: Self.mostCounted)) { delivery, message in
      seen += 1
      if try matches(delivery, message) { count += 1 }
      return seen < Self.mostCounted ? .next : .stop
    }
    return (count, seen == Self.mostCounted)
  }

  // Overdue items whose latest reminder was missed.
  private func missed(_ owners: inout OwnersInSight) throws -> [ItemListing] {
    let overdue = try view.listings(ItemQuery(kind: .any, dueBefore: sight.reading.now, limit: Self.mostLooked))
    var found: [ItemListing] = []
    for listing in overdue where found.count < Self.mostMissed {
      let owner = ReminderOwner.item(listing.item.id)
      guard try owners.include(owner) else { continue }
      let past = try view.reminders(of: owner).filter { $0.state == .fired || $0.state == .missed }
      if past.max(by: { $0.fireDate < $1.fireDate })?.state == .missed { found.append(listing) }
    }
    return found
  }

  private func exists(_ owner: ReminderOwner) throws -> Bool {
    switch owner {
    case .item(let id): try view.item(id: id) != nil
    case .list(let id): try view.list(id: id) != nil
    }
  }
}
