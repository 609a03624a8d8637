import BelfryTestKit
import Foundation
import MemoryStore
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// Belfry over a store in memory, at 09:00 in Zurich on 2026-11-21 unless a test changes that.
struct EngineFixture {
  let time = ManualTimeSource()
  var store: any ItemStore = MemoryStore()
  var settings = Settings()

  init(zone: String = "Europe/Zurich") { settings.timeZone = .named(zone) }

  var belfry: Belfry {
    Belfry(store: store, settings: settings, time: time, zones: ZoneDatabase(environment: [:]))
  }

  /// Adds an item to a list, which is created if needed; it has a reminder if it has a due date.
  @discardableResult
  func add(
    _ text: String = "Buy milk", to list: String = "Groceries", due: String? = nil, zone: ItemZone = .floating,
    alerts: [String] = [], shouldRemind: Bool = true, category: String? = nil
  ) throws -> ItemChange {
    let draft = ItemDraft(
      text: text, due: try due.map(wall), zone: zone, shouldRemind: due != nil && shouldRemind,
      alerts: try alerts.map { try CalendarDuration(parsing: $0, allowsZero: true) }, category: category)
    return try only(belfry.add([draft], to: ListChoice(list, createsMissing: true)))
  }

  @discardableResult
  func edit(_ id: Int64 = 1, _ change: (inout ItemEdit) throws -> Void) throws -> ItemChange {
    var edit = ItemEdit()
    try change(&edit)
    return try belfry.edit(id, edit)
  }

  /// Sets the clock to an instant in RFC 3339.
  func setClock(_ text: String) throws { time.now = try instant(text) }

  /// The reminders of an item or list, soonest first, as `2026-11-21T10:00+01:00 scheduled`, in the zone of the plan.
  func reminders(of owner: ReminderOwner = .item(1)) throws -> [String] {
    try belfry.read { reading in
      try reading.view.reminders(of: owner).sorted { $0.fireDate < $1.fireDate }.map { reminder in
        "\(short(reading.planner.floatingZone.rfc3339(reminder.fireDate.date))) \(reminder.state.name)"
      }
    }
  }

  /// The scheduled fire dates of an item or list, soonest first, as `2026-11-21T10:00+01:00`.
  func scheduled(of owner: ReminderOwner = .item(1)) throws -> [String] {
    try reminders(of: owner).filter { $0.hasSuffix(" scheduled") }.map { String($0.dropLast(10)) }
  }

  /// Claims due reminders for sinks with one recipient each.
  @discardableResult
  func claim(_ sinks: [String] = ["sink"], limit: Int = 500) throws -> ClaimResult {
    try belfry.claimDue(sinks: sinks.map { ActiveSink(name: $0, sink: RecordingSink()) }, limit: limit)
  }

  /// All deliveries, oldest first.
  func deliveries() throws -> [Delivery] { try store.read { try $0.deliveries().reversed() } }

  func item(_ id: Int64 = 1) throws -> Item {
    guard let listing = try store.read({ try $0.item(id: id) }) else { throw Unexpected("there is no item \(id)") }
    return listing.item
  }
}

extension Belfry {
  /// Claims due reminders in a transaction of its own.
  func claimDue(sinks: [ActiveSink], limit: Int) throws -> ClaimResult {
    try change { change in
      var claim = try Claim(change: change, settings: settings, sinks: sinks)
      return try claim.claimDue(ClaimBatch(limit: limit))
    }
  }
}

struct Unexpected: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

func wall(_ text: String) throws -> WallTime {
  guard let wall = WallTime(parsing: text) else { throw Unexpected("\(text) is no wall time") }
  return wall
}

func instant(_ text: String) throws -> Date {
  guard let instant = parseRFC3339(text) else { throw Unexpected("\(text) is not RFC 3339") }
  return instant
}

func lead(_ text: String) throws -> CalendarDuration { try CalendarDuration(parsing: text, allowsZero: true) }

func only<Element>(_ elements: [Element]) throws -> Element {
  guard let first = elements.first, elements.count == 1 else { throw Unexpected("\(elements.count) elements, not one") }
  return first
}

/// RFC 3339 without its seconds.
func short(_ text: String) -> String {
  text.replacing(":00+", with: "+").replacing(":00-", with: "-").replacing(":00Z", with: "Z")
}
