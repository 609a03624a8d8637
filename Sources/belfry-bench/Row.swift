/// One line of the table.
struct Row: Codable {
  /// What was measured.
  var label: String
  /// The measured times of each peer that takes part.
  var cells: [Cell]
  /// What Belfry is held to here.
  var verdicts: [Verdict] = []

  /// One peer's times.
  struct Cell: Codable {
    /// The peer's name.
    var peer: String
    /// The wall times, in milliseconds.
    var wall: Summary
    /// Every single run, where it is a command's.
    var costs: [Cost]
    /// Every single time in milliseconds, where it is not a command's.
    var times: [Double] = []

    /// The runs of a command.
    init(_ entrant: Entrant) {
      peer = entrant.peer
      wall = entrant.wall
      costs = entrant.costs
    }

    /// Times that the benchmark took itself, in milliseconds.
    init(peer: String, times: [Double]) {
      self.peer = peer
      wall = Summary(times)
      costs = []
      self.times = times
    }
  }

  /// A row of the entrants with this many items.
  init(_ label: String, _ entrants: [Entrant]) {
    self.label = label
    cells = entrants.map(Cell.init)
  }

  /// A row of times that the benchmark took itself.
  init(_ label: String, peer: String, times: [Double]) {
    self.label = label
    cells = [Cell(peer: peer, times: times)]
  }

  /// The cell of a peer.
  func cell(_ peer: String) -> Cell? { cells.first { $0.peer == peer } }

  /// Holds Belfry's median to a factor of a peer's.
  mutating func hold(to peer: String, atMost factor: Double) {
    guard let own = cells.first, let other = cell(peer) else { return }
    let ratio = own.wall.median / other.wall.median
    verdicts.append(
      Verdict(
        target: "≤ \(Figure.factor(factor)) × \(peer)", measured: "\(Figure.factor(ratio)) ×",
        isReached: ratio <= factor))
  }

  /// Holds one of Belfry's times to an amount.
  mutating func hold(_ word: String, _ milliseconds: Double, atMost limit: Double) {
    verdicts.append(
      Verdict(
        target: "\(word)≤ \(Figure.plain(limit)) ms", measured: "\(word)\(Figure.milliseconds(milliseconds))",
        isReached: milliseconds <= limit))
  }
}

/// A target, and what became of it.
struct Verdict: Codable {
  /// The target in words.
  var target: String
  /// What was measured, in the same terms.
  var measured: String
  /// Whether the target was reached.
  var isReached: Bool
}
