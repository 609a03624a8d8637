extension PosixZoneRule {
  /// The rule written as `CET-1CEST,M3.5.0,M10.5.0/3`; `nil` for anything else. POSIX.1-2024 section 8.3, with hours
  /// from -167 to 167 as in RFC 9636 section 3.3.2. Without dates of change, those of the United States apply, as in
  /// glibc.
  init?(parsing text: some StringProtocol) {
    guard text.utf8.count <= 200 else { return nil }
    var reader = PosixZoneReader(rest: Array(text.utf8)[...])
    guard let name = reader.name(), let west = reader.seconds(hours: 0...24) else { return nil }
    standard = LocalTimeType(offset: -west, abbreviation: name)
    guard !reader.rest.isEmpty else {
      daylight = nil
      return
    }
    guard let daylightName = reader.name() else { return nil }
    var offset = standard.offset + 3_600
    if let next = reader.rest.first, next != UInt8(ascii: ",") {
      guard let west = reader.seconds(hours: 0...24) else { return nil }
      offset = -west
    }
    if reader.rest.isEmpty { reader.rest = Array(",M3.2.0,M11.1.0".utf8)[...] }
    guard reader.take(","), let start = reader.change(), reader.take(","), let end = reader.change(),
      reader.rest.isEmpty
    else { return nil }
    let type = LocalTimeType(offset: offset, abbreviation: daylightName)
    daylight = Daylight(type: type, start: start, end: end)
  }
}

private struct PosixZoneReader {
  var rest: ArraySlice<UInt8>

  mutating func take(_ symbol: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: symbol) else { return false }
    rest = rest.dropFirst()
    return true
  }

  mutating func name() -> String? {
    let name: ArraySlice<UInt8>
    if take("<") {
      name = rest.prefix { $0 != UInt8(ascii: ">") }
      rest = rest.dropFirst(name.count)
      guard take(">"), name.allSatisfy(isAbbreviationByte) else { return nil }
    } else {
      name = rest.prefix(while: isLetter)
      rest = rest.dropFirst(name.count)
    }
    return (3...16).contains(name.count) ? String(decoding: name, as: UTF8.self) : nil
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int? {
    let digits = rest.prefix(while: isDigit)
    rest = rest.dropFirst(digits.count)
    guard digits.count <= 3, let value = decimal(digits), range.contains(value) else { return nil }
    return value
  }

  /// Reads `[+-]hh[:mm[:ss]]` as seconds.
  mutating func seconds(hours: ClosedRange<Int>) -> Int? {
    let sign = take("-") ? -1 : 1
    if sign == 1 { _ = take("+") }
    guard var total = number(hours).map({ $0 * 3_600 }) else { return nil }
    for size in [60, 1] where take(":") {
      guard let part = number(0...59) else { return nil }
      total += part * size
    }
    return sign * total
  }

  mutating func change() -> PosixZoneRule.Change? {
    guard let day = day() else { return nil }
    guard take("/") else { return PosixZoneRule.Change(day: day, time: 7_200) }
    return seconds(hours: 0...167).map { PosixZoneRule.Change(day: day, time: $0) }
  }

  private mutating func day() -> PosixZoneRule.Change.Day? {
    if take("J") { return number(1...365).map { .ignoringLeapDay($0) } }
    guard take("M") else { return number(0...365).map { .ofYear($0) } }
    guard let month = number(1...12), take("."), let week = number(1...5), take("."), let weekday = number(0...6)
    else { return nil }
    return .weekday(weekday, week: week, month: month)
  }
}

/// True if a byte is valid in a zone's abbreviation: a letter, a digit, `+` or `-`.
func isAbbreviationByte(_ byte: UInt8) -> Bool {
  isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
}
