extension CalendarDuration {
  /// The duration written as in ISO 8601 and RFC 5545 section 3.3.6: `PT10M`, `P1DT2H`, `P2W`; `nil` for anything else.
  ///
  /// A week reads as 7 days; seconds must make whole minutes. Years, months, fractions, signs and durations over ten
  /// thousand years are not read.
  public init?(iso8601 text: String) {
    guard text.utf8.count <= 40 else { return nil }
    var rest = text.utf8.map { $0 >= UInt8(ascii: "a") ? $0 & 0xdf : $0 }[...]
    guard rest.popFirst() == UInt8(ascii: "P") else { return nil }
    let halves = rest.split(separator: UInt8(ascii: "T"), maxSplits: 1, omittingEmptySubsequences: false)
    guard let datePart = halves.first,
      let dates = CalendarDuration.amounts(in: datePart, units: [(UInt8(ascii: "W"), 7), (UInt8(ascii: "D"), 1)])
    else { return nil }
    var seconds: Int?
    if halves.count > 1 {
      let units = [(UInt8(ascii: "H"), 3_600), (UInt8(ascii: "M"), 60), (UInt8(ascii: "S"), 1)]
      seconds = CalendarDuration.amounts(in: halves[1], units: units)
      guard !halves[1].isEmpty, let seconds, seconds % 60 == 0 else { return nil }
    }
    guard !rest.isEmpty, dates <= CalendarDuration.maximumDays,
      (seconds ?? 0) / 60 <= CalendarDuration.maximumDays * 1_440
    else { return nil }
    self.init(days: dates, minutes: (seconds ?? 0) / 60)
  }

  /// The sum of the amounts in `text`, each unit at most once and in this order; `nil` for anything else.
  private static func amounts(in text: ArraySlice<UInt8>, units: [(letter: UInt8, size: Int)]) -> Int? {
    var rest = text
    var units = units[...]
    var sum = 0
    while !rest.isEmpty {
      let digits = rest.prefix(while: isDigit)
      rest = rest.dropFirst(digits.count)
      guard digits.count <= 12, let count = decimal(digits), let letter = rest.popFirst(),
        let index = units.firstIndex(where: { $0.letter == letter })
      else { return nil }
      sum += count * units[index].size
      units = units[(index + 1)...]
    }
    return sum
  }

  /// The duration as in ISO 8601: `PT0S`, `PT10M`, `PT1H30M`, `PT24H`, `P1D`, `P1DT2H`.
  public var iso8601: String {
    guard self != .zero else { return "PT0S" }
    var text = "P"
    if days > 0 { text += "\(days)D" }
    if minutes > 0 { text += "T" }
    if minutes >= 60 { text += "\(minutes / 60)H" }
    if minutes % 60 > 0 { text += "\(minutes % 60)M" }
    return text
  }
}
