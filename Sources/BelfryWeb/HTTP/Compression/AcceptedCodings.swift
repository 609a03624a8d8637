/// The codings that a client accepts (RFC 9110, section 12.5.3).
struct AcceptedCodings: Sendable {
  private let weights: [String: Double]

  /// The codings of the field Accept-Encoding.
  init(_ field: String?) {
    var weights: [String: Double] = [:]
    for element in (field ?? "").lowercased().split(separator: ",") {
      let parts = element.split(separator: ";").map { $0.split(whereSeparator: { " \t".contains($0) }).joined() }
      guard let name = parts.first else { continue }
      let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
      weights[name == "x-gzip" ? "gzip" : name] = weight
    }
    self.weights = weights
  }

  /// True if a reply in gzip is at least as welcome as a plain one.
  var prefersGzip: Bool {
    let weight = weights["gzip"] ?? weights["*"] ?? 0
    return weight > 0 && weight >= weights["identity"] ?? 0
  }
}
