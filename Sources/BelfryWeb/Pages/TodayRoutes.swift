import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import Hummingbird
import WebAccess

/// The start page.
struct TodayRoutes: RouteGroup {
  let calls: StoreCalls
  let setup: WebSetup

  var routes: [WebRoute] {
    [WebRoute(method: .get, path: "/", right: .scope(.read), followsFromStore: true) { try await show($0, $1) }]
  }

  private func show(_ request: Request, _ context: WebContext) async throws -> Response {
    let visitor = try context.signedIn()
    let isChoosing = FormFields(query: request).contains("choose") && visitor.grant.scope.includes(.edit)
    let (page, shell) = try await calls.wholePage(request, visitor) { sight in
      var page = try TodayPage(sight, visitor, setup)
      if isChoosing { page.choices = try sight.lists() }
      return page
    }
    return shell.response("Today", to: request) { page.add(to: &$0) }
  }
}

extension TodayPage {
  /// The page of the present day.
  init(_ sight: Sight, _ visitor: Access, _ setup: WebSetup) throws {
    let (reading, zone) = (sight.reading, sight.reading.planner.floatingZone)
    let today = zone.wallTime(at: reading.now).date
    self.init(today: today, time: PageTime(reading), visitor: visitor)
    let dayAfter = AgendaSpan(.day, around: today.adding(days: 2), today: today).instants(in: zone).start
    let lists = Set(try sight.lists().map(\.id))
    try reading.view.visitItems(ItemQuery(dueBefore: reading.now)) { listing in
      try Task.checkCancellation()
      guard lists.contains(listing.item.listID) else { return .next }
      overdue.add(listing)
      return overdue.count < Self.most ? .next : .stop
    }
    if overdue.count == Self.most {
      let counted: [Int64?] = sight.grant.isForAllLists ? [nil] : lists.map(Optional.some)
      overdue.count = try counted.reduce(0) { try $0 + reading.view.uncheckedCount(listID: $1, dueBefore: reading.now) }
    }
    try reading.view.visitItems(ItemQuery(dueFrom: reading.now, dueBefore: dayAfter)) { listing in
      try Task.checkCancellation()
      guard lists.contains(listing.item.listID), let due = listing.item.due?.instant.date else { return .next }
      if zone.wallTime(at: due).date == today { self.due.add(listing) } else { tomorrow.add(listing) }
      return .next
    }
    var owners = try OwnersInSight(sight)
    try reading.view.visitPending(limit: nil) { pending in
      guard pending.fireDate.date > reading.now, try owners.include(pending.owner) else { return .next }
      next = pending
      return .stop
    }
    let found = try DeliveryReader(sight: sight, setup: setup).troubles(withMissed: false)
    troubles = found.sentences
    isEmpty = try overdue.count + due.count + tomorrow.count == 0 && sight.hasNoItems()
  }
}

extension Sight {
  /// True if no list that the visitor may see has an item.
  fileprivate func hasNoItems() throws -> Bool { try summaries().allSatisfy { $0.items == 0 } }
}

extension Troubles {
  /// The problems that need attention, each in a sentence with the page that shows details.
  fileprivate var sentences: [(words: String, path: String)] {
    let dead = isCountCut ? "\(self.dead) or more deliveries" : counted(self.dead, "delivery")
    let sentences: [(words: String, path: String)?] = [
      self.dead > 0 ? ("\(dead) did not arrive", "/deliveries?state=dead") : nil,
      waiting > 0 ? ("\(counted(waiting, "reminder")) should have rung: is belfryd running?", "/deliveries") : nil,
    ]
    return sentences.compactMap(\.self) + sinks.map { ($0.capitalizedFirst, "/deliveries") }
  }
}
