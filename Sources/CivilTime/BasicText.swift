extension CivilDateTime: CustomStringConvertible {
  /// The time in the basic form of ISO 8601, which RFC 5545 has, `20271224T090000`.
  public var description: String {
    date.basicText + "T" + hour.padded(to: 2) + minute.padded(to: 2) + second.padded(to: 2)
  }
}

extension CivilDate {
  /// The date in the basic form of ISO 8601, which RFC 5545 has, `20271224`.
  package var basicText: String { year.padded(to: 4) + month.padded(to: 2) + day.padded(to: 2) }

  /// The date in the extended form of ISO 8601, `2027-12-24`.
  package var extendedText: String { year.padded(to: 4) + "-" + month.padded(to: 2) + "-" + day.padded(to: 2) }
}

extension Int {
  /// The decimal digits with zeros before them up to a width.
  package func padded(to width: Int) -> String {
    let digits = String(magnitude)
    return (self < 0 ? "-" : "") + String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
  }
}
