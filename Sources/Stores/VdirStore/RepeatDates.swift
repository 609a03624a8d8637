import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials

/// The occurrences by which a repeating to-do differs from its rule: EXDATE, RDATE, and the to-dos that change one
/// occurrence of it (RECURRENCE-ID), or one and all later ones, which other programs write when they move or complete
/// it.
struct RepeatDates {
  /// The most occurrences that follow from a change of all later ones.
  private static let mostLater = 1_000

  private var exceptions: Set<WallTime>
  private var additions: Set<WallTime>
  /// The time at which the last of the changed occurrences was completed.
  private(set) var checkedAt: Date?
  // The last occurrence by the rule, if all later ones were changed.
  private var end: WallTime?

  /// The dates of a to-do.
  ///
  /// - Parameter item: the item of the to-do by its rule only.
  init(
    _ imported: ImportedItem, _ changed: [ImportedOccurrence], item: Item, reader: ForeignItem
  ) throws {
    guard let due = item.due?.local, item.recurrence != nil else {
      (exceptions, additions) = ([], [])
      return
    }
    // The item may have such properties already, if Belfry wrote the whole file.
    exceptions = imported.excluded.subtracting(item.exceptions)
    additions = imported.added.subtracting(item.additions)
    let zone = try reader.planner.zone(item.zone)
    var later: [LaterOccurrences] = []
    for occurrence in changed where occurrence.isAndLater {
      let time = try Self.time(of: occurrence, due: due, zone: zone, reader)
      let moved = try Self.moved(occurrence, item: item, zone: zone, reader) ?? time
      later.append(LaterOccurrences(from: time, moved: moved, isOver: occurrence.item.isChecked))
    }
    later.sort { $0.from < $1.from }
    let series = try beginAtDue(&later, item, due, zone: zone, reader.planner)
    take(later, of: series, due, reader)
    for occurrence in changed where !occurrence.isAndLater {
      let time = try Self.time(of: occurrence, due: due, zone: zone, reader)
      // Occurrences before the due date are over, since completing a repeating to-do moves the due date on.
      guard time >= due else { continue }
      if let other = later.last(where: { $0.from <= time })?.moved(time) { additions.remove(other) }
      guard !occurrence.item.isChecked else {
        exceptions.insert(time)
        checkedAt = [checkedAt, reader.stamp(occurrence.item.checkedAt)].compactMap(\.self).max()
        continue
      }
      guard let other = try Self.moved(occurrence, item: item, zone: zone, reader), other != time || end != nil else {
        continue
      }
      exceptions.insert(time)
      additions.insert(other)
    }
  }

  /// A change of an occurrence and all later ones.
  private struct LaterOccurrences {
    var from: WallTime
    let minutes: Int
    let isOver: Bool

    init(from: WallTime, moved: WallTime, isOver: Bool) {
      (self.from, self.isOver) = (from, isOver)
      minutes = moved.minutesSinceEpoch - from.minutesSinceEpoch
    }

    /// The time of an occurrence after the change; `nil` if it does not take place.
    func moved(_ time: WallTime) -> WallTime? { isOver ? nil : time.adding(days: 0, minutes: minutes) }
  }

  // Keeps the last change that began before the due date, since it replaces those before it. It may have changed the due
  // date already: a program that moves the due date on sets it to an occurrence of the rule, or to its moved time.
  // Returns the item at an occurrence of its rule.
  private mutating func beginAtDue(
    _ later: inout [LaterOccurrences], _ item: Item, _ due: WallTime, zone: Zone, _ planner: Planner
  ) throws -> Item {
    guard let begun = later.lastIndex(where: { $0.from < due }), let recurrence = item.recurrence else { return item }
    later.removeFirst(begun)
    guard later[0].isOver || later[0].minutes != 0 else {
      later.removeFirst()
      return item
    }
    let isAnchored = recurrence.start != due
    var original = item
    original.properties = []
    original.due = try planner.resolve(later[0].from, in: zone)
    original.recurrence = Recurrence(
      rule: recurrence.rule.ending(.never) ?? recurrence.rule, start: isAnchored ? recurrence.start : later[0].from,
      origin: recurrence.origin)
    if later[0].isOver || planner.occurrence(of: original, atOrAfter: due) == due {
      later[0].from = due
    } else if isAnchored {
      let place = due.adding(days: 0, minutes: -later[0].minutes)
      exceptions.insert(place)
      later[0].from = place.adding(days: 0, minutes: 1)
      var series = item
      series.due = try planner.resolve(place, in: zone)
      return series
    } else {
      // The rule counts from the moved time already.
      later.removeFirst()
    }
    return item
  }

  // The rule ends where the first change begins. Later occurrences become dates, up to a limit.
  private mutating func take(_ later: [LaterOccurrences], of item: Item, _ due: WallTime, _ reader: ForeignItem) {
    guard let first = later.first, later.contains(where: { $0.isOver || $0.moved(first.from) != first.from }) else {
      return
    }
    end = first.from.adding(days: 0, minutes: -1)
    let planner = reader.planner
    let today = planner.displayZone(item.zone).wallTime(at: reader.now).adding(days: -32)
    var next = planner.occurrence(of: item, atOrAfter: item.isEvent ? max(first.from, today) : first.from)
    var count = 0
    while let time = next, count < Self.mostLater {
      if !exceptions.contains(time), let moved = later.last(where: { $0.from <= time })?.moved(time) {
        additions.insert(moved)
      }
      count += 1
      next = planner.occurrence(of: item, atOrAfter: time.adding(days: 0, minutes: 1))
    }
    if due == first.from { exceptions.insert(due) }
  }

  /// Gives the dates to the item.
  func apply(to item: inout Item) {
    if !exceptions.isEmpty { item.properties.append(Item.property(Item.exceptionsProperty, exceptions)) }
    if !additions.isEmpty { item.properties.append(Item.property(Item.additionsProperty, additions)) }
    guard let end, let recurrence = item.recurrence,
      let rule = recurrence.rule.ending(.until(.local(end.civil)))
    else { return }
    item.recurrence = Recurrence(rule: rule, start: recurrence.start, origin: recurrence.origin)
  }

  /// True if the item is as its rule says.
  var isEmpty: Bool { exceptions.isEmpty && additions.isEmpty && end == nil }

  // The due time of an occurrence in the item's zone.
  private static func time(
    of occurrence: ImportedOccurrence, due: WallTime, zone: Zone, _ reader: ForeignItem
  ) throws -> WallTime {
    if occurrence.isDay { return WallTime(date: occurrence.wall.date, time: due.time) }
    guard occurrence.zone != .floating else { return occurrence.wall }
    return zone.wallTime(at: try reader.planner.zone(occurrence.zone).instant(of: occurrence.wall).instant)
  }

  // The time to which an occurrence was moved, in the item's zone; `nil` if it has none.
  private static func moved(
    _ occurrence: ImportedOccurrence, item: Item, zone: Zone, _ reader: ForeignItem
  ) throws -> WallTime? {
    let (moved, movedZone) = try reader.due(occurrence.item.due)
    guard let moved else { return nil }
    return movedZone == item.zone ? moved.local : zone.wallTime(at: moved.instant.date)
  }
}
