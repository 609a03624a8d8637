import BelfryModel
import CivilTime
import FoundationEssentials
import OrderedJSON

/// The lists and items of Belfry's own JSON: the file of a JSON store, or the array that `belfry show --json` prints.
///
/// Reminders, messages and deliveries are skipped, since the importing store plans each item again.
struct BelfrySource: ImportSource {
  private enum Place {
    case start, store, end
    case section(Section, isFirst: Bool)
    /// An array of items without a store around it.
    case array(isFirst: Bool)
  }

  private enum Section: String { case lists, items, reminders, messages, deliveries }

  private var json: JSONStream
  private let records: BelfryRecords
  private var place = Place.start
  private var keys: Set<String> = []

  init(_ bytes: ByteSource, context: ImportContext) {
    json = JSONStream(bytes)
    records = BelfryRecords(context: context)
  }

  mutating func next() throws -> ImportEntry? {
    while true {
      switch place {
      case .start: try open()
      case .store: try readMember()
      case .section(let section, let isFirst):
        guard try startElement(isFirst: isFirst) else {
          place = .store
          continue
        }
        place = .section(section, isFirst: false)
        let record = try json.value()
        switch section {
        case .lists: return records.list(record)
        case .items: return records.item(record)
        case .reminders, .messages, .deliveries: continue
        }
      case .array(let isFirst):
        guard try startElement(isFirst: isFirst) else {
          try close()
          continue
        }
        place = .array(isFirst: false)
        let record = try json.value()
        return records.item(record)
      case .end: return nil
      }
    }
  }

  private mutating func open() throws {
    if try json.consume("[") {
      place = .array(isFirst: true)
    } else {
      try json.expect("{")
      place = .store
    }
  }

  private mutating func close() throws {
    if try json.nextByte() != nil { throw try json.unexpected(wanted: "the end of the file") }
    place = .end
  }

  // True if another element follows in the array.
  private mutating func startElement(isFirst: Bool) throws -> Bool {
    if try json.consume("]") { return false }
    if !isFirst, try !json.consume(",") { throw try json.unexpected(wanted: "\",\" or \"]\"") }
    return true
  }

  private mutating func readMember() throws {
    if try json.consume("}") {
      guard keys.contains("format") else { throw Self.foreign(line: json.line) }
      return try close()
    }
    if !keys.isEmpty, try !json.consume(",") { throw try json.unexpected(wanted: "\",\" or \"}\"") }
    let name = try json.value()
    guard let key = try? name.parsed().stringValue else {
      throw ImportError(message: "line \(name.line): expected a key in double quotes")
    }
    try json.expect(":")
    guard keys.insert(key).inserted else {
      throw ImportError(message: "line \(name.line): duplicate key \(inQuotes(key))")
    }
    if let section = Section(rawValue: key) {
      try json.expect("[")
      place = .section(section, isFirst: true)
    } else {
      try readHead(key, json.value())
    }
  }

  private func readHead(_ key: String, _ record: JSONRecord) throws {
    let value: JSONValue
    do { value = try record.parsed() } catch { throw ImportError(message: "line \(error.line): \(error.reason)") }
    switch key {
    case "format":
      guard value.stringValue == StoreHead.format else { throw Self.foreign(line: record.line) }
    case "version":
      guard let version = value.integerValue, version >= 1 else {
        throw ImportError(message: "line \(record.line): the version is not a whole number of at least 1")
      }
      guard version <= StoreHead.version else {
        throw ImportError(
          message: "is of version \(version); this Belfry reads version \(StoreHead.version). Use a newer Belfry")
      }
    default: break
    }
  }

  private static func foreign(line: Int) -> ImportError {
    ImportError(message: "line \(line): is not an export of Belfry: \"format\":\"belfry-store\" is missing")
  }
}
