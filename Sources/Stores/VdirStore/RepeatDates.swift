import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials

/// The occurrences by which a repeating to-do differs from its rule: EXDATE, RDATE, and the to-dos that change one
/// occurrence of it (RECURRENCE-ID), which other programs write where they move or complete it.
struct RepeatDates {
  private var exceptions: Set<WallTime>
  private var additions: Set<WallTime>
  /// The time at which the last of the changed occurrences was completed.
  private(set) var checkedAt: Date?

  var isEmpty: Bool { exceptions.isEmpty && additions.isEmpty }

  /// The dates of a to-do.
  ///
  /// - Parameter item: the item of the to-do by its rule alone.
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
    for occurrence in changed {
      let time = try Self.time(of: occurrence, due: due, zone: zone, reader)
      // Occurrences before the due date are over: completing a repeating to-do moves the due date on.
      guard time >= due else { continue }
      guard !occurrence.item.isChecked else {
        exceptions.insert(time)
        checkedAt = [checkedAt, reader.stamp(occurrence.item.checkedAt)].compactMap(\.self).max()
        continue
      }
      let (moved, movedZone) = try reader.due(occurrence.item.due)
      guard let moved else { continue }
      let other = movedZone == item.zone ? moved.local : zone.wallTime(at: moved.instant.date)
      guard other != time else { continue }
      exceptions.insert(time)
      additions.insert(other)
    }
  }

  /// The item's properties for them.
  var properties: [String] {
    (exceptions.isEmpty ? [] : [Item.property(Item.exceptionsProperty, exceptions)])
      + (additions.isEmpty ? [] : [Item.property(Item.additionsProperty, additions)])
  }

  // The due time of an occurrence in the item's zone.
  private static func time(
    of occurrence: ImportedOccurrence, due: WallTime, zone: Zone, _ reader: ForeignItem
  ) throws -> WallTime {
    if occurrence.isDay { return WallTime(date: occurrence.wall.date, time: due.time) }
    guard occurrence.zone != .floating else { return occurrence.wall }
    return zone.wallTime(at: try reader.planner.zone(occurrence.zone).instant(of: occurrence.wall).instant)
  }
}
