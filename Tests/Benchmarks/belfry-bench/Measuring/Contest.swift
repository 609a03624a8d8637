import Foundation

/// The result of one round of one entrant.
struct Sample: Codable {
  /// The measured value, in the row's unit.
  var value: Double
  /// The cost of the process, if it was one.
  var cost: Cost?
}

/// A repeated measurement and its samples.
struct Entrant {
  /// The peer's name.
  let peer: String
  /// How many items the peer has, nil where that does not matter.
  let items: Int?
  /// The sample of each round.
  private(set) var samples: [Sample] = []

  private let warmUp: ((Int) throws -> Void)?
  private let measure: (Int) throws -> Sample

  /// A command whose wall time in milliseconds counts; it may depend on the number of the round, so that each round
  /// checks another item.
  init(peer: String, items: Int? = nil, command: @escaping (_ round: Int) -> Command) {
    self.peer = peer
    self.items = items
    warmUp = { _ = try command($0).output() }
    measure = { round in
      let cost = try command(round).measured()
      return Sample(value: cost.wall, cost: cost)
    }
  }

  /// An entrant that measures itself in the row's unit, without warm-up.
  init(peer: String, items: Int? = nil, measure: @escaping (_ round: Int) throws -> Double) {
    self.peer = peer
    self.items = items
    warmUp = nil
    self.measure = { Sample(value: try measure($0), cost: nil) }
  }

  /// An entrant that measures itself and its cost.
  init(peer: String, items: Int? = nil, sample: @escaping (_ round: Int) throws -> Sample) {
    self.peer = peer
    self.items = items
    warmUp = nil
    measure = sample
  }

  /// Runs it without counting, so that caches are warm: what takes long is not helped by that, and spared it.
  fileprivate func warm(_ times: Int, atMost budget: Double) throws {
    guard let warmUp else { return }
    let start = Clock.monotonic
    for round in 0..<times where round == 0 || Clock.monotonic - start < budget { try warmUp(round) }
  }

  fileprivate mutating func run(_ round: Int) throws { samples.append(try measure(round)) }
}

/// Entrants that are measured in turn, so that what disturbs the machine for a while disturbs all of them.
struct Contest {
  /// Runs of each command before the first that counts.
  static let warmUps = 3
  // Rounds that even the slowest takes part in, and the seconds after which nobody takes part in more.
  private static let leastRounds = 2
  private static let budget = 5_000.0
  private static let warmUpBudget = 300.0

  /// The entrants.
  var entrants: [Entrant]
  /// How often each is measured; what has had its share of the time is measured less often.
  var rounds: Int

  /// The entrants with their samples.
  ///
  /// - Throws: ``BenchmarkError`` as soon as one fails.
  func measured() throws -> [Entrant] {
    var entrants = entrants
    var spent = entrants.map { _ in 0.0 }
    for entrant in entrants { try entrant.warm(Self.warmUps, atMost: Self.warmUpBudget) }
    for round in 0..<rounds {
      // Each round begins with another one: nobody always follows the same neighbour.
      for place in entrants.indices {
        let index = (place + round) % entrants.count
        guard round < Self.leastRounds || spent[index] < Self.budget else { continue }
        // One entrant's data must not be written to disk in the time of the next.
        sync()
        let start = Clock.monotonic
        try entrants[index].run(Self.warmUps + round)
        spent[index] += Clock.monotonic - start
      }
    }
    return entrants
  }
}
