struct Summary: Codable {
  var count: Int
  var minimum: Double
  /// A quarter of the samples lies below.
  var lowerQuartile: Double
  /// Half of the samples lies below.
  var median: Double
  /// A quarter of the samples lies above.
  var upperQuartile: Double
  var maximum: Double

  private enum CodingKeys: String, CodingKey {
    case count, minimum, median, maximum
    case lowerQuartile = "lower_quartile"
    case upperQuartile = "upper_quartile"
  }

  /// The summary of samples; of none, it is all zeros with a count of zero.
  init(_ samples: [Double]) {
    let sorted = samples.sorted()
    count = sorted.count
    minimum = sorted.first ?? 0
    lowerQuartile = Self.quantile(0.25, of: sorted)
    median = Self.quantile(0.5, of: sorted)
    upperQuartile = Self.quantile(0.75, of: sorted)
    maximum = sorted.last ?? 0
  }

  /// The value below which a part of sorted samples lies, interpolated linearly between the two nearest.
  static func quantile(_ part: Double, of sorted: [Double]) -> Double {
    guard let last = sorted.indices.last else { return 0 }
    let place = part * Double(last)
    let below = Int(place)
    let above = min(below + 1, last)
    return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
  }
}
