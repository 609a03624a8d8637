import BelfryEngine
import BelfryModel
import BelfryTestKit
import Foundation
import RecurrenceRules
import Testing

@testable import Interchange

struct CalendarRoundTripTests {
  private func items(_ belfry: Belfry) throws -> [UUID: Item] {
    var items: [UUID: Item] = [:]
    for listing in try Contents.listings(belfry) {
      var item = listing.item
      item.position = 0
      item.listID = 0
      items[item.uuid] = item
    }
    return items
  }

  @Test(
    "an export of any items is read back equal, lists, numbers and order included",
    arguments: 1...12 as ClosedRange<UInt64>)
  func everything(seed: UInt64) throws {
    var random = RandomItems(seed: seed)
    let belfry = try random.belfry(items: 120)
    let text = try Contents.exported(belfry, as: .calendar)
    let (again, refused) = try Contents.imported(text, nil)
    #expect(refused == [])
    let (old, new) = (try items(belfry), try items(again))
    #expect(old.count == 120 && new.count == 120)
    for (uuid, item) in old where new[uuid] != item {
      Issue.record("\(item)\n\(String(describing: new[uuid]))")
    }
    let lists = { (belfry: Belfry) in try belfry.read { try $0.view.lists() } }
    #expect(try lists(again) == lists(belfry))
    #expect(try Contents.exported(again, as: .calendar) == text)
  }

  @Test("a second import of an export adds nothing")
  func twice() throws {
    var random = RandomItems(seed: 99)
    let belfry = try random.belfry(items: 60)
    let text = try Contents.exported(belfry, as: .calendar)
    var source = try Importer.open(ByteSource(text.utf8), format: nil, context: Contents.context)
    let report = try belfry.take(&source)
    #expect(report.added == [] && report.knownCount == 60 && report.newLists == [])
  }

  private static let rules = [
    "FREQ=DAILY;COUNT=7", "FREQ=WEEKLY;UNTIL=20270301", "FREQ=MONTHLY;UNTIL=20270301T083000",
    "FREQ=YEARLY;INTERVAL=3;COUNT=9",
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;UNTIL=20270301T083000Z", "FREQ=MONTHLY;BYDAY=-1SU;COUNT=1",
    "FREQ=HOURLY;INTERVAL=7",
    "FREQ=DAILY;BYHOUR=8,20",
  ]

  @Test("any repeat is read back as it was, wherever the due date has moved on to", arguments: rules)
  func repeats(rule: String) throws {
    let rule = try RecurrenceRule(rule)
    let start = try CalendarTesting.wall("2026-11-21T09:00")
    var items: [Item] = []
    for zone: ItemZone in [.floating, .fixed("America/New_York"), .fixed("UTC")] {
      for properties in [[], ["X-BELFRY-DATE-ONLY:0900"]] {
        for days in [0, 1, 7, 28, 400] {
          let due = try Contents.planner.resolve(start.adding(days: days), in: Contents.planner.zone(zone))
          var item = Sample.calendarItem(text: "\(items.count)", due: due, zone: zone, properties: properties)
          item.recurrence = Recurrence(rule: rule, start: start, origin: days == 1 ? .done : .due)
          items.append(item)
        }
      }
    }
    let read = try CalendarTesting.roundTrip(items)
    #expect(read.count == items.count)
    for (item, imported) in zip(items, read) { #expect(imported == CalendarTesting.expected(item)) }
  }

  @Test(
    "calendars of all kinds are read, written and read again with equal results", arguments: ["VTODO", "VEVENT"])
  func corpus(kind: String) throws {
    var compared = 0
    for file in CalendarTesting.corpus {
      let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
      let (belfry, _) = try Contents.imported(text.replacing(kind, with: "VTODO"), .calendar)
      let first = try Contents.exported(belfry, as: .calendar)
      let (again, refused) = try Contents.imported(first, .calendar)
      #expect(refused == [], "\(file.lastPathComponent)")
      let (old, new) = (try items(belfry), try items(again))
      compared += old.count
      #expect(old.count == new.count)
      for (uuid, item) in old where new[uuid] != item {
        Issue.record("\(file.lastPathComponent)\n\(item)\n\(String(describing: new[uuid]))")
      }
      #expect(try Contents.exported(again, as: .calendar) == first, "\(file.lastPathComponent)")
    }
    #expect(compared > 20, "\(compared)")
  }
}

extension Sample {
  /// An item as a calendar might hold it.
  static func calendarItem(
    text: String = "Milk", due: DueDate? = nil, zone: ItemZone = .floating, shouldRemind: Bool = false,
    properties: [String] = []
  ) -> Item {
    Item(
      id: 7, uuid: uuid("calendar"), listID: 1, position: 1, text: text, due: due, zone: zone,
      shouldRemind: shouldRemind,
      properties: properties, createdAt: now, updatedAt: now)
  }
}

extension CalendarTesting {
  /// The bytes of a calendar with these items.
  static func written(_ items: Item...) throws -> [UInt8] { try written(items) }

  static func written(_ items: [Item]) throws -> [UInt8] {
    var writer = CalendarWriter(context: ExportContext(planner: Contents.planner, now: Sample.now))
    var bytes: [UInt8] = []
    writer.start(into: &bytes)
    for item in items {
      try writer.write(ItemListing(item: item, listName: "Inbox", nextFireDate: nil), into: &bytes)
    }
    try writer.finish(into: &bytes)
    return bytes
  }

  static func roundTrip(_ item: Item) throws -> ImportedItem { try #require(try roundTrip([item]).first) }

  /// Exports items and imports them again, without places.
  static func roundTrip(_ items: [Item]) throws -> [ImportedItem] {
    let read = try entries(written(items))
    #expect(read.refusals == [])
    #expect(read.items.count == items.count)
    return read.items.map { item in
      var item = item
      item.place = ""
      return item
    }
  }

  /// The expected import of an item.
  static func expected(_ item: Item) -> ImportedItem {
    var imported = ImportedItem(
      itemID: item.id, uuid: item.uuid, text: item.text, notes: item.notes ?? "", isChecked: item.isChecked,
      due: item.due.map { .local($0.local, item.zone) }, shouldRemind: item.shouldRemind, place: "")
    imported.alerts = item.due != nil || item.alerts != [.zero] ? item.alerts : []
    imported.rule = item.recurrence?.rule
    imported.repeatStart = item.recurrence.flatMap { $0.start == item.due?.local ? nil : $0.start }
    imported.repeatOrigin = item.recurrence?.origin ?? .due
    imported.lastChecked = item.lastChecked
    (imported.nag, imported.category) = (item.nag, item.category)
    (imported.createdAt, imported.updatedAt, imported.checkedAt) = (item.createdAt, item.updatedAt, item.checkedAt)
    imported.properties = item.properties
    imported.sequence = 0
    return imported
  }
}
