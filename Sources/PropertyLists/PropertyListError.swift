import ByteOutput

/// The error of a file that is not a property list, is damaged, or exceeds the readers' limits, with its place.
public struct PropertyListError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A place in XML text.
  public struct Position: Hashable, Sendable {
    /// The line, from 1; LF, CR LF and CR end a line.
    public let line: Int
    /// The place in the line, from 1, counted in Unicode scalars.
    public let column: Int
  }

  /// The place in an XML file; nil for the binary format, which has no lines.
  public let position: Position?
  /// The place in the file, from 0, in bytes.
  public let offset: Int
  /// The fault, as part of a sentence.
  public let message: String

  /// The place and the reason, as `LINE:COLUMN: message` or `byte OFFSET: message`.
  public var description: String {
    if let position { return "\(position.line):\(position.column): \(message)" }
    return "byte \(offset): \(message)"
  }
}

extension PropertyListError.Position {
  /// The line and column of a byte in UTF-8 text; a byte order mark takes no column.
  init(of offset: Int, in bytes: UnsafeRawBufferPointer) {
    let place = TextPlace(of: offset, in: bytes, from: XMLScanning.markLength(of: bytes))
    self.init(line: place.line, column: place.column)
  }
}

/// The readers' own error: cheap, because line and column are counted only once it is caught.
package struct PropertyListFault: Error {
  /// The place in the file, from 0, in bytes.
  package let offset: Int
  /// The fault, as part of a sentence.
  package let message: String

  /// The fault of a container nested too deep.
  static func tooDeep(at offset: Int) -> PropertyListFault {
    PropertyListFault(offset: offset, message: "is nested deeper than \(PropertyList.deepestNesting) levels")
  }

  /// The fault of a dictionary with a duplicate key.
  static func duplicate(key: String, at offset: Int) -> PropertyListFault {
    let shown = String(
      key.prefix(60).unicodeScalars.filter { !$0.properties.isNoncharacterCodePoint && $0.value >= 0x20 })
    return PropertyListFault(offset: offset, message: "this dictionary has the key \"\(shown)\" twice")
  }
}
