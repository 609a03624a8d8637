import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import ICalendar

/// Decides which kept properties of an item are written as they are. The others contradict the item's fields, or would
/// read back as something else, and are written as texts of a property of Belfry's own.
struct KeptWriting {
  /// The parts made of the properties, in order.
  let segments: [KeptSegment]
  /// The minutes after midnight at which a date without a time is due; `nil` if DUE must have a time.
  let dateMinutes: Int?
  /// The start of an item that starts before it is due.
  private(set) var start: TodoTime?

  private let item: Item
  private let planner: Planner
  private let floatingZone: String?
  private let now: WallTime
  private var written: Set<Int> = []

  /// The decision for an item's properties.
  ///
  /// - Parameters:
  ///   - floatingZone: the name of the zone in which a floating time is written; `nil` for none.
  ///   - now: the instant of the export.
  init(_ item: Item, planner: Planner, floatingZone: String?, now: Date) {
    (self.item, self.planner, self.floatingZone) = (item, planner, floatingZone)
    self.now = planner.displayZone(item.zone).wallTime(at: now)
    segments = KeptSegment.all(item.content.propertiesWithFields)
    dateMinutes =
      segments.lazy.compactMap { segment -> Int? in
        guard case .property(let line) = segment, line.name == BelfryProperty.dateOnly else { return nil }
        return TodoSchedule.minutes(line.value)
      }.first
    var seen: Set<String> = []
    for case (let index, .property(let line)) in segments.enumerated() where mayWrite(line) {
      guard !Self.once.contains(line.name) || seen.insert(line.name).inserted else { continue }
      written.insert(index)
    }
  }

  /// True if the part with this index is written as it is; for components see ``AlarmWriting``.
  func writes(_ index: Int) -> Bool { written.contains(index) }

  /// True if one of the properties written as they are has this name.
  func writes(_ name: String) -> Bool {
    written.contains { index in
      if case .property(let line) = segments[index] { line.name == name } else { false }
    }
  }

  private static let once: Set = [
    "UID", "STATUS", "PRIORITY", "PERCENT-COMPLETE", "DTSTART", "DURATION", BelfryProperty.dateOnly,
  ]

  private mutating func mayWrite(_ line: CalendarProperty) -> Bool {
    guard !KeptProperties.read.contains(line.name), !BelfryProperty.ofItems.contains(line.name) else { return false }
    switch line.name {
    case "UID": return UUID(calendarUID: line.value) == item.uuid && line.text != "UID:\(item.uuid.text)"
    case "STATUS":
      let status = line.value.uppercased()
      return status == "CANCELLED"
        ? item.isChecked : !item.isChecked && status != "NEEDS-ACTION" && status != "COMPLETED"
    case "PERCENT-COMPLETE": return line.value != "100" || item.isChecked
    case "DURATION": return item.due == nil
    case "DTSTART": return mayWriteStart(line)
    case "EXDATE": return mayWriteExceptions(line)
    case BelfryProperty.dateOnly: return TodoSchedule.minutes(line.value) != nil
    case "X-MOZ-SNOOZE-TIME": return false
    default: return true
    }
  }

  private mutating func mayWriteStart(_ line: CalendarProperty) -> Bool {
    var zones = CalendarZones(planner: planner)
    guard let due = item.due, item.recurrence == nil,
      let start = try? TodoTime(line, dateMinutes: dateMinutes ?? 0, zones: &zones)
    else { return false }
    let isDate = item.zone == .floating && dateMinutes == due.local.time.minutesSinceMidnight
    let isFloating = isDate ? start.zone == .floating : start.zone == floatingZone.map(ItemZone.fixed) ?? .floating
    guard start.isDate == isDate, item.zone == .floating ? isFloating : start.zone != .floating,
      start.wall(in: item.zone, planner: planner) < due.local
    else { return false }
    self.start = start
    return true
  }

  // An exception at the due date or later would change the next reminder when read back.
  private func mayWriteExceptions(_ line: CalendarProperty) -> Bool {
    var zones = CalendarZones(planner: planner)
    guard let due = item.due, item.recurrence != nil else { return false }
    for value in line.value.split(separator: ",") {
      guard let moment = CalendarMoment(value),
        let time = try? TodoTime(
          moment, identifier: line.parameter("TZID"), dateMinutes: due.local.time.minutesSinceMidnight, line: 0,
          zones: &zones)
      else { return false }
      let wall = time.wall(in: item.zone, planner: planner)
      guard wall != due.local, wall < due.local || wall <= now else { return false }
    }
    return true
  }
}
