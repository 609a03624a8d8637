/// A file that cannot be read as a whole.
package struct ImportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The place in the file, the fault, and what to do; the caller names the file.
  package var message: String

  package var description: String { message }
}

extension ImportError {
  /// Refuses a text in UTF-16 or UTF-32, by its first bytes.
  static func refuseWide(_ bytes: ArraySlice<UInt8>) throws(ImportError) {
    guard isWide(bytes) else { return }
    throw ImportError(
      message: "is in UTF-16 or UTF-32: convert it to UTF-8, for example with iconv -f UTF-16 -t UTF-8")
  }

  // A byte order mark, or every other byte zero.
  private static func isWide(_ bytes: ArraySlice<UInt8>) -> Bool {
    if [[0xFF, 0xFE], [0xFE, 0xFF], [0, 0, 0xFE, 0xFF]].contains(where: bytes.starts(with:)) { return true }
    let first = Array(bytes.prefix(4))
    return first.count == 4
      && ((first[0] != 0 && first[1] == 0 && first[3] == 0) || (first[0] == 0 && first[2] == 0 && first[3] != 0))
  }
}

/// The reason why one entry cannot be imported, as a sentence about it.
struct EntryFault: Error {
  let reason: String
}
