import BelfryEngine
import BelfryModel

/// The items and lists whose reminders a visitor may see.
struct OwnersInSight {
  private let view: any StoreView
  /// The lists by their numbers; `nil` if the visitor sees all.
  private let lists: Set<Int64>?
  /// The names of these lists.
  private let names: Set<String>
  private var items: [Int64: Bool] = [:]

  init(_ sight: Sight) throws {
    view = sight.reading.view
    guard !sight.grant.isForAllLists else {
      (lists, names) = (nil, [])
      return
    }
    let seen = try sight.lists()
    lists = Set(seen.map(\.id))
    names = Set(seen.map { Checklist.nameKey($0.name) })
  }

  /// True if the visitor sees everything.
  var isEverything: Bool { lists == nil }

  /// True if an item or list is on a list that the visitor may see. A deleted one is on no list.
  ///
  /// - Throws: `CancellationError` if the request was cancelled.
  mutating func include(_ owner: ReminderOwner) throws -> Bool {
    try Task.checkCancellation()
    guard let lists else { return true }
    switch owner {
    case .list(let id): return lists.contains(id)
    case .item(let id):
      if let known = items[id] { return known }
      let isSeen = try view.item(id: id).map { lists.contains($0.item.listID) } ?? false
      items[id] = isSeen
      return isSeen
    }
  }

  /// True if all reminders of a message belong to items and lists that the visitor may see, and did when they rang.
  mutating func include(_ message: Message) throws -> Bool {
    for content in message.contents {
      guard try include(content) else { return false }
    }
    return true
  }

  /// True if the reminder's item or list is in sight, and rang under the name of a list in sight. Any other name may be
  /// the former name of a hidden list, or that of a deleted one.
  mutating func include(_ content: ReminderContent) throws -> Bool {
    try include(content.owner) && isInSight(content.listName)
  }

  /// True if the answer's item or list is in sight, and the answer was given under the name of a list in sight.
  mutating func include(_ answer: Answer) throws -> Bool {
    try include(answer.owner) && isInSight(answer.listName)
  }

  private func isInSight(_ name: String) -> Bool { lists == nil || names.contains(Checklist.nameKey(name)) }

  /// The answers to a message that the visitor may see.
  mutating func answers(to message: Message) throws -> [Answer] {
    try view.answers(to: message).filter { try include($0) }
  }

  /// Removes from an item's explanation everything that the visitor may not see.
  mutating func keep(_ explanation: Explanation) throws -> Explanation {
    guard lists != nil else { return explanation }
    return try explanation.keeping {
      try include($0)
    } answers: {
      try include($0)
    }
  }

  /// Visits the deliveries of a query, newest first, that the visitor may see, until `body` says to stop.
  ///
  /// The store is read in batches of the query's limit, so that it reads few deliveries that are not needed.
  mutating func visitDeliveries(
    _ query: DeliveryQuery, _ body: (Delivery, Message) throws -> VisitResult
  ) throws {
    var (query, result, last) = (query, VisitResult.next, Int64?.none)
    query.lists = query.lists ?? lists
    repeat {
      last = nil
      try view.visitDeliveries(query) { delivery, message in
        last = delivery.id
        if try include(message) { result = try body(delivery, message) }
        return result
      }
      query.before = last
    } while result == .next && last != nil && query.limit != nil
  }
}

extension Sight {
  /// The list with a name.
  ///
  /// - Throws: ``BelfryError`` `.notFound` with the nearest name among those that the visitor may see.
  func list(named name: String) throws -> Checklist {
    guard let list = try reading.view.list(named: name), grant.includes(list: list.uuid) else {
      throw BelfryError.noList(name, known: try lists().map(\.name))
    }
    return list
  }

  /// - Throws: ``Problem`` 422 if items would go to a list that the visitor may not see.
  func check(_ choice: ListChoice) throws {
    guard !grant.isForAllLists else { return }
    guard let list = try reading.view.list(choice), grant.includes(list: list.uuid) else {
      throw Problem(.unprocessableContent, "name the list that the item is for", hint: "'list' is one of your lists")
    }
  }

  /// The counts of the list with a number.
  ///
  /// - Throws: as ``list(_:)``.
  func summary(_ id: Int64) throws -> ListSummary {
    let list = try list(id)
    return try reading.view.listSummaries(of: id, now: reading.now).first
      ?? ListSummary(list: list, items: 0, remaining: 0, overdue: 0, nextFireDate: nil)
  }
}
