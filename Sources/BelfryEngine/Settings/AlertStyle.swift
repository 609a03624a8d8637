import BelfryModel
import ConfigKeys

/// The sound, button and urgency of an alert.
public struct AlertStyle: Hashable, Sendable {
  /// The sound's name.
  public var sound: String
  /// The label of the button.
  public var action: String
  /// The urgency, by which sinks and quiet hours treat it.
  public var urgency: Urgency

  /// A style; the defaults are those of an empty config.
  public init(
    sound: String = ReminderAlert.usualSound, action: String = "View list", urgency: Urgency = .normal
  ) {
    (self.sound, self.action, self.urgency) = (sound, action, urgency)
  }
}

/// The style of the alerts of a category or of some lists, as far as it differs from the general style.
public struct AlertOverride: Hashable, Sendable {
  /// The sound's name.
  public var sound: String?
  /// The label of the button.
  public var action: String?
  /// The urgency in place of the general one.
  public var urgency: Urgency?

  package init(sound: String? = nil, action: String? = nil, urgency: Urgency? = nil) {
    (self.sound, self.action, self.urgency) = (sound, action, urgency)
  }
}

/// The urgency of a reminder, and its source.
public struct UrgencySource: Hashable, Sendable {
  /// The urgency in force.
  public let urgency: Urgency
  /// Its source in words, such as `of the category 'medicine'`.
  public let words: String
}

extension Settings {
  /// The style of the alerts of a list and category. The category takes precedence over the list; of the list patterns,
  /// the first that matches decides.
  ///
  /// - Parameter priority: the priority of the item.
  public func alert(forList list: String, category identifier: String?, priority: ItemPriority?) -> AlertStyle {
    let (category, list) = (identifier.flatMap(category)?.alert, rule(forList: list)?.alert)
    return AlertStyle(
      sound: category?.sound ?? list?.sound ?? alert.sound, action: category?.action ?? list?.action ?? alert.action,
      urgency: category?.urgency ?? list?.urgency ?? usualUrgency(priority))
  }

  /// The urgency of the reminders of a list and category, with its source.
  ///
  /// - Parameter step: the step of an escalation that rings; `nil` for none.
  public func urgency(
    forList list: String, category identifier: String?, priority: ItemPriority?, step: Escalation.Step? = nil
  ) -> UrgencySource {
    if let urgency = step?.urgency { return UrgencySource(urgency: urgency, words: "from the escalation step") }
    if let identifier, let urgency = category(identifier)?.alert.urgency {
      return UrgencySource(urgency: urgency, words: "of \(EscalationOrigin.category(identifier))")
    }
    if let rule = rule(forList: list), let urgency = rule.alert.urgency {
      return UrgencySource(urgency: urgency, words: "of \(EscalationOrigin.lists(rule.pattern))")
    }
    let usual = usualUrgency(priority)
    return UrgencySource(urgency: usual, words: usual == alert.urgency ? "of the config" : "of its priority")
  }

  // An item of high priority has at least high urgency, even if the config says less.
  private func usualUrgency(_ priority: ItemPriority?) -> Urgency {
    priority?.level == .high ? max(alert.urgency, .high) : alert.urgency
  }

  private func rule(forList list: String) -> ListRule? { lists.first { $0.pattern.matches(list) } }
}

// MARK: Keys

extension AlertStyle {
  /// The section `alert` at the top of the file.
  static let configType = ConfigType<AlertStyle>.section { section in
    var alert = AlertStyle()
    section.read("sound", &alert.sound, .line, AlertKeys.sound)
    section.read("action", &alert.action, .line, AlertKeys.action)
    section.read(
      "urgency", &alert.urgency, .choice,
      "\(AlertKeys.urgency) An item of high priority has `high` at least, where neither category nor list names another."
    )
    return alert
  }
}

extension AlertOverride {
  /// The section `alert` of a category or of lists, which may leave out any key.
  static let configType = ConfigType<AlertOverride>.section { section in
    var alert = AlertOverride()
    section.read("sound", &alert.sound, .line, AlertKeys.sound)
    section.read("action", &alert.action, .line, AlertKeys.action)
    section.read("urgency", &alert.urgency, .choice, AlertKeys.urgency)
    return alert
  }
}

private enum AlertKeys {
  static let sound = """
    The sound: `none` for silence (desktop, webpush, ntfy, Telegram, Pushover and others), or a name, which the desktop \
    plays (XDG Sound Naming) and ntfy gets as a tag; browsers have one sound alone.
    """
  static let action = "The label of the button."
  static let urgency = "The urgency, which each channel shows in its own way; `low` makes no sound."
}
