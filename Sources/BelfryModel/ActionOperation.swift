import CivilTime

/// The operation of an action that a reminder offers.
public enum ActionOperation: Hashable, Sendable {
  /// Does nothing; a press is only recorded.
  case none
  /// Ends the nagging; the item stays as it is.
  case acknowledge
  /// Checks the item, or the items that were unchecked on the list when it rang.
  case check
  /// Rings again after a while.
  case snooze(CalendarDuration)
  /// Opens the item or list to edit it.
  case edit
  case delete
  /// Deletes every item of the list.
  case clearList
  case deleteList

  /// The name of an operation, without how long a snooze lasts: `do` in the config, in messages and in stores.
  public enum Word: String, CaseIterable, Hashable, Sendable {
    case none, acknowledge, check, snooze, edit, delete
    case clearList = "clear_list"
    case deleteList = "delete_list"
  }

  /// The strength of an answer: a stronger one replaces the answer in force, any other changes nothing.
  public enum Strength: Int, Comparable, Hashable, Sendable {
    case none, acknowledge, snooze, check, destructive

    /// Orders by strength, weakest first.
    public static func < (one: Strength, other: Strength) -> Bool { one.rawValue < other.rawValue }
  }

  /// The default time that `snooze` waits.
  public static let usualSnooze = CalendarDuration(days: 0, minutes: 10)

  /// The operation of a word.
  ///
  /// - Parameter snooze: the time that `snooze` waits.
  public init(_ word: Word, snooze duration: CalendarDuration = usualSnooze) {
    self =
      switch word {
      case .none: .none
      case .acknowledge: .acknowledge
      case .check: .check
      case .snooze: .snooze(duration)
      case .edit: .edit
      case .delete: .delete
      case .clearList: .clearList
      case .deleteList: .deleteList
      }
  }

  /// The operation as one word, without its duration.
  public var word: Word {
    switch self {
    case .none: .none
    case .acknowledge: .acknowledge
    case .check: .check
    case .snooze: .snooze
    case .edit: .edit
    case .delete: .delete
    case .clearList: .clearList
    case .deleteList: .deleteList
    }
  }

  /// The time that it snoozes; `nil` for another operation.
  public var duration: CalendarDuration? {
    if case .snooze(let duration) = self { duration } else { nil }
  }
}

extension ActionOperation.Word {
  /// The strength of an answer with this operation.
  public var strength: ActionOperation.Strength {
    switch self {
    case .none, .edit: .none
    case .acknowledge: .acknowledge
    case .snooze: .snooze
    case .check: .check
    case .delete, .clearList, .deleteList: .destructive
    }
  }

  /// True if it destroys something, whatever the config says.
  public var isDestructive: Bool { strength == .destructive }
}
