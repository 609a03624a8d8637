import Foundation

/// The result of one round of one entrant.
struct Sample: Codable {
  /// The measured value, in the row's unit.
  var value: Double
  /// The cost of the process, if there was one.
  var cost: Cost?
}

/// A repeated measurement and its samples.
struct Entrant {
  let peer: String
  /// The number of the peer's items; `nil` if that does not matter.
  let items: Int?
  /// The sample of each round.
  private(set) var samples: [Sample] = []

  private let warmUp: ((Int) throws -> Void)?
  private let measure: (Int) throws -> Sample

  /// A command measured by its wall time in milliseconds. It may depend on the round, so that each round checks another
  /// item.
  init(peer: String, items: Int? = nil, command: @escaping (_ round: Int) -> Command) {
    self.peer = peer
    self.items = items
    warmUp = { _ = try command($0).output() }
    measure = { round in
      let cost = try command(round).measured()
      return Sample(value: cost.wall, cost: cost)
    }
  }

  /// An entrant that returns its own measurement in the row's unit, without warm-up.
  init(peer: String, items: Int? = nil, measure: @escaping (_ round: Int) throws -> Double) {
    self.peer = peer
    self.items = items
    warmUp = nil
    self.measure = { Sample(value: try measure($0), cost: nil) }
  }

  /// An entrant that returns its own measurement and cost.
  init(peer: String, items: Int? = nil, sample: @escaping (_ round: Int) throws -> Sample) {
    self.peer = peer
    self.items = items
    warmUp = nil
    measure = sample
  }

  /// Runs it without counting, to warm caches; a slow one, which would not profit, is run less often.
  fileprivate func warm(_ times: Int, atMost budget: Double) throws {
    guard let warmUp else { return }
    let start = Clock.monotonic
    for round in 0..<times where round == 0 || Clock.monotonic - start < budget { try warmUp(round) }
  }

  fileprivate mutating func run(_ round: Int) throws { samples.append(try measure(round)) }
}

/// Entrants measured in turn, so that a disturbance of the machine affects all of them.
struct Contest {
  /// The number of warm-up runs of each command.
  static let warmUps = 3
  // The rounds that every entrant takes part in, and the milliseconds after which one takes part in no more.
  private static let leastRounds = 2
  private static let budget = 5_000.0
  private static let warmUpBudget = 300.0

  var entrants: [Entrant]
  /// The number of measurements of each entrant; one that has used up its time is measured less often.
  var rounds: Int

  /// The entrants with their samples.
  ///
  /// - Throws: ``BenchmarkError`` at the first failure.
  func measured() throws -> [Entrant] {
    var entrants = entrants
    var spent = entrants.map { _ in 0.0 }
    for entrant in entrants { try entrant.warm(Self.warmUps, atMost: Self.warmUpBudget) }
    for round in 0..<rounds {
      // Each round begins with another entrant, so that neighbours vary.
      for place in entrants.indices {
        let index = (place + round) % entrants.count
        guard round < Self.leastRounds || spent[index] < Self.budget else { continue }
        // Data of one entrant must not be written to disk during the next one's run.
        sync()
        let start = Clock.monotonic
        try entrants[index].run(Self.warmUps + round)
        spent[index] += Clock.monotonic - start
      }
    }
    return entrants
  }
}
