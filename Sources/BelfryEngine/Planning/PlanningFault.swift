import BelfryModel
import FoundationEssentials

/// Why the reminders of one item or list cannot be planned. It is set aside, and everything else goes on.
public struct PlanningFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, in a clause.
  public let description: String

  /// One search has looked at more occurrences than any sensible rule has.
  static let tooManyOccurrences = PlanningFault(
    description: "its next reminder is not among \(OccurrenceSeries.stepLimit) occurrences")

  /// The item has more alerts than anybody can want.
  static func tooManyAlerts(_ count: Int) -> PlanningFault {
    PlanningFault(description: "it has \(count) alerts, more than the \(OwnerPlan.alertLimit) that are planned")
  }

  /// The last occurrence is more work to find than any sensible rule needs.
  static let tooFarToCount = PlanningFault(description: "the COUNT of its rule is too large to be counted to")
}

/// An item or list that was set aside, so that it stops no other.
public struct SetAside: Hashable, Sendable, CustomStringConvertible {
  /// Whose reminders are not planned, or do not ring; `nil` where the record does not tell.
  public let owner: ReminderOwner?
  /// What is wrong, in a clause.
  public let reason: String
  /// Whether a record cannot be read: then no command can change it either.
  let isUnreadable: Bool

  /// A sentence with its number.
  public var description: String {
    switch owner {
    case .item(let id): "item \(id) is set aside: \(reason)"
    case .list(let id): "the reminder of list \(id) is set aside: \(reason)"
    case nil: "a record is left out: \(reason)"
    }
  }

  /// What to do, in a clause.
  public var advice: String {
    guard !isUnreadable else { return "'belfry store check' tells more; the last good copy may still have it" }
    return switch owner {
    case .item(let id): "change it with 'belfry edit \(id)', or take it out with 'belfry delete \(id)'"
    case .list: "set its reminder anew with 'belfry list remind', or end it with 'belfry list remind NAME --off'"
    case nil: "'belfry store check' tells more"
    }
  }
}

/// The one place where a failing step of one item or list becomes "set aside" and the others go on.
///
/// What the whole store has failed at, a full disk or a lock, is nobody's own fault and is thrown on.
final class SetAsideLog {
  /// Whatever was set aside, in the order in which it was met.
  private(set) var found: [SetAside] = []

  /// The result of a step that is about one owner only; `nil` where the owner is set aside instead.
  func attempt<Result>(_ owner: ReminderOwner?, _ step: () throws -> Result) throws -> Result? {
    do {
      return try step()
    } catch {
      guard let reason = Self.reason(error) else { throw error }
      found.append(SetAside(owner: owner, reason: reason, isUnreadable: error is any RecordFault))
      return nil
    }
  }

  /// Notes a record that was left out.
  func leaveOut(_ fault: any RecordFault) {
    found.append(SetAside(owner: nil, reason: fault.message, isUnreadable: true))
  }

  // Why one owner's step has failed, where no other's would.
  private static func reason(_ error: any Error) -> String? {
    switch error {
    case let fault as PlanningFault: fault.description
    case let fault as any RecordFault: fault.message
    case let error as BelfryError where [.badInput, .usage, .notFound].contains(error.kind): error.message
    default: nil
    }
  }
}
