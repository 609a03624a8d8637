import ByteOutput
import CivilTime
import FoundationEssentials

/// The item or list of a reminder.
public enum ReminderOwner: Hashable, Sendable {
  /// An item, by its id.
  case item(Int64)
  /// A list, by its id.
  case list(Int64)
}

/// One occurrence of a reminder: its owner, wall-clock time, lead time and kind.
///
/// It fires at most once, whatever edits, zone changes and restarts happen around it.
public struct Occurrence: Hashable, Sendable {
  /// The kind of an occurrence.
  public enum Kind: Hashable, Sendable {
    case planned
    /// A snooze, ending at a minute since 1970, which distinguishes snoozes of the same occurrence.
    case snooze(Int)
    /// A nag, numbered from 1.
    case nag(Int)
    /// A ringing of an escalation.
    case escalation(EscalationPlace)

    /// True if this is a snooze.
    public var isSnooze: Bool {
      if case .snooze = self { true } else { false }
    }

    /// True if this is a nag.
    public var isNag: Bool {
      if case .nag = self { true } else { false }
    }

    /// True if this is a ringing of an escalation.
    public var isEscalation: Bool {
      if case .escalation = self { true } else { false }
    }
  }

  /// The item that rings, or the list whose own reminder does.
  public let owner: ReminderOwner
  /// The due date, in the owner's zone.
  public let wallTime: WallTime
  /// The lead time before the due date.
  public let lead: CalendarDuration
  /// Why it rings: planned, snoozed, nagging or an escalation.
  public let kind: Kind

  /// An occurrence with all its fields.
  public init(owner: ReminderOwner, wallTime: WallTime, lead: CalendarDuration, kind: Kind = .planned) {
    self.owner = owner
    self.wallTime = wallTime
    self.lead = lead
    self.kind = kind
  }

  /// The reminder's id. Deterministic: the same in every store and however often it is planned.
  ///
  /// - Parameter ownerUUID: the UUID of the item or list.
  public func reminderID(ownerUUID: UUID) -> UUID {
    // Built as bytes, since every item needs it: "item UUID 2026-11-21T09:00 PT0S".
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
      case .escalation(let place): " escalation \(place.run) \(place.step) \(place.ring)"
      }
    let capacity = noun.utf8.count + 2 + UUID.length + WallTime.length + lead.utf8.count + number.utf8.count
    var name: [UInt8] = []
    name.append(atMost: capacity) { name in
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

/// An occurrence with its fire date and state.
public struct Reminder: Hashable, Sendable {
  /// The state of a reminder.
  public enum State: Int, Hashable, Sendable, CaseIterable {
    /// Waiting for its fire date.
    case scheduled = 0
    /// Claimed: its messages and deliveries are written.
    case fired = 1
    /// Its occurrence no longer exists.
    case cancelled = 2
    /// Its fire date passed while no daemon was running, and the missed policy skipped it.
    case missed = 3
  }

  /// The id, derived from the occurrence.
  public let id: UUID
  /// The occurrence that it rings for.
  public let occurrence: Occurrence
  /// The minute at which it rings, or rang.
  public var fireDate: FireDate
  /// The state: still to ring, or how it ended.
  public var state: State
  /// The time of the last change of `state`, in whole seconds.
  public var changedAt: Date
  /// The unknown fields of its file.
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
