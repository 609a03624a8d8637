import BelfryConfig
import BelfryEngine
import BelfryModel
import CivilTime
import ConfigKeys
import Foundation
import Interchange
import JSONStore
import NaturalDates
import OrderedJSON
import PlistStore
import PropertyLists
import RecurrenceRules
import VdirStore

/// A reader of untrusted input, for libFuzzer. It must end on any input, and may only throw.
enum Reader: String, CaseIterable {
  case json
  case plist
  case rule
  case when
  case config
  case jsonStore = "json-store"
  case plistStore = "plist-store"
  case belfry
  case calendar
  case todoTxt = "todo.txt"
  case taskwarrior
  case appFile = "app-file"
  case webForm = "web-form"
  case webLine = "web-line"
  case webHead = "web-head"
  case webAlerts = "web-alerts"
  case webPasskey = "web-passkey"
  case vdir

  private static let now = Date(timeIntervalSince1970: 1_795_248_000)
  private static let zones = ZoneDatabase(environment: [:])
  private static let planner = Planner(floatingZone: .utc, zones: zones)
  private static let loader = ConfigLoader(
    schema: ConfigSchema(stores: [JSONStorePlugin.self, PlistStorePlugin.self], sinks: []),
    environment: ConfigEnvironment.ofProcess(), zones: zones)
  private static let folder = "/dev/shm/belfry-fuzz-\(getpid())-vdir"
  private static let calendars = VdirStore(path: "\(folder)/lists", states: "\(folder)/states", zones: zones)
  private static let file = "/dev/shm/belfry-fuzz-\(getpid())"

  /// Reads the bytes; both success and an error are fine.
  func read(_ bytes: [UInt8]) {
    switch self {
    case .json: _ = try? JSONValue(parsing: bytes)
    case .plist: _ = try? PropertyList(parsing: bytes)
    case .rule:
      guard let rule = try? RecurrenceRule(String(decoding: bytes, as: UTF8.self)) else { return }
      _ = rule.description
    case .when:
      let parser = WhenParser(now: Self.now, zone: .utc, defaultTime: Settings().defaultTime)
      _ = try? parser.parse(String(decoding: bytes, as: UTF8.self))
    case .config: _ = try? Self.loader.load(bytes: bytes, name: "-")
    case .jsonStore: readStore(JSONStorePlugin.store(path: Self.file), bytes)
    case .plistStore: readStore(PlistStorePlugin.store(path: Self.file), bytes)
    case .belfry: readFile(bytes, as: .belfry)
    case .calendar: readFile(bytes, as: .calendar)
    case .todoTxt: readFile(bytes, as: .todoTxt)
    case .taskwarrior: readFile(bytes, as: .taskwarrior)
    case .appFile: readFile(bytes, as: nil)
    case .webForm: try? WebReaders.form(bytes)
    case .webLine: try? WebReaders.line(bytes)
    case .webHead: WebReaders.head(bytes)
    case .webAlerts: try? WebReaders.alerts(bytes)
    case .webPasskey: WebReaders.passkey(bytes)
    case .vdir: changeFolder(bytes)
    }
  }

  /// Removes the files that readers of stores and folders were given.
  static func removeFiles() {
    for path in [file, folder] { try? FileManager.default.removeItem(atPath: path) }
  }

  // Reads a file of a folder of calendars, and changes its item in it.
  private func changeFolder(_ bytes: [UInt8]) {
    let list = "\(Self.folder)/lists/home"
    try? FileManager.default.createDirectory(atPath: list, withIntermediateDirectories: true)
    guard FileManager.default.createFile(atPath: "\(list)/a.ics", contents: Data(bytes)) else { return }
    _ = try? Self.calendars.write { transaction in
      var items: [Item] = []
      try transaction.forEachItem(ItemQuery(checked: .any)) { items.append($0.item) }
      for var item in items {
        item.isChecked.toggle()
        item.checkedAt = item.isChecked ? Self.now : nil
        try transaction.update(item)
      }
    }
  }

  private func readFile(_ bytes: [UInt8], as format: ImportFormat?) {
    let context = ImportContext(defaultListName: "Inbox", planner: Self.planner, now: Self.now)
    _ = try? Importer.entries(in: bytes, format: format, context: context)
  }

  private func readStore(_ store: any ItemStore, _ bytes: [UInt8]) {
    guard FileManager.default.createFile(atPath: Self.file, contents: Data(bytes)) else { return }
    _ = try? store.read { view in try view.forEachRecord { _ in } }
  }
}
