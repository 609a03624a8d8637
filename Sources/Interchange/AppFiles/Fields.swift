import FoundationEssentials
import PropertyLists

/// Resolves the raw values of a file. In a plain property list they are the values themselves; in an archive they may
/// be references.
protocol ObjectGraph {
  /// The text, number, truth value or date of a raw value; nil for null.
  func value(of raw: PropertyList) throws(EntryFault) -> PropertyList?

  /// The raw elements of an array.
  func elements(of raw: PropertyList) throws(EntryFault) -> [PropertyList]

  /// The raw fields of an object of a class, by its name without module.
  func fields(of raw: PropertyList, ofClass name: String) throws(EntryFault) -> PropertyListDictionary
}

/// A plain property list, in which any dictionary counts as an object of any class.
struct PlainGraph: ObjectGraph {
  func value(of raw: PropertyList) -> PropertyList? { raw }

  func elements(of raw: PropertyList) throws(EntryFault) -> [PropertyList] {
    guard let elements = raw.arrayValue else { throw EntryFault(reason: "it is \(raw.kind), not an array") }
    return elements
  }

  func fields(of raw: PropertyList, ofClass name: String) throws(EntryFault) -> PropertyListDictionary {
    guard let fields = raw.dictionaryValue else { throw EntryFault(reason: "it is \(raw.kind), not a dictionary") }
    return fields
  }
}

/// The fields of one entry, by name and type. Every fault names its field.
struct Fields {
  let raw: PropertyListDictionary
  let graph: any ObjectGraph

  func text(_ name: String) throws(EntryFault) -> String {
    guard let value = try value(name) else { throw EntryFault(reason: "it has no \(name)") }
    guard case .string(let text) = value else { throw mismatch(name, value, wanted: "text") }
    return text
  }

  /// A truth value, also as 0 or 1; nil when the field is missing.
  func flag(_ name: String) throws(EntryFault) -> Bool? {
    switch try value(name) {
    case nil: return nil
    case .bool(let flag): return flag
    case .integer(0): return false
    case .integer(1): return true
    case let value?: throw mismatch(name, value, wanted: "a truth value")
    }
  }

  /// A number from 0, nil when the field is missing.
  func number(_ name: String) throws(EntryFault) -> Int64? {
    guard let value = try value(name) else { return nil }
    if case .largeInteger(let number) = value {
      throw EntryFault(reason: "its \(name) is \(number), which is too large")
    }
    guard case .integer(let number) = value else { throw mismatch(name, value, wanted: "a whole number") }
    guard number >= 0 else { throw EntryFault(reason: "its \(name) is \(number), which is less than 0") }
    return number
  }

  /// An instant from 1970 to 9999, nil when the field is missing.
  func date(_ name: String) throws(EntryFault) -> Date? {
    guard let value = try value(name) else { return nil }
    guard case .date(let date) = value else { throw mismatch(name, value, wanted: "a date") }
    let seconds = date.timeIntervalSince1970
    guard seconds.isFinite else { throw EntryFault(reason: "its \(name) is not a date but \(seconds)") }
    guard seconds >= 0 else { throw EntryFault(reason: "its \(name) is before 1970") }
    guard seconds < 253_402_300_800 else { throw EntryFault(reason: "its \(name) is after 9999") }
    return date
  }

  private func value(_ name: String) throws(EntryFault) -> PropertyList? {
    guard let raw = raw[name] else { return nil }
    do {
      return try graph.value(of: raw)
    } catch {
      throw EntryFault(reason: "its \(name): \(error.reason)")
    }
  }

  private func mismatch(_ name: String, _ value: PropertyList, wanted: String) -> EntryFault {
    EntryFault(reason: "its \(name) is \(value.kind), not \(wanted)")
  }
}
