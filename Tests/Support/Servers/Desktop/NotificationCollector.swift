import BelfryTestKit
import Foundation

/// A notification server that records every notification and shows none.
package final class NotificationCollector: Sendable {
  package enum Manner: String, Sendable {
    /// It does what it is asked to do.
    case kind
    /// The same, and it reports do-not-disturb, if its capabilities have `inhibitions`.
    case inhibited
    /// It replies with an error.
    case refusing
    /// It replies with something else.
    case babbling
    case silent
    /// It ends instead of showing a notification.
    case dying
  }

  /// What the server was asked for: to show a notification, to close one, or to open a page.
  package struct Record: Decodable, Hashable, Sendable {
    /// `shown`, `closed` or `opened`.
    package let kind: String
    package let number: UInt32?
    /// The number of the notification that it replaces, or 0.
    package let replaced: UInt32?
    package let icon: String?
    package let summary: String?
    package let body: String?
    /// The keys and labels of the buttons.
    package let actions: [String]?
    /// The hints, as Python writes their values.
    package let hints: [String: String]?
    /// The milliseconds for which it is shown.
    package let milliseconds: Int?
    /// The page that was opened.
    package let page: String?

    /// The keys of the buttons.
    package var keys: [String] { stride(from: 0, to: actions?.count ?? 0, by: 2).compactMap { actions?[$0] } }
    /// The labels of the buttons.
    package var labels: [String] { stride(from: 1, to: actions?.count ?? 0, by: 2).compactMap { actions?[$0] } }
  }

  /// What most servers can do.
  package static let usualCapabilities = ["actions", "body", "body-markup", "persistence"]

  private struct Configuration: Encodable {
    let capabilities: [String]
    let hasPortal: Bool
  }

  private let bus: SessionBus
  private let process: ServerProcess

  /// Starts a server and waits until it has its name.
  ///
  /// - Parameter hasPortal: whether it is also a portal that opens pages.
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  package init(
    on bus: SessionBus, capabilities: [String] = usualCapabilities, hasPortal: Bool = false
  ) throws {
    self.bus = bus
    let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    let configuration = Configuration(capabilities: capabilities, hasPortal: hasPortal)
    try JSONEncoder().encode(configuration).write(
      to: URL(fileURLWithPath: folder.file("configuration.json")))
    process = try ServerProcess.python(
      script: Checkout.file("Tests/Support/Services/notification_server.py").path, [bus.address], in: folder)
    _ = try process.announcedPort()
  }

  /// What it was asked for so far, in order.
  ///
  /// - Throws: errors of reading and decoding.
  package func records() throws -> [Record] { try process.records(Record.self) }

  /// Behaves so from now on.
  ///
  /// - Throws: ``Program/Failure``.
  package func behave(_ manner: Manner) throws { try control(manner.rawValue) }

  /// Says that a button was pressed.
  ///
  /// - Throws: ``Program/Failure``.
  package func press(_ key: String, on number: UInt32) throws { try control("press", number, key) }

  /// Says so of many notifications of other programs, and that they were closed.
  ///
  /// - Throws: ``Program/Failure``.
  package func flood(_ count: UInt32, with key: String = "default") throws { try control("flood", count, key) }

  package func stop() { process.stop() }

  package func suspend() { process.suspend() }

  private func control(_ command: String, _ number: UInt32 = 0, _ key: String = "") throws {
    try bus.call(
      "org.freedesktop.Notifications", "/org/freedesktop/Notifications", "org.freedesktop.Notifications.Control",
      ["string:\(command)", "uint32:\(number)", "string:\(key)"])
  }
}
