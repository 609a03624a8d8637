import Foundation

/// The events of a year, as written by `Oracle/year_scenario.py`.
struct Scenario: Decodable {
  let start: Int
  let end: Int
  let zone: String
  let lists: [String]
  let events: [ScenarioEvent]
}

/// A user's action or another event, at a time of the clock.
struct ScenarioEvent: Decodable {
  enum Kind: String, Decodable {
    case add, edit, check, uncheck, snooze, delete, off, on, step, zone
    case listRemind = "list remind"
    case listClear = "list clear"
    case listDelete = "list delete"
  }

  /// The members of an event.
  enum Field: String, CodingKey {
    case kind = "do"
    case at, item, list, text, due, zone, remind, alerts, rule, origin, nag, length, policy, to
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
  let length: String?
  let policy: String?
  let to: Int?
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
    length = try fields.decodeIfPresent(String.self, forKey: .length)
    policy = try fields.decodeIfPresent(String.self, forKey: .policy)
    to = try fields.decodeIfPresent(Int.self, forKey: .to)
    named = Set(fields.allKeys)
  }
}
