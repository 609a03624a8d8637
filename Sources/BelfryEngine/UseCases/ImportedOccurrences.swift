import BelfryModel
import CivilTime
import FoundationEssentials

/// The occurrences of an imported item that do not take place (EXDATE).
struct ImportedExceptions {
  let uuid: UUID
  /// The item's place in the file, for messages.
  let place: String
  /// The due times of the excluded occurrences, earliest last.
  fileprivate var times: [WallTime]

  /// The exceptions of an item; `nil` if it has none.
  init?(of item: ImportedItem, uuid: UUID) {
    if item.exceptions.isEmpty { return nil }
    self.uuid = uuid
    place = item.place
    times = item.exceptions.sorted(by: >)
  }
}

// An item has a rule and no exceptions, so a changed or excluded occurrence splits it. The item ends before the
// occurrence, a changed occurrence becomes an item of its own, and a continuation follows with the same rule and
// anchor.
extension ImportInProgress {
  mutating func take(_ changed: ImportedOccurrence, fromListNamed listName: String) throws {
    if let uuid = changed.item.uuid, try change.transaction.item(uuid: uuid) != nil {
      report.knownCount += 1
      return
    }
    guard let item = try repeating(changed.repeating) else {
      throw BelfryError(
        .badInput, "it changes one occurrence of a to-do that is not in the file or does not repeat")
    }
    // Items from before the import stay unchanged, with all their occurrences.
    guard item.id >= firstFreeID else {
      report.knownCount += 1
      return
    }
    // Earlier exceptions are taken out first, since the occurrence is looked up in the item that remains.
    if let first = try change.transaction.item(uuid: changed.repeating)?.item {
      try takeOutExceptions(of: first.id, before: wall(of: changed, in: item))
    }
    try take(changed.item, fromListNamed: listName)
    report.separatedCount += 1
    if let item = try repeating(changed.repeating), let time = try time(of: changed, in: item) {
      try takeOut(time, of: item, repeating: changed.repeating)
    }
  }

  /// Takes out the excluded occurrences before `end`; all of them for `nil`.
  mutating func takeOutExceptions(of id: Int64, before end: WallTime? = nil) throws {
    while let uuid = exceptions[id]?.uuid, let time = exceptions[id]?.times.last, end.map({ time < $0 }) ?? true {
      exceptions[id]?.times.removeLast()
      guard let item = try repeating(uuid), try series(of: item)?.contains(time) == true else { continue }
      try takeOut(time, of: item, repeating: uuid)
      report.exceptionCount += 1
    }
  }

  private func repeating(_ uuid: UUID) throws -> Item? {
    let item =
      if let id = continuations[uuid] {
        try change.transaction.item(id: id)?.item
      } else {
        try change.transaction.item(uuid: uuid)?.item
      }
    return item?.recurrence == nil ? nil : item
  }

  /// The due time of a changed occurrence in the item's zone; `nil` if the item has no such occurrence.
  private func time(of changed: ImportedOccurrence, in item: Item) throws -> WallTime? {
    guard let series = try series(of: item) else { return nil }
    let wall = try wall(of: changed, in: item)
    guard changed.isDay else { return series.contains(wall) ? wall : nil }
    guard let time = series.next(after: wall.adding(days: 0, minutes: -1)) else { return nil }
    return time.date == wall.date ? time : nil
  }

  /// The time that identifies an occurrence, in the item's zone; midnight for a date without a time.
  private func wall(of changed: ImportedOccurrence, in item: Item) throws -> WallTime {
    if changed.isDay { return WallTime(midnightOf: changed.wall.date) }
    guard changed.zone != item.zone, changed.zone != .floating else { return changed.wall }
    let instant = try change.planner.zone(changed.zone).instant(of: changed.wall).instant
    return try change.planner.zone(item.zone).wallTime(at: instant)
  }

  private func series(of item: Item) throws -> OccurrenceSeries? {
    guard let due = item.due else { return nil }
    return OccurrenceSeries(
      due: due.local, recurrence: item.recurrence, zone: try change.planner.zone(item.zone))
  }

  private mutating func takeOut(_ time: WallTime, of item: Item, repeating: UUID) throws {
    guard let due = item.due, let recurrence = item.recurrence, let series = try series(of: item) else { return }
    let next = try series.next(after: time).map { try change.planner.resolve($0, in: series.zone) }
    var first = item
    guard time > due.local else {
      if let next { first.due = next } else { first.end(at: change.stamp) }
      return try replace(item, with: first)
    }
    let last = series.last(before: time)
    first.recurrence = last == due.local ? nil : try recurrence.ending(at: last)
    try replace(item, with: first)
    guard let next else { return }
    let rest = try change.addItem(listID: item.listID, preferredID: nil) { id, position in
      item.continued(
        id: id, uuid: UUID(namespace: .belfry, name: "behind \(time) of \(repeating.text)"), position: position,
        due: next)
    }
    continuations[repeating] = rest.id
    try keep(rest)
  }
}

extension OccurrenceSeries {
  /// The last occurrence before `time`, which is later than the due date.
  fileprivate func last(before time: WallTime) -> WallTime {
    lastOccurrence(before: time).map { max($0, due) } ?? due
  }
}

extension Recurrence {
  /// The same recurrence with a last occurrence.
  ///
  /// - Throws: ``BelfryError`` `.badInput` for a rule that cannot end there.
  fileprivate func ending(at last: WallTime) throws -> Recurrence {
    guard let rule = rule.ending(.until(.local(last.lastSecond))) else {
      throw BelfryError(.badInput, "it changes an occurrence of the rule '\(rule)', which cannot be ended before it")
    }
    return Recurrence(rule: rule, start: start, origin: origin)
  }
}

extension Item {
  /// Checks the item, which has no occurrence left.
  fileprivate mutating func end(at date: Date) {
    isChecked = true
    checkedAt = date
  }

  /// A copy of the item under another identity, from a later due date on.
  fileprivate func continued(id: Int64, uuid: UUID, position: Int64, due: DueDate) -> Item {
    var item = self
    (item.id, item.uuid, item.position) = (id, uuid, position)
    (item.due, item.lastChecked, item.key, item.unknown) = (due, nil, nil, nil)
    return item
  }
}
