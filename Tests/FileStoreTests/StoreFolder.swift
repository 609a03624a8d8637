import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import FileStore
import Foundation
import JSONStore
import PlistStore
import Testing

enum Format: String, CaseIterable, Sendable, CustomStringConvertible {
  case json
  case plist
  case binary

  static let texts: [Format] = [.json, .plist]

  var description: String { rawValue }

  var fileName: String { self == .json ? "belfry.json" : "belfry.plist" }

  /// A store of this format at a path.
  func store(_ path: String) -> any ItemStore {
    switch self {
    case .json: JSONStorePlugin.store(path: path)
    case .plist: PlistStorePlugin.store(path: path)
    case .binary: PlistStorePlugin.store(path: path, isBinary: true)
    }
  }
}

/// A folder with one store.
struct Place {
  let folder: TemporaryFolder
  let format: Format

  init(_ format: Format) throws {
    folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    self.format = format
  }

  var file: String { folder.file(format.fileName) }

  /// The store, opened as another process would.
  func open(_ path: String? = nil) -> any ItemStore { format.store(path ?? file) }

  /// A JSON store with this lock timeout, in seconds.
  func open(waiting seconds: Double) -> FileStore {
    FileStore(path: file, format: JSONFormat(), lockTimeout: seconds)
  }

  /// The use cases over the store, at ``Sample/now``, in UTC.
  func belfry(_ time: ManualTimeSource = ManualTimeSource()) -> Belfry {
    Belfry(store: open(), settings: Settings(), time: time, zones: ZoneDatabase(environment: ["TZ": "UTC"]))
  }

  var data: Data { contents(file) }

  var text: String { String(decoding: data, as: UTF8.self) }

  func contents(_ path: String) -> Data { FileManager.default.contents(atPath: path) ?? Data() }

  /// Writes the file as an editor does.
  func edit(_ text: String) throws { try edit(Data(text.utf8)) }

  func edit(_ data: Data) throws { try data.write(to: URL(fileURLWithPath: file)) }

  /// Replaces a part of the file that must be there.
  func replace(_ part: String, with other: String) throws {
    let text = text
    try #require(text.contains(part), "\(part) is not in \(text)")
    try edit(text.replacingOccurrences(of: part, with: other))
  }

  func names() throws -> [String] { try folder.names() }

  /// A store with lists, items, reminders and deliveries.
  func fill() throws {
    try open().write { transaction in
      for record in try Sample.everything() { try transaction.restore(record) }
    }
  }

  /// A store with one list and this many items, each with a scheduled reminder.
  func fill(items: Int) throws {
    try open().write { transaction in
      try transaction.addSampleList()
      for number in 1...items {
        let item = try transaction.addSampleItem("Item \(number)", to: 1, due: number)
        let occurrence = Occurrence(owner: .item(item.id), wallTime: try Sample.due(number).local, lead: .zero)
        try transaction.put(
          Reminder(
            id: occurrence.reminderID(ownerUUID: item.uuid), occurrence: occurrence,
            fireDate: try Sample.fireDate(number), state: .scheduled, changedAt: Sample.now))
      }
      try transaction.setPlannedZone("UTC")
    }
  }

  /// The error of opening the store.
  func refusal(sourceLocation: SourceLocation = #_sourceLocation) throws -> BelfryError {
    try #require(throws: BelfryError.self, sourceLocation: sourceLocation) { try open().read { try $0.counts() } }
  }
}

extension Data {
  /// The lines of a text that another one does not contain, with their repeats.
  func lines(notIn other: Data) -> [String] {
    var left: [Substring: Int] = [:]
    for line in String(decoding: other, as: UTF8.self).split(separator: "\n") { left[line, default: 0] += 1 }
    return String(decoding: self, as: UTF8.self).split(separator: "\n").filter { line in
      guard let count = left[line], count > 0 else { return true }
      left[line] = count - 1
      return false
    }.map(String.init)
  }
}
