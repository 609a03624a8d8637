import CivilTime
import FoundationEssentials

extension CivilDate {
  /// The date written as exactly `2026-11-21`; `nil` if there is no such day.
  init?(parsing text: some StringProtocol) {
    guard let time = WallTime(parsing: "\(text)T00:00") else { return nil }
    self = time.date
  }

  /// True if a text has the form of a date; the day need not exist.
  static func isDate(_ text: some StringProtocol) -> Bool {
    let bytes = Array(text.utf8.prefix(11))
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return false }
    return [0, 1, 2, 3, 5, 6, 8, 9].allSatisfy { (0x30...0x39).contains(bytes[$0]) }
  }
}
