/// The urgency of an alert. Each channel says it in its own terms.
public enum Urgency: String, CaseIterable, Hashable, Sendable {
  /// Shown without a sound.
  case low
  /// Shown as the receiver's device usually shows messages.
  case normal
  /// Shown above others, even by a device that saves power.
  case high
  /// Shown in spite of do-not-disturb, if the channel can do that.
  case critical
}

extension Urgency: Comparable {
  /// True if one asks for less attention than the other.
  public static func < (one: Urgency, other: Urgency) -> Bool { one.rank < other.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension ReminderAlert {
  /// The sound if the config names none, which the receiver chooses.
  public static let usualSound = "default"
  /// The name for no sound.
  public static let noSound = "none"

  /// The name of a sound of the user's choice; `nil` for the receiver's and for none.
  public var namedSound: String? { ["", Self.usualSound, Self.noSound].contains(sound) ? nil : sound }
}

extension Message {
  /// The urgency of its most urgent reminder. A failure notice has at least high urgency; an update has low urgency.
  public var urgency: Urgency {
    let urgency = contents.map(\.alert.urgency).max() ?? .normal
    return switch kind {
    case .fired, .test: urgency
    case .failed: max(urgency, .high)
    case .answered, .reopened: .low
    }
  }

  /// True if it is shown without a sound, because of its urgency or of the sound of its alerts.
  public var isSilent: Bool {
    urgency == .low || !contents.isEmpty && contents.allSatisfy { $0.alert.sound == ReminderAlert.noSound }
  }
}
