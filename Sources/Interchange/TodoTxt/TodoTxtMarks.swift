import SystemFiles

/// The words of a text that would be read as marks, such as `+49` or `due:now`.
///
/// A word joiner (U+2060), which is invisible, goes before each, so people and other programs read the text as it is.
/// The start of a text needs none, since the day of creation precedes it.
enum TodoTxtMarks {
  private static let joiner: Unicode.Scalar = "\u{2060}"

  /// A text whose words are not read as marks.
  static func protected(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: ":") })
    else { return text }
    return TodoTxtWords(text).map { isMark(withoutJoiners($0)) ? "\(joiner)\($0)" : String($0) }.joined(separator: " ")
  }

  /// A word without its protection.
  static func unprotected(_ word: Substring) -> Substring {
    let rest = withoutJoiners(word)
    return rest.startIndex > word.startIndex && isMark(rest) ? word.unicodeScalars.dropFirst().text : word
  }

  private static func withoutJoiners(_ word: Substring) -> Substring {
    word.unicodeScalars.drop { $0 == joiner }.text
  }

  private static func isMark(_ word: Substring) -> Bool {
    word.rest(after: "+") != nil || word.rest(after: "@") != nil
      || word.keyAndValue.flatMap { TodoTxtKey($0.key) } != nil
  }
}

extension Substring.UnicodeScalarView {
  fileprivate var text: Substring { Substring(self) }
}
