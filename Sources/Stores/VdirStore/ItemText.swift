import BelfryEngine
import BelfryModel
import FoundationEssentials
import ICalendar
import Interchange

/// Writes items into files, and reads items from them.
struct ItemText {
  let planner: Planner
  let remind: Remind
  /// True if events with alarms are items.
  let readsEvents: Bool
  /// True if answers to events are written into their files.
  let writesAcknowledged: Bool
  /// True if the floating zone is the one in which the daemon plans; only then may it be written.
  let isZoneKnown: Bool
  /// The time of the change.
  let now: Date

  /// The content of a new file.
  ///
  /// - Parameter snooze: the item's scheduled snooze.
  /// - Throws: ``BelfryError`` for a character that no calendar can hold.
  func calendar(_ item: Item, snooze: Reminder?) throws -> [UInt8] {
    try todo(item, snooze, isZoned: isZoneKnown).calendar
  }

  /// The content of a file after its item has changed; the same if the file would not change.
  ///
  /// - Throws: as ``calendar(_:snooze:)``.
  func calendar(_ item: Item, snooze: Reminder?, over file: [UInt8]) throws -> [UInt8] {
    let reader = ForeignItem(planner: planner, remind: remind, now: now.wholeSeconds)
    guard
      case .todo(let content) = TodoFile(file, planner: planner, now: now, readsEvents: false),
      let known = try? reader.item(content.item, content.changed, as: item)
    else { return try calendar(item, snooze: snooze) }
    let imported = content.item
    // A snooze that the file already has is no change, whenever it was asked for.
    let isKnown = imported.snoozedUntil == snooze?.fireDate.date
    let said = imported.snoozedUntil.flatMap { planner.snooze(of: known, until: $0, at: now) }
    // A time that another program wrote without a zone is meant to float.
    let isZoned = isZoneKnown && (imported.due == nil || Self.saysFloating(file))
    let whole = content.changed.isEmpty ? nil : try? reader.item(imported, [], as: item)
    let old = try todo(known.withoutDates(of: whole, known), isKnown ? snooze : said, isZoned: isZoned)
    let new = try todo(item.withoutDates(of: whole, known), snooze, isZoned: isZoned)
    return TodoEdit.bytes(of: file, from: old.todo, to: new.todo, zones: new.zones) ?? new.calendar
  }

  /// An item of a file, as the file has it; `nil` for a file without it.
  func item(_ file: [UInt8], as known: Item) throws -> Item? {
    let read = TodoFile(file, planner: planner, now: now, readsEvents: readsEvents)
    guard case .todo(let content) = read, let part = content.part(known.uuid) else { return nil }
    return try ForeignItem(planner: planner, remind: remind, now: now.wholeSeconds)
      .item(part.item, part.changed, as: known)
  }

  /// The content of an event's file with the answers to its reminders; the same if there is nothing to write.
  func calendar(_ event: Item, answersIn view: any StoreView, over file: [UInt8]) throws -> [UInt8] {
    let read = TodoFile(file, planner: planner, now: now, readsEvents: true)
    guard writesAcknowledged, case .todo(let content) = read, let part = content.part(event.uuid),
      !part.item.isChecked
    else { return file }
    let context = ImportContext(
      defaultListName: "", planner: planner, now: now, readsEvents: true, keepsRepeatsWhole: true)
    let places = AlarmPlaces(in: file, context: context).lines
    let answers = try EventAnswers(event, in: view, planner: planner, now: now)
    var marks = answers.marks(event.uuid, lines: places[event.uuid] ?? [:])
    // A moved occurrence has alarms of its own, and a snooze of it puts off one of these.
    let reader = ForeignItem(planner: planner, remind: remind, now: now.wholeSeconds)
    let zone = planner.displayZone(event.zone)
    for occurrence in part.changed where !occurrence.item.isChecked {
      guard let uuid = occurrence.item.uuid, let lines = places[uuid], let due = try reader.due(occurrence.item.due).0
      else { continue }
      let own = answers.marks(uuid, lines: lines, at: zone.wallTime(at: due.instant.date))
      marks.alarms += own.alarms
      marks.takenBack.formUnion(own.takenBack)
      marks.snooze = own.snooze ?? marks.snooze
    }
    return AlarmEdit.bytes(of: file, marks)
  }

  private static func saysFloating(_ file: [UInt8]) -> Bool {
    let lines = ContentLines(file)
    return lines.todo?.properties.contains { line in
      SingleTodo.saysFloating(String(decoding: lines.text(line), as: UTF8.self))
    } ?? false
  }

  // Control characters are replaced in the file; the state keeps them.
  private func todo(_ item: Item, _ snooze: Reminder?, isZoned: Bool) throws -> SingleTodo {
    do {
      return try SingleTodo(item.holdable, snooze: snooze, isZoned: isZoned, planner: planner, now: now)
    } catch {
      throw BelfryError(.badInput, "item \(item.id): a calendar cannot hold the character \(error.character)")
    }
  }
}

extension Item {
  /// The item without the dates that come from other to-dos in its file, which stay there.
  ///
  /// - Parameters:
  ///   - whole: the item by the rule of its file alone; `nil` if there are no other to-dos.
  ///   - known: the item as its file has it.
  fileprivate func withoutDates(of whole: Item?, _ known: Item) -> Item {
    guard let whole else { return self }
    var item = self
    item.properties.removeAll { line in
      [Self.exceptionsProperty, Self.additionsProperty].contains { line.hasPrefix("\($0):") }
    }
    if recurrence == known.recurrence { item.recurrence = whole.recurrence }
    return item
  }

  /// The item with texts that a calendar can hold.
  fileprivate var holdable: Item {
    var item = self
    item.text = text.holdable
    item.notes = notes?.holdable
    item.category = category?.holdable
    item.key = key?.holdable
    item.properties = properties.map(\.holdable)
    return item
  }
}

extension String {
  /// The text with control characters replaced, but for tabs and line feeds.
  var holdable: String {
    let isPlain = utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A || $0 == 0x09 }
    guard !isPlain else { return self }
    var text = ""
    for scalar in replacing("\r\n", with: "\n").unicodeScalars {
      let isControl = scalar.value < 0x20 && scalar != "\n" && scalar != "\t" || scalar.value == 0x7F
      text.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
    }
    return text
  }
}
