import Foundation

/// What is measured again and again, and what it cost each time.
struct Entrant {
  /// The peer's name.
  var peer: String
  /// How many items the peer has, nil where that does not matter.
  var items: Int?
  /// What is measured.
  var command: Command
  /// The cost of each round.
  var costs: [Cost] = []

  /// The wall times, in milliseconds.
  var wall: Summary { Summary(costs.map(\.wall)) }
}

/// Commands that are measured in turn, so that what disturbs the machine for a while disturbs all of them.
struct Contest {
  /// Runs of each command before the first that counts.
  static let warmUps = 3

  /// Who takes part.
  var entrants: [Entrant]
  /// How often each is measured.
  var rounds: Int

  /// The entrants with their costs.
  ///
  /// - Throws: ``BenchmarkError`` as soon as one command fails.
  func measured() throws -> [Entrant] {
    var entrants = entrants
    for entrant in entrants {
      for _ in 0..<Self.warmUps { _ = try entrant.command.output() }
    }
    for round in 0..<rounds {
      // Each round begins with another one: nobody always follows the same neighbour.
      for place in entrants.indices {
        let index = (place + round) % entrants.count
        // What one wrote must not go to disk in the time of the next.
        sync()
        entrants[index].costs.append(try entrants[index].command.measured())
      }
    }
    return entrants
  }
}
