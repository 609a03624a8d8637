import Foundation

/// Numbers as the table shows them.
enum Figure {
  /// `4.12 ms`, `17.3 ms`, `512 ms`: three digits that count.
  static func milliseconds(_ value: Double) -> String { "\(threeDigits(value)) ms" }

  /// `4.12 ms (4.05–4.40)`: the median with the quartiles; a single sample alone.
  static func spread(_ summary: Summary) -> String {
    let median = milliseconds(summary.median)
    guard summary.count > 1 else { return median }
    return "\(median) (\(threeDigits(summary.lowerQuartile))–\(threeDigits(summary.upperQuartile)))"
  }

  /// `1.25`, `0.7`, `1`: a factor, to two places.
  static func factor(_ value: Double) -> String { plain((value * 100).rounded() / 100) }

  /// A number without zeros at its end.
  static func plain(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
  }

  /// `100,000`.
  static func grouped(_ number: Int) -> String {
    let digits = String(number)
    return String(
      digits.enumerated().flatMap { offset, digit in
        let remaining = digits.count - offset
        return offset > 0 && remaining.isMultiple(of: 3) ? [",", digit] : [digit]
      })
  }

  private static func threeDigits(_ value: Double) -> String {
    let places = abs(value) >= 99.95 ? 0 : abs(value) >= 9.995 ? 1 : 2
    return String(format: "%.\(places)f", value)
  }
}
