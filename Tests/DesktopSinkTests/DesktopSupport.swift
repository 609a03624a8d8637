import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import ConfigKeys
import Foundation
import MustacheTemplates
import TestSupport
import Testing

@testable import DesktopSink

/// A desktop for one test: a bus, a server that records, and a sink.
struct RecordedDesktop {
  let bus: SessionBus
  let server: NotificationCollector
  let sink: DesktopSink

  init(capabilities: [String] = NotificationCollector.usualCapabilities, _ settings: DesktopSettings = .init()) throws {
    bus = try SessionBus()
    server = try NotificationCollector(on: bus, capabilities: capabilities)
    sink = Notifying.sink(on: bus, settings)
  }

  /// The notification that a message makes.
  func shown(
    _ attempt: DeliveryAttempt, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> NotificationCollector.Record {
    let outcome = await sink.deliver(attempt)
    try #require(outcome.isDelivered, "\(outcome)", sourceLocation: sourceLocation)
    return try #require(try server.records().last, sourceLocation: sourceLocation)
  }
}

enum Notifying {
  static let zones = ZoneDatabase(environment: [:])

  static func sink(on bus: SessionBus, _ settings: DesktopSettings = .init()) -> DesktopSink {
    DesktopSink(settings, busAt: bus.address, zones: zones)
  }

  /// Settings whose items offer one action of each kind.
  static var settings: Settings {
    var settings = Settings()
    settings.timeZone = .named("UTC")
    settings.actions = [
      CategoryAction(identifier: "done", title: "Done", operation: .check),
      CategoryAction(identifier: "trash", title: "Delete it", operation: .delete),
      CategoryAction(identifier: "ok", title: "OK", operation: .acknowledge, requiresAuthentication: true),
      CategoryAction(identifier: "edit", title: "Edit", operation: .edit),
    ]
    return settings
  }

  /// A message about an item that offers these actions.
  static func message(_ text: String = "Buy milk", notes: String? = nil) throws -> Message {
    let reminder = try Sample.reminder(of: .item(1))
    var item = Sample.item(text: text, due: try Sample.due())
    item.notes = notes
    let listing = ItemListing(item: item, listName: "Groceries", nextFireDate: nil)
    let content = ReminderContent(
      reminder: reminder, subject: .item(listing), settings: settings, badge: 0, planner: Sample.planner,
      now: Sample.now)
    return Message(
      id: Message.id(sink: "sink", reminders: [reminder.id]), sink: "sink", contents: [content], createdAt: Sample.now)
  }

  /// The config of a desktop section, loaded in a program that delivers.
  static func load(_ section: String, _ variables: [String: String] = [:]) throws(ConfigurationError) -> Configuration {
    try config(variables).load(section)
  }

  static func config(_ variables: [String: String] = [:]) -> SinkConfig {
    SinkConfig(DesktopSinkPlugin.self, called: "desk", variables: variables, templates: MustacheLanguage())
  }
}
