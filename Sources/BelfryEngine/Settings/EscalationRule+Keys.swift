import CivilTime
import ConfigKeys

/// The keys of an escalation in the section of a category or of lists.
struct EscalationRuleDraft: Sendable {
  let name: Located<String>
  private let againAfter: CalendarDuration?
  private let again: Escalation.Again?
  private let tellsAnswer: Bool?

  /// Reads the keys; `nil` if no escalation is named.
  init?(_ section: inout ConfigSection) {
    var name: Located<String>?
    var againAfter: CalendarDuration?
    var again: Escalation.Again?
    var tellsAnswer: Bool?
    let escalationKey = section.read(
      "escalation", &name, .located(.line), "The name of the escalation of its reminders.")
    let againAfterKey = section.read(
      "again_after", &againAfter, .calendarDuration,
      "The time after which an acknowledged reminder rings again while its item is open; never by default.")
    let againKey = section.read(
      "again", &again, .choice, "Whether it does so after the first acknowledgement or after each; `always` by default."
    )
    let tellsAnswerKey = section.read(
      "notify_on_answer", &tellsAnswer, .boolean,
      "Whether those who were reached are told of the answer; `true` by default.")
    if !escalationKey.isGiven {
      for key in [againAfterKey, againKey, tellsAnswerKey] where key.isGiven {
        section.error("'\(key.name)' needs an 'escalation'", at: key.key)
      }
    } else if againKey.isGiven, !againAfterKey.isGiven {
      section.warning("'again' has no effect without 'again_after'", at: againKey.key)
    }
    guard let name else { return nil }
    self.name = name
    self.againAfter = againAfter
    self.again = again
    self.tellsAnswer = tellsAnswer
  }

  var rule: EscalationRule {
    EscalationRule(
      name: name.value, againAfter: againAfter, again: again ?? .always, tellsAnswer: tellsAnswer ?? true)
  }
}

/// The section of the lists whose names match a pattern.
struct ListRuleDraft: NamedDraft {
  var name = ""
  fileprivate(set) var escalation: EscalationRuleDraft?
  private var alert = AlertOverride()

  static let configType = ConfigType<ListRuleDraft>.section { section in
    var draft = ListRuleDraft()
    section.read(
      "alert", &draft.alert, AlertOverride.configType,
      "The sound, the button and the urgency of their alerts, where no category names others.")
    draft.escalation = EscalationRuleDraft(&section)
    return draft
  }

  var rule: ListRule { ListRule(pattern: ListPattern(name), escalation: escalation?.rule, alert: alert) }
}
