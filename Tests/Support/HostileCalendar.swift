import BelfryTestKit

/// Spoils calendars, as a torn write, a broken disk or an enemy does.
package enum HostileCalendar {
  /// The most bytes of a calendar that is doubled.
  private static let limit = 1 << 18

  /// Spoils a calendar once.
  package static func spoil(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    guard let place = bytes.indices.randomElement(using: &random) else { return }
    switch Int.random(in: 0...9, using: &random) {
    case 0: bytes[place] = .random(in: 0...255, using: &random)
    case 1: bytes.removeSubrange(place...)
    case 2 where bytes.count < limit: bytes.insert(contentsOf: bytes.prefix(place), at: place)
    case 3: bytes.removeSubrange(place..<min(place + 20, bytes.count))
    case 4: bytes.insert(contentsOf: Array("\r\nBEGIN:VTODO\r\n".utf8), at: place)
    case 5: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
    case 6:
      let nested = Array(repeating: Array("\r\nBEGIN:VTODO".utf8), count: 1 << Int.random(in: 0...12, using: &random))
      bytes.insert(contentsOf: nested.joined(), at: place)
    case 7: bytes.insert(contentsOf: Array("\r\nRRULE:\(rule(&random))\r\n".utf8), at: line(in: bytes, place))
    case 8:
      let dates = Array(repeating: "20961224T090000Z", count: 1 << Int.random(in: 0...12, using: &random))
      bytes.insert(contentsOf: Array("\r\nEXDATE:\(dates.joined(separator: ","))\r\n".utf8), at: line(in: bytes, place))
    default: bytes.insert(contentsOf: [0, 0xFF, 0x0A, 0x20], at: place)
    }
  }

  /// A rule with many parts, which takes place often, seldom or never.
  private static func rule(_ random: inout SeededGenerator) -> String {
    func list(_ range: ClosedRange<Int>) -> String {
      let count = 1 << Int.random(in: 0...9, using: &random)
      return (0..<count).map { _ in "\(Int.random(in: range, using: &random))" }.joined(separator: ",")
    }
    let frequency =
      ["SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"]
      .randomElement(using: &random) ?? ""
    var parts = ["FREQ=\(frequency)", "INTERVAL=\([1, 7, 9_999, 2_147_483_647].randomElement(using: &random) ?? 1)"]
    for (name, range) in [
      ("BYMONTH", 1...12), ("BYWEEKNO", -53...53), ("BYYEARDAY", -366...366), ("BYMONTHDAY", -31...31),
      ("BYHOUR", 0...23), ("BYMINUTE", 0...59), ("BYSETPOS", -366...366),
    ] where Bool.random(using: &random) {
      parts.append("\(name)=\(list(range))")
    }
    return parts.joined(separator: ";")
  }

  // The end of the line at a place.
  private static func line(in bytes: [UInt8], _ place: Int) -> Int {
    bytes[place...].firstIndex(of: 0x0D) ?? bytes.endIndex
  }
}
