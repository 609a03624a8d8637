import ByteOutput

/// The error of a document that is not JSON, or exceeds the reader's limits, with its place.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1; LF, CR LF and CR end a line.
  public let line: Int
  /// The place in the line, from 1, counted in Unicode scalars.
  public let column: Int
  /// The place in the document, from 0, in bytes.
  public let offset: Int
  /// The fault, as part of a sentence.
  public let message: String

  /// The place and the reason, as `LINE:COLUMN: message`.
  public var description: String { "\(line):\(column): \(message)" }
}

extension JSONError {
  /// The error of a fault, with its line and column.
  init(_ fault: JSONFault, in bytes: UnsafeRawBufferPointer) {
    let place = TextPlace(of: fault.offset, in: bytes)
    self.init(line: place.line, column: place.column, offset: fault.offset, message: fault.message)
  }
}

/// The parser's own error: cheap, because line and column are counted only once it is caught.
struct JSONFault: Error {
  let offset: Int
  let message: String
}
