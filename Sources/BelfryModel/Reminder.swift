import CivilTime
import FoundationEssentials

/// Whom a reminder is about.
public enum ReminderOwner: Hashable, Sendable {
  /// One item.
  case item(Int64)
  /// A whole list.
  case list(Int64)
}

/// One ringing: what it is about, at which wall-clock time, how long before it, and the how-manieth.
///
/// An occurrence rings once in its life, whatever edits, zone changes and restarts happen around it.
public struct Occurrence: Hashable, Sendable {
  /// The first ringing of an occurrence, or one more.
  public enum Kind: Hashable, Sendable {
    /// What the plan asks for.
    case planned
    /// One more, at an instant that the user named: minutes since 1970, which tell one snooze from the next.
    case snooze(Int)
    /// One more of its own accord, since nobody has checked the item: 1 for the first after each other ringing.
    case nag(Int)

    /// Whether this is one more ringing that the user named.
    public var isSnooze: Bool {
      if case .snooze = self { true } else { false }
    }

    /// Whether this is one more ringing of its own accord.
    public var isNag: Bool {
      if case .nag = self { true } else { false }
    }
  }

  /// Whom it is about.
  public let owner: ReminderOwner
  /// The due date that it announces, on the clock of the owner's zone.
  public let wallTime: WallTime
  /// How long before the due date it rings.
  public let lead: CalendarDuration
  /// The first ringing, or one more.
  public let kind: Kind

  /// An occurrence with all its fields.
  public init(owner: ReminderOwner, wallTime: WallTime, lead: CalendarDuration, kind: Kind = .planned) {
    self.owner = owner
    self.wallTime = wallTime
    self.lead = lead
    self.kind = kind
  }

  /// The reminder's identity, the same however often and in whichever store it is planned.
  ///
  /// - Parameter ownerUUID: the UUID of the item or list.
  public func reminderID(ownerUUID: UUID) -> UUID {
    // As bytes, since each item that comes in has one: "item UUID 2026-11-21T09:00 PT0S".
    let noun =
      switch owner {
      case .item: "item "
      case .list: "list "
      }
    let lead = lead.iso8601
    let number =
      switch kind {
      case .planned: ""
      case .snooze(let minute): " snooze \(minute)"
      case .nag(let count): " nag \(count)"
      }
    let capacity = noun.utf8.count + 2 + UUID.length + WallTime.length + lead.utf8.count + number.utf8.count
    let name = [UInt8](capacity: capacity) { name in
      name.append(text: noun)
      ownerUUID.append(to: &name)
      name.append(UInt8(ascii: " "))
      wallTime.append(to: &name)
      name.append(UInt8(ascii: " "))
      name.append(text: lead)
      name.append(text: number)
    }
    return UUID(namespace: .belfry, utf8: name)
  }
}

/// An occurrence with its instant.
public struct Reminder: Hashable, Sendable {
  /// Where a reminder stands in its life.
  public enum State: Int, Hashable, Sendable, CaseIterable {
    /// Waiting for its fire date.
    case scheduled = 0
    /// Claimed: its messages and deliveries are written.
    case fired = 1
    /// Its occurrence no longer exists.
    case cancelled = 2
    /// Passed while nothing was running, and left out by policy.
    case missed = 3
  }

  /// The identity derived from the occurrence.
  public let id: UUID
  /// What rings.
  public let occurrence: Occurrence
  /// When it rings.
  public var fireDate: FireDate
  /// Where it stands.
  public var state: State
  /// When `state` last changed, in whole seconds.
  public var changedAt: Date
  /// The fields of its file that Belfry does not know.
  package var unknown: UnknownFields?

  /// A reminder with all its fields.
  public init(id: UUID, occurrence: Occurrence, fireDate: FireDate, state: State, changedAt: Date) {
    self.id = id
    self.occurrence = occurrence
    self.fireDate = fireDate
    self.state = state
    self.changedAt = changedAt
  }
}
