import Foundation

/// The events of a year, as written by `Oracle/year_scenario.py` or `Oracle/escalation_scenario.py`.
struct Scenario: Decodable {
  let start: Int
  let end: Int
  let zone: String
  let lists: [String]
  /// The times in which sinks take nothing, by the sink's name.
  let faults: [String: [ScenarioSink.Fault]]?
  let events: [ScenarioEvent]
}

/// A user's action or another event, at a time of the clock.
struct ScenarioEvent: Decodable {
  enum Kind: String, Decodable {
    case add, edit, check, uncheck, snooze, delete, press, off, on, sleep, wake, step, zone, config
    case listRemind = "list remind"
    case listClear = "list clear"
    case listDelete = "list delete"
    case takeBack = "take back"
  }

  /// The members of an event.
  enum Field: String, CodingKey {
    case kind = "do"
    case at, item, list, text, due, zone, remind, alerts, rule, origin, nag, category, length, policy, to, config
    case action, pick, channel, person, token
    case isSignedIn = "signed_in"
    case isAfterCrash = "after_crash"
  }

  let kind: Kind
  let at: Int
  let item: Int64
  let list: String?
  let text: String?
  let due: String?
  let zone: String?
  let remind: Bool?
  let alerts: [String]?
  let rule: String?
  let origin: String?
  let nag: String?
  let category: String?
  let length: String?
  let policy: String?
  let to: Int?
  /// The text of a config.
  let config: String?
  let action: String?
  /// The place of the reminder or answer that it is about, counted from the latest.
  let pick: Int?
  let channel: String?
  let person: String?
  let token: String?
  let isSignedIn: Bool?
  let isAfterCrash: Bool?
  /// The members present in the event, including those that are `null`.
  let named: Set<Field>

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Field.self)
    kind = try fields.decode(Kind.self, forKey: .kind)
    at = try fields.decode(Int.self, forKey: .at)
    item = try fields.decodeIfPresent(Int64.self, forKey: .item) ?? 0
    list = try fields.decodeIfPresent(String.self, forKey: .list)
    text = try fields.decodeIfPresent(String.self, forKey: .text)
    due = try fields.decodeIfPresent(String.self, forKey: .due)
    zone = try fields.decodeIfPresent(String.self, forKey: .zone)
    remind = try fields.decodeIfPresent(Bool.self, forKey: .remind)
    alerts = try fields.decodeIfPresent([String].self, forKey: .alerts)
    rule = try fields.decodeIfPresent(String.self, forKey: .rule)
    origin = try fields.decodeIfPresent(String.self, forKey: .origin)
    nag = try fields.decodeIfPresent(String.self, forKey: .nag)
    category = try fields.decodeIfPresent(String.self, forKey: .category)
    length = try fields.decodeIfPresent(String.self, forKey: .length)
    policy = try fields.decodeIfPresent(String.self, forKey: .policy)
    to = try fields.decodeIfPresent(Int.self, forKey: .to)
    config = try fields.decodeIfPresent(String.self, forKey: .config)
    action = try fields.decodeIfPresent(String.self, forKey: .action)
    pick = try fields.decodeIfPresent(Int.self, forKey: .pick)
    channel = try fields.decodeIfPresent(String.self, forKey: .channel)
    person = try fields.decodeIfPresent(String.self, forKey: .person)
    token = try fields.decodeIfPresent(String.self, forKey: .token)
    isSignedIn = try fields.decodeIfPresent(Bool.self, forKey: .isSignedIn)
    isAfterCrash = try fields.decodeIfPresent(Bool.self, forKey: .isAfterCrash)
    named = Set(fields.allKeys)
  }
}
