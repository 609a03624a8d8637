import BelfryModel
import FoundationEssentials

/// The reason why the reminders of one item or list cannot be planned. That owner is set aside; all others go on.
public struct PlanningFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason, as a clause.
  public let description: String
  /// The field of the owner that is at fault.
  let field: ItemField

  /// A search visited more occurrences than any sensible rule needs.
  static let tooManyOccurrences = PlanningFault(
    description: "its next reminder is not among the next \(OccurrenceSeries.stepLimit) occurrences", field: .repeat)

  /// The item has too many alerts.
  static func tooManyAlerts(_ count: Int) -> PlanningFault {
    PlanningFault(
      description: "it has \(count) alerts, and at most \(OwnerPlan.alertLimit) are possible", field: .alerts)
  }

  /// The rule's COUNT is too large to find its last occurrence.
  static let tooFarToCount = PlanningFault(description: "the COUNT of its rule is too large", field: .repeat)
}

extension BelfryError {
  /// The error of a change of an owner whose reminders cannot be planned.
  init(_ fault: PlanningFault) {
    self = BelfryError(.badInput, "the reminder cannot be scheduled: \(fault)", hint: "change the rule or the alerts")
      .about(fault.field)
  }
}

/// An item or list that was set aside, so that it does not stop the others.
public struct SetAside: Hashable, Sendable, CustomStringConvertible {
  /// The owner whose reminders are not planned or do not fire; `nil` if the record does not name it.
  public let owner: ReminderOwner?
  /// The reason, as a clause.
  public let reason: String
  /// True if the record cannot be read. Then no command can change it either.
  let isUnreadable: Bool

  /// A sentence with the number of the item or list.
  public var description: String {
    switch owner {
    case .item(let id): "item \(id) is skipped: \(reason)"
    case .list(let id): "the reminder of list \(id) is skipped: \(reason)"
    case nil: "a record is skipped: \(reason)"
    }
  }

  /// The remedy, as a clause.
  public var advice: String {
    guard !isUnreadable else { return "'belfry store check' tells more; the last good copy may still have it" }
    return switch owner {
    case .item(let id): "change it with 'belfry edit \(id)', or remove it with 'belfry delete \(id)'"
    case .list: "set its reminder anew with 'belfry list remind', or end it with 'belfry list remind NAME --off'"
    case nil: "'belfry store check' tells more"
    }
  }
}

/// Sets aside each item or list that fails, so that the others go on.
///
/// Failures of the whole store, such as a full disk or a lock, are rethrown.
final class SetAsideLog {
  /// The owners and records that were set aside, in the order found.
  private(set) var found: [SetAside] = []

  /// The result of a step that concerns one owner; `nil` if the step failed and the owner was set aside.
  func attempt<Result>(_ owner: ReminderOwner?, _ step: () throws -> Result) throws -> Result? {
    do {
      return try step()
    } catch {
      guard let reason = Self.reason(error) else { throw error }
      found.append(SetAside(owner: owner, reason: reason, isUnreadable: error is any RecordFault))
      return nil
    }
  }

  /// Records that a record was left out.
  func leaveOut(_ fault: any RecordFault) {
    found.append(SetAside(owner: nil, reason: fault.message, isUnreadable: true))
  }

  // The reason, if the error concerns one owner only; `nil` for other errors.
  private static func reason(_ error: any Error) -> String? {
    switch error {
    case let fault as PlanningFault: fault.description
    case let fault as any RecordFault: fault.message
    case let error as BelfryError where [.badInput, .usage, .notFound].contains(error.kind): error.message
    default: nil
    }
  }
}
