import BelfryModel
import FoundationEssentials
import OrderedJSON

/// Reads a JSON text record by record, so that only one record is in memory.
///
/// The structure around records is read here; a record is found by its brackets and parsed by ``JSONValue``.
struct JSONStream {
  /// The most bytes that one record may have.
  static let recordLimit = 1 << 26

  /// The number of the line to be read next, from 1.
  private(set) var line = 1
  private let source: ByteSource

  init(_ source: ByteSource) { self.source = source }

  /// The next byte that is not white space, without using it; `nil` at the end.
  mutating func nextByte() throws -> UInt8? {
    while true {
      while source.waiting > 0 {
        let byte = source.buffer[source.start]
        switch byte {
        case 0x0A: line += 1
        case 0x20, 0x09, 0x0D: break
        default: return byte
        }
        source.use(1)
      }
      guard try source.readMore() else { return nil }
    }
  }

  /// Consumes the next byte if it is this one.
  mutating func consume(_ byte: Character) throws -> Bool {
    guard let ascii = byte.asciiValue, try nextByte() == ascii else { return false }
    source.use(1)
    return true
  }

  /// Consumes the next byte, which must be this one.
  ///
  /// - Throws: `ImportError` with the line.
  mutating func expect(_ byte: Character) throws {
    guard try consume(byte) else { throw try unexpected(wanted: "\"\(byte)\"") }
  }

  /// The next value of any kind.
  ///
  /// - Throws: `ImportError` with the line of a value that never ends, or is longer than ``recordLimit``.
  mutating func value() throws -> JSONRecord {
    guard let first = try nextByte() else { throw try unexpected(wanted: "a value") }
    var extent = Extent(first: first)
    while true {
      let isWhole = source.buffer.withUnsafeBytes { bytes in
        extent.scan(UnsafeRawBufferPointer(rebasing: bytes[source.start...]))
      }
      if isWhole { break }
      guard source.waiting <= Self.recordLimit else {
        throw ImportError(
          message: "line \(line): the value that starts here has more than \(Self.recordLimit >> 20) MiB")
      }
      guard try source.readMore() else {
        guard extent.endsAnywhere else {
          throw ImportError(
            message:
              "line \(line): the value that starts here is never closed. The file was cut off, or is not JSON from here on"
          )
        }
        break
      }
    }
    guard extent.length > 0 else { throw try unexpected(wanted: "a value") }
    let record = JSONRecord(
      line: line, bytes: source.buffer[source.start..<source.start + extent.length])
    source.use(extent.length)
    line += extent.lineFeeds
    return record
  }

  /// The error about the next byte.
  mutating func unexpected(wanted: String) throws -> ImportError {
    guard let byte = try nextByte() else {
      return ImportError(message: "line \(line): ends too early: expected \(wanted)")
    }
    let found =
      switch byte {
      case 0x21...0x7E: "\"\(Character(UnicodeScalar(byte)))\""
      case 0x80...: "a character beyond ASCII"
      default: "a control character"
      }
    return ImportError(message: "line \(line): expected \(wanted), found \(found)")
  }
}

/// The bytes of one value of a file.
struct JSONRecord {
  /// The line on which it starts.
  let line: Int
  /// The bytes of the value, without its surroundings.
  let bytes: ArraySlice<UInt8>

  /// The value.
  ///
  /// - Throws: ``JSONRecordFault`` with the line of the fault, which may be a later line of the record.
  func parsed() throws(JSONRecordFault) -> JSONValue {
    do {
      return try JSONValue(parsing: bytes)
    } catch {
      throw JSONRecordFault(line: line + error.line - 1, reason: error.message)
    }
  }

  /// The entry that `make` returns for the record, or its refusal.
  func entry(_ make: (JSONFields) throws -> ImportEntry) -> ImportEntry {
    entry { try make(JSONFields(parsed())) }
  }

  /// The entry that `make` returns for a record that is already parsed, or its refusal.
  func entry(_ make: () throws -> ImportEntry) -> ImportEntry {
    do {
      return try make()
    } catch let fault as JSONRecordFault {
      return .refusal(ImportRefusal(place: "line \(fault.line)", reason: fault.reason))
    } catch {
      let reason = (error as? EntryFault)?.reason ?? "\(error)"
      return .refusal(ImportRefusal(place: "line \(line)", reason: reason))
    }
  }
}

/// The reason why one record cannot be imported, with its line.
struct JSONRecordFault: Error {
  let line: Int
  let reason: String
}

/// The extent of a value: up to the bracket that matches its opening one, or to the end of its string or word.
private struct Extent {
  private enum Kind { case compound, text, word }

  private(set) var length = 0
  private(set) var lineFeeds = 0
  private let kind: Kind
  private var depth = 0
  private var isInText = false
  private var isEscaped = false

  /// True if the end of the file may end it.
  var endsAnywhere: Bool { kind == .word }

  init(first: UInt8) {
    kind =
      switch first {
      case UInt8(ascii: "{"), UInt8(ascii: "["): .compound
      case UInt8(ascii: "\""): .text
      default: .word
      }
  }

  /// Scans the bytes not scanned yet and returns whether the end was found.
  mutating func scan(_ bytes: UnsafeRawBufferPointer) -> Bool {
    while length < bytes.count {
      let byte = bytes[length]
      if kind == .word, Self.endsWord(byte) { return true }
      length += 1
      if byte == 0x0A { lineFeeds += 1 }
      if isInText { scanText(byte) } else { scanStructure(byte) }
      if kind != .word, !isInText, depth == 0 { return true }
    }
    return false
  }

  private mutating func scanText(_ byte: UInt8) {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInText = false
    }
  }

  private mutating func scanStructure(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): isInText = true
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
    default: break
    }
  }

  private static func endsWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "]"), UInt8(ascii: "}"): true
    default: false
    }
  }
}
