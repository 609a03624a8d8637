/// The two formats of property lists in use.
public enum PropertyListFormat: Hashable, Sendable {
  /// Text with tags, by Apple's DTD `PropertyList-1.0`.
  case xml
  /// Version 00 of the binary format, which starts with `bplist00`.
  case binary

  /// The format of a file by its first bytes; nil when it is not a property list.
  public init?(of bytes: some Collection<UInt8>) {
    if bytes.starts(with: "bplist".utf8) {
      self = .binary
      return
    }
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes.dropFirst(0)
    let start = text.drop { XMLScanning.isWhitespace($0) }
    let openings = ["<?xml", "<!DOCTYPE plist", "<plist", "<!--"]
    guard openings.contains(where: { start.starts(with: $0.utf8) }) else { return nil }
    self = .xml
  }
}

extension PropertyList {
  /// The deepest nesting of arrays and dictionaries.
  static let deepestNesting = 256

  /// Parses a property list in XML or in the binary format.
  ///
  /// Foundation's reader is not used: it accepts text after the end and characters that XML forbids, gives no places in
  /// its errors, hides the numbers of references, and can crash or never return on a damaged binary file. This reader
  /// takes time and memory proportional to the size of any file.
  /// - Parameter allowsControlCharacters: whether XML text may hold the characters that XML forbids but Foundation
  ///   writes, such as U+0000.
  /// - Throws: `PropertyListError` with the place of the first fault.
  init(parsing bytes: UnsafeRawBufferPointer, allowsControlCharacters: Bool = false) throws(PropertyListError) {
    switch PropertyListFormat(of: bytes) {
    case .binary:
      do {
        var reader = try BinaryPropertyListReader(bytes: bytes)
        self = try reader.document()
      } catch {
        throw PropertyListError(position: nil, offset: error.offset, message: error.message)
      }
    case .xml:
      do {
        var reader = XMLPropertyListReader(bytes: bytes, allowsControlCharacters: allowsControlCharacters)
        self = try reader.document()
      } catch {
        let position = PropertyListError.Position(of: error.offset, in: bytes)
        throw PropertyListError(position: position, offset: error.offset, message: error.message)
      }
    case nil:
      let isEmpty = bytes.allSatisfy(XMLScanning.isWhitespace)
      let message = isEmpty ? "the file is empty" : "is not a property list, neither XML in UTF-8 nor binary"
      throw PropertyListError(position: nil, offset: 0, message: message)
    }
  }

  /// Parses a property list in XML or in the binary format from any collection of bytes: an array, `Data`, a string's
  /// `utf8`.
  ///
  /// - Parameter allowsControlCharacters: whether XML text may hold the characters that XML forbids but Foundation
  ///   writes, such as U+0000.
  /// - Throws: `PropertyListError` with the place of the first fault.
  public init(parsing bytes: some Collection<UInt8>, allowsControlCharacters: Bool = false) throws(PropertyListError) {
    func parsed(_ buffer: UnsafeBufferPointer<UInt8>) -> Result<PropertyList, PropertyListError> {
      Result { () throws(PropertyListError) in
        try PropertyList(
          parsing: UnsafeRawBufferPointer(buffer), allowsControlCharacters: allowsControlCharacters)
      }
    }
    let result = bytes.withContiguousStorageIfAvailable(parsed) ?? Array(bytes).withUnsafeBufferPointer(parsed)
    self = try result.get()
  }
}
