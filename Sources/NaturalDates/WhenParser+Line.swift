import CivilTime

extension WhenParser {
  /// A line with a WHEN.
  package typealias DatedLine = (text: String, words: String, time: WallTime)

  /// The most words of a WHEN in a line.
  private static let mostWords = 12

  /// The text, the WHEN and its wall time of a line that ends or begins with one: `Call Anna, tomorrow 9am`,
  /// `tomorrow 9am Call Anna`.
  ///
  /// `nil` for a line with no WHEN there, with nothing else, or with a time that is past. Of several the longest counts.
  /// Many texts begin with the name of a day or a number (`Sunday roast`, `1st floor`). So at the beginning a WHEN counts
  /// only if it has a clock time, a year or an amount, or if a comma or colon follows: `Friday: call Anna`.
  package func split(_ line: String) -> DatedLine? {
    let words = line.split(whereSeparator: \.isWhitespace)
    return whenAtEnd(of: line, words) ?? whenAtStart(of: line, words)
  }

  private func whenAtEnd(of line: String, _ words: [Substring]) -> DatedLine? {
    for (before, word) in zip(words, words.dropFirst()).suffix(Self.mostWords) {
      let text = line[..<before.endIndex].reversed().drop { $0 == "," }.reversed()
      let when = line[word.startIndex..<words[words.count - 1].endIndex]
      guard let time = time(of: when) else { continue }
      return isAhead(time) && !text.isEmpty ? (String(text), String(when), time) : nil
    }
    return nil
  }

  private func whenAtStart(of line: String, _ words: [Substring]) -> DatedLine? {
    for (last, next) in zip(words, words.dropFirst()).prefix(Self.mostWords).reversed() {
      let written = line[words[0].startIndex..<last.endIndex]
      let isSetOff = [",", ":"].contains(written.last)
      let when = isSetOff ? written.dropLast() : written
      guard isSetOff || Self.isCertain(when), let time = time(of: when) else { continue }
      return isAhead(time) ? (String(line[next.startIndex...]), String(when), time) : nil
    }
    return nil
  }

  private func time(of when: Substring) -> WallTime? {
    guard case .at(let time)? = try? parse(String(when)) else { return nil }
    return time
  }

  private func isAhead(_ time: WallTime) -> Bool { zone.instant(of: time).instant > now }

  /// True if a WHEN has a clock time, a year or an amount.
  private static func isCertain(_ when: Substring) -> Bool {
    let words = when.lowercased().split { $0.isWhitespace || $0 == "," }
    guard let first = words.first, when.contains(where: \.isNumber) || first == "in" else { return false }
    return first == "in" || first.hasPrefix("+")
      || words.contains { word in
        word.contains(":") || ["am", "pm"].contains { word.hasSuffix($0) }
          || word.prefix { $0.isNumber }.count == 4
      }
  }
}
