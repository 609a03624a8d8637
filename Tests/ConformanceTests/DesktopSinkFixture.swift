import BelfryEngine
import BelfryTestKit
import CivilTime
import DesktopSink
import TestSupport

extension DesktopSinkPlugin: TestedSinkPlugin {
  static var fixtures: [SinkKind] {
    [
      SinkKind("desktop with buttons") { try DesktopSinkFixture(hasButtons: true) },
      SinkKind("desktop without buttons") { try DesktopSinkFixture(hasButtons: false) },
    ]
  }
}

/// A notification server on a bus of its own.
final class DesktopSinkFixture: SinkFixture {
  private let bus: SessionBus
  private let server: NotificationCollector
  private let hasButtons: Bool

  init(hasButtons: Bool) throws {
    self.hasButtons = hasButtons
    bus = try SessionBus()
    server = try NotificationCollector(
      on: bus, capabilities: ["body"] + (hasButtons ? ["actions", "body-markup"] : []))
  }

  // A click opens the page, whose link is not shown.
  var showsLinks: Bool { !hasButtons }

  // The list's name and the date are shown beside the text.
  var longestText: Int { 3_500 }

  func makeSink() -> any ReminderSink {
    DesktopSink(DesktopSettings(), busAt: bus.address, zones: ZoneDatabase(environment: [:]))
  }

  /// The notifications in order; a closed one is listed once more.
  func received() throws -> [ReceivedMessage] {
    var texts: [UInt32: String] = [:]
    return try server.records().map { record in
      let number = record.number ?? 0
      if record.kind == "shown" {
        let body = record.body ?? ""
        texts[number] = "\(record.summary ?? "")\n\(hasButtons ? Self.withoutMarkup(body) : body)"
      }
      return ReceivedMessage(identity: nil, text: texts[number] ?? "", whole: "\(record)")
    }
  }

  func disconnect() { bus.stop() }

  private static func withoutMarkup(_ text: String) -> String {
    text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
      .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
  }
}
