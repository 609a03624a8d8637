import BelfryModel
import FoundationEssentials

struct TableRow: Hashable {
  /// The number of its first line, from 1.
  let line: Int
  let fields: [String]

  var place: String { "line \(line)" }
}

/// The rows of a table in CSV (RFC 4180), one at a time: a quoted field may have several lines.
struct TableReader {
  private static let mostFields = 1_000
  private static let (comma, quote) = (UInt8(ascii: ","), UInt8(ascii: "\""))

  private var lines: LineReader

  init(_ bytes: ByteSource) { lines = LineReader(bytes) }

  /// The next row that is not blank, or the refusal of a row; `nil` at the end.
  ///
  /// - Throws: as the source.
  mutating func next() throws -> Result<TableRow, RefusedRow>? {
    while let first = try lines.next() {
      var (bytes, isTooLong) = (first.bytes, first.isTooLong)
      var quotes = bytes.count { $0 == Self.quote }
      while quotes % 2 == 1 {
        guard let line = try lines.next() else {
          return .failure(RefusedRow(line: first.number, reason: "a quotation mark in it is never closed"))
        }
        if bytes.count > LineReader.usualLimit { isTooLong = true }
        if isTooLong { bytes.removeAll() }
        quotes += line.bytes.count { $0 == Self.quote }
        bytes.append(0x0A)
        bytes += line.bytes
      }
      guard !isTooLong else {
        return .failure(
          RefusedRow(line: first.number, reason: "it has more than \(LineReader.usualLimit >> 20) MiB"))
      }
      let fields: [String]
      do { fields = try Self.fields(bytes[...]) } catch {
        return .failure(RefusedRow(line: first.number, reason: error.reason))
      }
      if fields.contains(where: { !$0.isEmpty }) { return .success(TableRow(line: first.number, fields: fields)) }
    }
    return nil
  }

  // A quotation mark inside of a field that does not start with one is text.
  private static func fields(_ bytes: ArraySlice<UInt8>) throws(EntryFault) -> [String] {
    var fields: [String] = []
    var (field, isQuoted, index) = ([UInt8](), false, bytes.startIndex)
    func end() throws(EntryFault) {
      guard let text = String(validating: field, as: UTF8.self) else {
        throw EntryFault(
          reason:
            "it is not in UTF-8: convert the file, from Windows-1252 for example with iconv -f WINDOWS-1252 -t UTF-8")
      }
      guard fields.count < mostFields else { throw EntryFault(reason: "it has more than \(mostFields) fields") }
      fields.append(text)
      field.removeAll()
    }
    while index < bytes.endIndex {
      let byte = bytes[index]
      index += 1
      if isQuoted, byte == quote {
        if index < bytes.endIndex, bytes[index] == quote {
          field.append(quote)
          index += 1
        } else {
          isQuoted = false
        }
      } else if !isQuoted, byte == quote, field.isEmpty {
        isQuoted = true
      } else if !isQuoted, byte == comma {
        try end()
      } else {
        field.append(byte)
      }
    }
    try end()
    return fields
  }
}

/// A row that cannot be read.
struct RefusedRow: Error {
  let line: Int
  let reason: String

  var refusal: ImportRefusal { ImportRefusal(place: "line \(line)", reason: reason) }
}

/// A row by the names of its columns, whose case does not matter.
struct NamedRow<Column: RawRepresentable<String>> {
  let place: String
  /// The values that are not blank, by the names of their columns.
  let values: [(name: String, value: String)]

  init(_ row: TableRow, names: [String]) {
    place = row.place
    values = zip(names, row.fields).compactMap { name, field in
      let value = field.trimmingWhitespace()
      return value.isEmpty ? nil : (name, value)
    }
  }

  subscript(column: Column) -> String? { values.first { $0.name.lowercased() == column.rawValue }?.value }
}
