import BelfryModel
import Transport

/// Folds header fields (RFC 5322 section 2.2.3).
enum HeaderFolding {
  /// The longest line, by the limit for lines with an encoded-word (RFC 2047 section 2).
  static let longestLine = 76

  /// The value with line breaks before single spaces, so that lines are within the limit if possible.
  ///
  /// The field was checked to be printable ASCII, so it has no other line breaks; each break is followed by a space and
  /// cannot start a field.
  static func folded(_ field: Mail.Field) -> String {
    let start = field.name.utf8.count + 2
    guard start + field.value.utf8.count > longestLine else { return field.value }
    var folded: [UInt8] = []
    var column = start
    for piece in pieces(Array(field.value.utf8)) {
      if column + piece.count > longestLine, !folded.isEmpty {
        folded += [0x0D, 0x0A]
        column = 0
      }
      folded += piece
      column += piece.count
    }
    return String(decoding: folded, as: UTF8.self)
  }

  // Each piece but the first starts with a single space, so no line is blank or ends in white space.
  private static func pieces(_ value: [UInt8]) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var begin = 0
    for index in value.indices.dropFirst().dropLast()
    where value[index] == 0x20 && value[index - 1] != 0x20 && value[index + 1] != 0x20 {
      pieces.append(value[begin..<index])
      begin = index
    }
    return pieces + [value[begin...]]
  }
}
