/// A row of the table.
struct Row: Codable {
  var key: String
  /// The name of the measurement.
  var label: String
  /// The unit of the numbers.
  var unit: RowUnit
  /// The result of each participating peer, Belfry's first.
  var cells: [Cell]
  /// The targets for Belfry.
  var verdicts: [Verdict] = []

  /// The result of one peer.
  struct Cell: Codable {
    var peer: String
    /// The statistics of the samples.
    var summary: Summary
    var samples: [Sample]
  }

  /// A row of the results of a contest.
  init(_ key: String, _ label: String, in unit: RowUnit = .milliseconds, _ entrants: [Entrant]) {
    self.init(key, label, unit)
    cells = entrants.map { Cell(peer: $0.peer, summary: Summary($0.samples.map(\.value)), samples: $0.samples) }
  }

  init(_ key: String, _ label: String, _ unit: RowUnit) {
    self.key = key
    self.label = label
    self.unit = unit
    cells = []
  }

  /// Adds values measured by the benchmark itself.
  mutating func add(_ peer: String, _ values: [Double]) {
    cells.append(Cell(peer: peer, summary: Summary(values), samples: values.map { Sample(value: $0) }))
  }

  func cell(_ peer: String) -> Cell? { cells.first { $0.peer == peer } }

  /// Belfry's median.
  var own: Double? { cells.first?.summary.median }

  /// Adds the target of at most a factor of a peer's median.
  mutating func hold(to peer: String, atMost factor: Double) {
    guard let ratio = ratio(to: peer) else { return }
    add("≤ \(Figure.factor(factor)) × \(peer)", "\(Figure.factor(ratio)) ×", ratio <= factor)
  }

  /// Adds the target of at least a factor of a peer's median.
  mutating func hold(to peer: String, atLeast factor: Double) {
    guard let ratio = ratio(to: peer) else { return }
    add("≥ \(Figure.factor(factor)) × \(peer)", "\(Figure.factor(ratio)) ×", ratio >= factor)
  }

  /// Adds the target of at most an amount for one of Belfry's numbers.
  mutating func hold(_ value: Double?, _ word: String = "", atMost limit: Double) {
    guard let value else { return }
    add("\(word)≤ \(amount(limit))", "\(word)\(Figure.text(value, unit))", value <= limit)
  }

  /// Adds the target of at least an amount for one of Belfry's numbers.
  mutating func hold(_ value: Double?, atLeast limit: Double) {
    guard let value else { return }
    add("≥ \(amount(limit))", Figure.text(value, unit), value >= limit)
  }

  /// Adds the target of a median close to that of another row, the same with fewer items.
  mutating func hold(within part: Double, of other: Row, _ words: String) {
    guard let own, let base = other.own, base > 0 else { return }
    add("within \(Figure.plain(part * 100)) % of \(words)", "\(Figure.factor(own / base)) ×", own / base <= 1 + part)
  }

  private func amount(_ limit: Double) -> String {
    unit == .count ? Figure.plain(limit) : "\(Figure.plain(limit)) \(unit.rawValue)"
  }

  private func ratio(to peer: String) -> Double? {
    guard let own, let other = cell(peer)?.summary.median, other > 0 else { return nil }
    return own / other
  }

  private mutating func add(_ target: String, _ measured: String, _ isReached: Bool) {
    verdicts.append(Verdict(target: target, measured: measured, isReached: isReached))
  }
}

/// A target and its result.
struct Verdict: Codable {
  var target: String
  /// The measured value, in the terms of the target.
  var measured: String
  /// True if the target was reached.
  var isReached: Bool
}
