import Foundation

/// Formats numbers for the table.
enum Figure {
  /// `4.12 ms`, `17.3 ms`, `30,512 /s`: three significant digits, or all before the decimal point.
  static func text(_ value: Double, _ unit: RowUnit) -> String {
    unit == .count ? threeDigits(value) : "\(threeDigits(value)) \(unit.rawValue)"
  }

  /// `4.12 ms (4.05–4.40)`: the median with the quartiles, or a single sample.
  static func spread(_ summary: Summary, _ unit: RowUnit) -> String {
    let median = text(summary.median, unit)
    guard summary.count > 1 else { return median }
    return "\(median) (\(threeDigits(summary.lowerQuartile))–\(threeDigits(summary.upperQuartile)))"
  }

  /// `1.25`, `0.7`, `1`: a factor to two decimals; `0.0041` for a smaller one.
  static func factor(_ value: Double) -> String {
    value >= 0.095 || value == 0 ? plain((value * 100).rounded() / 100) : String(format: "%.2g", value)
  }

  /// A number without trailing zeros.
  static func plain(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? grouped(Int(value)) : "\(value)"
  }

  /// `100,000`.
  static func grouped(_ number: Int) -> String {
    let digits = String(number)
    return String(
      digits.enumerated().flatMap { offset, digit in
        let remaining = digits.count - offset
        return offset > 0 && remaining.isMultiple(of: 3) && digits.prefix(offset) != "-" ? [",", digit] : [digit]
      })
  }

  private static func threeDigits(_ value: Double) -> String {
    guard abs(value) < 999.5 else { return abs(value) < 1e15 ? grouped(Int(value.rounded())) : "\(value)" }
    let places = abs(value) >= 99.95 ? 0 : abs(value) >= 9.995 ? 1 : abs(value) >= 0.0995 || value == 0 ? 2 : 4
    return String(format: "%.\(places)f", value)
  }
}
