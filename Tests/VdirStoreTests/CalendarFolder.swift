import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import VdirStore

/// A folder of calendars with a state, and a clock.
struct Place {
  let folder: TemporaryFolder
  let time = ManualTimeSource()

  init() throws {
    folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    try FileManager.default.createDirectory(atPath: path("home"), withIntermediateDirectories: true)
  }

  /// The path of a file below the root.
  func path(_ name: String) -> String { folder.file("calendars/\(name)") }

  var root: String { folder.file("calendars") }
  var states: String { folder.file("states") }

  var zones: ZoneDatabase { ZoneDatabase(environment: [:]) }

  func open(remind: Remind = .due, readsEvents: Bool = false, writesAcknowledged: Bool = false) -> VdirStore {
    VdirStore(
      path: root, states: states, remind: remind, readsEvents: readsEvents, writesAcknowledged: writesAcknowledged,
      zones: zones, time: time)
  }

  /// Belfry over the store, with a clock of its own.
  func belfry(remind: Remind = .due, readsEvents: Bool = false, writesAcknowledged: Bool = false) -> Belfry {
    var settings = Settings()
    settings.timeZone = .named("UTC")
    let store = open(remind: remind, readsEvents: readsEvents, writesAcknowledged: writesAcknowledged)
    return Belfry(store: store, settings: settings, time: time, zones: zones)
  }

  /// Writes a file as another program does: beside it, then in its place.
  func write(_ text: String, to name: String = "home/a.ics") throws {
    try text.write(toFile: path(name), atomically: true, encoding: .utf8)
  }

  func read(_ name: String = "home/a.ics") throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

  /// A calendar with a to-do of these lines.
  static func todo(uid: String = "a", _ lines: String...) -> String {
    (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//other", "BEGIN:VTODO", "UID:\(uid)", "DTSTAMP:20261101T000000Z"]
      + lines + ["END:VTODO", "END:VCALENDAR", ""]).joined(separator: "\r\n")
  }
}

extension ItemStore {
  func items() throws -> [Item] { try read { try $0.items() } }

  func check(_ id: Int64) throws {
    try write { transaction in
      var item = try Check.present(transaction.item(id: id)).item
      (item.isChecked, item.checkedAt, item.updatedAt) = (true, Sample.now, Sample.now)
      try transaction.update(item)
    }
  }
}
