import BelfryModel
import FoundationEssentials

extension Belfry {
  /// Undoes the effects of presses on a reminder since an instant, the latest first: restores answers that
  /// they took back, and takes back those that they gave. Changes that others have made since stay.
  ///
  /// It is one transaction, so that no reader sees a part of it.
  ///
  /// - Parameters:
  ///   - presses: the identities of the presses within their channel.
  ///   - takenBack: the answers that were taken back with them, in that order.
  /// - Throws: ``BelfryError`` `.notFound` for a reminder that is not there, and what the store throws.
  public func undoPresses(
    by channel: Answer.Channel, _ presses: Set<String>, takenBack: [TakenBack] = [], over reminder: UUID,
    since start: Date
  ) throws {
    var stuck: Set<Deed> = []
    while true {
      do {
        return try change { change in
          let owner = try change.transaction.knownReminder(reminder).occurrence.owner
          let given = try change.transaction.answers(of: owner).filter { answer in
            answer.channel == channel && answer.effect == .done && answer.strength > .none && answer.date >= start
              && answer.externalID.map(presses.contains) ?? false
          }
          for deed in Deed.all(given, takenBack).reversed() where !stuck.contains(deed) { try change.undo(deed) }
        }
      } catch let obstacle as Obstacle {
        stuck.insert(obstacle.deed)
      }
    }
  }
}

/// One effect of the presses.
private enum Deed: Hashable {
  case gave(Int64)
  case tookBack(TakeBackReversal)

  /// The effects of these answers and take-backs, in the order in which they happened.
  static func all(_ given: [Answer], _ takenBack: [TakenBack]) -> [Deed] {
    var deeds: [Deed] = []
    var given = given[...]
    for reversal in takenBack.compactMap(\.reversal) {
      let earlier = given.prefix { $0.id <= reversal.latestAnswer }
      given = given.dropFirst(earlier.count)
      deeds += earlier.map { .gave($0.id) } + [.tookBack(reversal)]
    }
    return deeds + given.map { .gave($0.id) }
  }
}

/// The reason why a press or a restoration cannot be undone.
private struct Obstacle: Error {
  let deed: Deed
}

extension Change {
  fileprivate func undo(_ deed: Deed) throws {
    do {
      switch deed {
      case .gave(let answer): _ = try takeBack(answer)
      case .tookBack(let reversal): try reverse(reversal)
      }
    } catch let error as BelfryError where error.kind == .badInput {
      throw Obstacle(deed: deed)
    } catch is PlanningFault {
      throw Obstacle(deed: deed)
    }
  }
}
