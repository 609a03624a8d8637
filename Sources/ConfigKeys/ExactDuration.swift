/// Exact durations in the config: `15s`, `10m`, `1h30m`, `7d`, with days of 24 hours.
enum ExactDuration {
  private static let units: [(letter: Character, seconds: Int)] = [
    ("w", 604_800), ("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1),
  ]

  /// The seconds of a duration, with large units first, each at most once; `nil` for anything else.
  static func seconds(_ text: String) -> Int? {
    var rest = text[...]
    var left = units[...]
    var sum = 0
    while !rest.isEmpty {
      let digits = rest.prefix { ("0"..."9").contains($0) }
      rest = rest.dropFirst(digits.count)
      // Nine digits of weeks cannot overflow an `Int`.
      guard digits.utf8.count <= 9, let count = Int(digits), let letter = rest.popFirst(),
        let index = left.firstIndex(where: { $0.letter == letter })
      else { return nil }
      sum += count * left[index].seconds
      left = left[(index + 1)...]
    }
    return text.isEmpty ? nil : sum
  }

  /// The duration in hours, minutes and seconds; parses back to itself.
  static func text(_ seconds: Int) -> String {
    var text = ""
    var rest = max(0, seconds)
    for unit in units.suffix(3) where rest >= unit.seconds {
      text += "\(rest / unit.seconds)\(unit.letter)"
      rest %= unit.seconds
    }
    return text.isEmpty ? "0s" : text
  }
}
