import Foundation
import TestSupport
import Testing

/// A desktop that records its notifications, and whose buttons the test presses.
struct RecordedDesktop {
  private let bus: SessionBus
  private let server: NotificationCollector

  init() throws {
    bus = try SessionBus()
    server = try NotificationCollector(on: bus)
  }

  /// The sink of a config.
  var sink: String { "desk: { type: desktop, bus: \"\(bus.address)\", shown_for: 1h }" }

  /// Waits for the notification with a title, and returns it.
  func shown(_ title: String) async throws -> NotificationCollector.Record {
    var found: NotificationCollector.Record?
    try await waitUntil("'\(title)' is shown") {
      found = try server.records().first { $0.kind == "shown" && $0.summary == title }
      return found != nil
    }
    return try #require(found)
  }

  /// Presses the button of a notification with a label.
  func press(_ label: String, on notification: NotificationCollector.Record) throws {
    let place = try #require(notification.labels.firstIndex(of: label), "\(notification)")
    try server.press(notification.keys[place], on: try #require(notification.number))
  }

  /// The titles of the notifications that were closed.
  func closed() throws -> Set<String> {
    let records = try server.records()
    let numbers = Set(records.filter { $0.kind == "closed" }.map(\.number))
    return Set(records.filter { $0.kind == "shown" && numbers.contains($0.number) }.compactMap(\.summary))
  }
}
