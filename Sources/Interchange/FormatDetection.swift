import BelfryEngine
import CivilTime
import FoundationEssentials

/// Detects formats by the first bytes of a file, and by its name only if the bytes are not enough.
enum FormatDetection {
  private static let sampleSize = 1 << 16

  /// The format of a file; `nil` for a property list, whose formats are told apart by its content.
  ///
  /// - Throws: `ImportError` for an unknown format.
  static func format(of bytes: ByteSource, fileName: String?) throws -> ImportFormat? {
    let sample = try bytes.peek(sampleSize)
    guard !sample.isEmpty else { throw ImportError(message: "is empty") }
    if isPropertyList(sample) { return nil }
    try ImportError.refuseWide(sample)
    let start = withoutMark(sample)
    if starts(start, with: "BEGIN:VCALENDAR") { return .calendar }
    switch start.first {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      if let format = jsonFormat(start) { return format }
    default:
      let text = wholeLines(start, isAll: sample.count < sampleSize)
      if let format = tableFormat(text.lines) { return format }
      if let table = ForeignTable(text.lines, beginsWithTask: isTodoTxt(text.lines.prefix(1))) { throw table.refusal }
      if text.isText, isTodoTxt(text.lines) || fileName.map(isTodoTxtName) == true { return .todoTxt }
    }
    throw unknown
  }

  private static var unknown: ImportError {
    ImportError(
      message: """
        is not in a format that Belfry recognises by its content: it reads \
        \(ImportFormat.allCases.map(\.rawValue).joined(separator: ", ")); \
        add --format to see what is wrong with it
        """)
  }

  // A property list is binary, or XML in any encoding.
  private static func isPropertyList(_ sample: ArraySlice<UInt8>) -> Bool {
    if sample.starts(with: "bplist".utf8) { return true }
    let letters = sample.prefix(1_024).drop { $0 == 0xEF || $0 == 0xBB || $0 == 0xBF || $0 >= 0xFE || $0 <= 0x20 }
    return letters.first == UInt8(ascii: "<")
  }

  // The bytes after a byte order mark and white space.
  private static func withoutMark(_ sample: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    (sample.starts(with: [0xEF, 0xBB, 0xBF]) ? sample.dropFirst(3) : sample).drop {
      $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D
    }
  }

  private static func starts(_ bytes: ArraySlice<UInt8>, with word: String) -> Bool {
    bytes.prefix(word.utf8.count).map { 0x61...0x7A ~= $0 ? $0 - 0x20 : $0 }.elementsEqual(word.utf8)
  }

  private static func jsonFormat(_ sample: ArraySlice<UInt8>) -> ImportFormat? {
    let data = Data(sample)
    func has(_ word: String) -> Bool { data.firstRange(of: word.utf8) != nil }
    if has("\"belfry-store\"") || has("\"is_checked\"") { return .belfry }
    if has("\"tasks#task") || has("\"needsAction\"") { return .googleTasks }
    if has("\"description\"") { return .taskwarrior }
    let rest = sample.dropFirst().drop { $0 <= 0x20 }
    return sample.first == UInt8(ascii: "[") && rest.first == UInt8(ascii: "]") ? .taskwarrior : nil
  }

  // The complete lines, and whether all bytes are text.
  private static func wholeLines(_ sample: ArraySlice<UInt8>, isAll: Bool) -> (lines: [Substring], isText: Bool) {
    let end = isAll ? sample.endIndex : sample.lastIndex(of: 0x0A) ?? sample.endIndex
    let text = String(validating: sample[..<end], as: UTF8.self)
    let lines = (text ?? String(decoding: sample[..<end], as: UTF8.self)).split(whereSeparator: \.isNewline)
    return (lines, text != nil && !sample.contains(0))
  }

  // The format of a table, by its header.
  private static func tableFormat(_ lines: [Substring]) -> ImportFormat? {
    let headers = lines.prefix(TickTickTable.rowsBeforeHeader).map { line in
      line.split(separator: ",").map { $0.filter { $0 != "\"" }.trimmingWhitespace().lowercased() }
    }
    guard let first = headers.first else { return nil }
    if BelfryTable.isHeader(first) { return .table }
    if TodoistSource.isHeader(first) { return .todoist }
    if OutlookTable.isHeader(first) { return .outlook }
    return headers.contains(where: TickTickTable.isHeader) ? .tickTick : nil
  }

  /// True if a line has a mark that plain text does not have. One is enough: most tasks are plain words.
  private static func isTodoTxt(_ lines: some Collection<Substring>) -> Bool {
    lines.prefix(1_000).contains { line in
      let words = line.split(separator: " ", omittingEmptySubsequences: true)
      guard words.count > 1, let first = words.first else { return false }
      if first == "x" || CivilDate.isDate(first) { return true }
      if first.count == 3, first.hasPrefix("("), first.hasSuffix(")"), first.dropFirst().first?.isUppercase == true {
        return true
      }
      return words.dropFirst().contains { isMark($0) }
    }
  }

  private static func isMark(_ word: Substring) -> Bool {
    if word.hasPrefix("+") || word.hasPrefix("@") { return word.dropFirst().first?.isLetter == true }
    return word.hasPrefix("due:") && CivilDate.isDate(word.dropFirst(4).prefix(10))
  }

  private static func isTodoTxtName(_ name: String) -> Bool { name.lowercased().hasSuffix(".txt") }
}
