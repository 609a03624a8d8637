import Foundation
import OrderedJSON

/// What a reminder is about, read at the moment of its claim.
public enum ReminderSubject: Hashable, Sendable {
  /// One item.
  case item(ItemListing)
  /// A whole list with what is unchecked on it.
  case list(Checklist, unchecked: [ItemListing])

  /// The name of the list.
  public var listName: String {
    switch self {
    case .item(let listing): listing.listName
    case .list(let list, _): list.name
    }
  }

  /// The category that names the actions.
  public var category: String? {
    switch self {
    case .item(let listing): listing.item.category
    case .list(let list, _): list.reminder?.category
    }
  }

  /// Whose clock counts.
  public var zone: ItemZone {
    switch self {
    case .item(let listing): listing.item.zone
    case .list(let list, _): list.reminder?.zone ?? .floating
    }
  }
}

/// What a message says about one reminder: the `data` of a webhook's body, all but `late_seconds`, which is counted
/// at each attempt.
///
/// It is frozen when the reminder is claimed; what happens to the item later does not change it.
public struct ReminderContent: Sendable {
  /// The members, in the contract's order.
  public let data: JSONObject
  /// The same as text, for as long as it is known: it is needed for the store and for the sink.
  private let frozen: FrozenContent?

  /// Content read back from a store.
  public init(data: JSONObject) {
    self.data = data
    frozen = nil
  }

  /// The content of a reminder at the moment of its claim.
  private init(freezing data: JSONObject) {
    self.data = data
    frozen = FrozenContent(data)
  }

  /// The members as one JSON object in UTF-8.
  public var json: [UInt8] { asText.bytes }

  fileprivate var asText: FrozenContent { frozen ?? FrozenContent(data) }

  /// The content of a reminder at the moment of its claim.
  ///
  /// - Parameter badge: how many unchecked items are overdue.
  public init(
    reminder: Reminder, subject: ReminderSubject, settings: Settings, badge: Int, planner: Planner, now: Date
  ) {
    let zone = (try? planner.zone(subject.zone)) ?? planner.floatingZone
    let represent = ItemRepresentation(zone: zone, now: now)
    let category = subject.category.flatMap(settings.category)
    let alert = settings.alert(forCategory: subject.category)
    var item = JSONValue.null
    var list = JSONValue.null
    let body: String
    switch subject {
    case .item(let listing):
      item = represent.json(listing)
      body = listing.item.text
    case .list(let checklist, let unchecked):
      list = [
        "id": .integer(checklist.id), "name": .string(checklist.name),
        "unchecked": .array(unchecked.map(represent.json)),
      ]
      body = checklist.reminder?.message ?? checklist.name
    }
    self.init(freezing: [
      "version": 1,
      "reminder_id": .uuid(reminder.id),
      "fire_date": .instant(reminder.fireDate.date, zone),
      "alert": [
        "title": .string(subject.listName),
        "body": .string(body),
        "action": .string(alert.action),
        "sound": .string(alert.sound),
        "badge": .integer(Int64(badge)),
      ],
      "list": list,
      "item": item,
      "category": .optional(subject.category),
      "actions": .array((category?.actions ?? []).map(\.json)),
      "time_zone": .string(zone.identifier),
    ])
  }

  /// The same content, saying that a delivery of it failed.
  init(_ content: ReminderContent, failure: DeliveryFailure) {
    var data = content.data
    data.append(
      "failure",
      [
        "sink": .string(failure.sink), "recipient": .optional(failure.recipient), "reason": .string(failure.reason),
        "is_final": .bool(failure.isFinal),
      ])
    self.init(data: data)
  }

  /// The same content, saying that it is a test.
  public init(test content: ReminderContent) {
    var data = content.data
    data.append("test", .bool(true))
    self.init(data: data)
  }

  /// What this tells of a delivery that failed; `nil` for a reminder.
  public var failure: DeliveryFailure? {
    guard let failure = data["failure"], let sink = failure["sink"]?.stringValue,
      let reason = failure["reason"]?.stringValue
    else { return nil }
    return DeliveryFailure(
      sink: sink, recipient: failure["recipient"]?.stringValue, reason: reason,
      isFinal: failure["is_final"] == .bool(true))
  }

  /// Whether it was made to find out whether a sink works.
  public var isTest: Bool { data["test"] == .bool(true) }

  /// The reminder's fire date in RFC 3339, with the offset of its zone.
  public var fireDate: String { data["fire_date"]?.stringValue ?? "" }

  /// The name of the list.
  public var listName: String { data["alert"]?["title"]?.stringValue ?? "" }

  /// The item's text, or what the list's own reminder says.
  public var text: String { data["alert"]?["body"]?.stringValue ?? "" }

  /// The item's number; `nil` for a list's own reminder.
  public var itemID: Int64? { data["item"]?["id"]?.integerValue }

  /// The texts of what is unchecked, for a list's own reminder.
  public var uncheckedTexts: [String] {
    data["list"]?["unchecked"]?.arrayValue?.compactMap { $0["text"]?.stringValue } ?? []
  }

  /// Whom the reminder is about.
  public var owner: ReminderOwner? {
    itemID.map(ReminderOwner.item) ?? data["list"]?["id"]?.integerValue.map(ReminderOwner.list)
  }

  /// The reminder's identity.
  public var reminderID: UUID? { data["reminder_id"]?.stringValue.flatMap { UUID(uuidString: $0) } }
}

extension ReminderContent: Hashable {
  /// Whether both say the same.
  public static func == (one: ReminderContent, other: ReminderContent) -> Bool { one.data == other.data }

  /// Feeds what it says.
  public func hash(into hasher: inout Hasher) { hasher.combine(data) }
}

/// A content as JSON in UTF-8, with the place where `late_seconds` goes, which is behind the fire date if it has one.
private struct FrozenContent {
  let bytes: [UInt8]
  let place: Int?

  init(_ data: JSONObject) {
    var bytes: [UInt8] = []
    var place: Int?
    bytes.reserveCapacity(1_024)
    for member in data.members {
      bytes.append(UInt8(ascii: bytes.isEmpty ? "{" : ","))
      member.write(into: &bytes)
      if member.key == "fire_date" { place = bytes.count }
    }
    bytes.append(contentsOf: (bytes.isEmpty ? "{}" : "}").utf8)
    self.bytes = bytes
    self.place = place
  }
}

extension DeliveryAttempt {
  /// Appends ``body()`` in UTF-8, put together from what is text already.
  public func writeBody(into output: inout [UInt8]) {
    guard let text = message.contents.first?.asText, let place = text.place else {
      return body().write(into: &output)
    }
    output.reserveCapacity(output.count + text.bytes.count + 160)
    output.append(contentsOf: "{\"type\":\"\(message.kind.rawValue)\",\"timestamp\":\"".utf8)
    output.append(contentsOf: "\(Zone.utc.rfc3339(startedAt))\",\"data\":".utf8)
    output.append(contentsOf: text.bytes[..<place])
    output.append(contentsOf: ",\"late_seconds\":\(lateSeconds)".utf8)
    output.append(contentsOf: text.bytes[place...])
    output.append(UInt8(ascii: "}"))
  }

  /// The body that a webhook gets and that the stdout sink prints with `format: json`.
  ///
  /// Its type is `reminder.fired`, `reminder.test`, or `reminder.failed` with what failed under `failure`.
  public func body() -> JSONValue {
    let contents = message.contents.map { content -> JSONValue in
      var data = JSONObject()
      for member in content.data.members {
        data.append(member.key, member.value)
        if member.key == "fire_date" { data.append("late_seconds", .integer(Int64(lateSeconds))) }
      }
      return .object(data)
    }
    return [
      "type": .string(message.kind.rawValue),
      "timestamp": .instant(startedAt, .utc),
      "data": contents.first ?? .null,
    ]
  }
}

extension Message {
  /// What a message is about.
  public enum Kind: String, Hashable, Sendable {
    /// A reminder, or several, that fired.
    case fired = "reminder.fired"
    /// A delivery that failed.
    case failed = "reminder.failed"
    /// Nothing: somebody wants to know whether the sink works.
    case test = "reminder.test"
  }

  /// What the message is about.
  public var kind: Kind {
    guard let content = contents.first else { return .fired }
    if content.isTest { return .test }
    return content.failure == nil ? .fired : .failed
  }
}

/// A delivery that failed, as another sink is told of it.
public struct DeliveryFailure: Hashable, Sendable {
  /// The sink that it failed at.
  public let sink: String
  /// Whom it was for.
  public let recipient: String?
  /// Why.
  public let reason: String
  /// Whether it was given up; otherwise it is tried again, and waits for somebody to mend what is wrong.
  public let isFinal: Bool

  /// A failure with all its fields.
  public init(sink: String, recipient: String?, reason: String, isFinal: Bool) {
    self.sink = sink
    self.recipient = recipient
    self.reason = reason
    self.isFinal = isFinal
  }

  /// The failure in words: `not delivered to mail (me@example.org): 550 no such user`.
  public var words: String {
    let place = recipient.map { "\(sink) (\($0))" } ?? sink
    return isFinal ? "not delivered to \(place): \(reason)" : "\(place) needs you: \(reason)"
  }
}

extension CategoryAction {
  /// The action as a message shows it.
  var json: JSONValue {
    [
      "identifier": .string(identifier),
      "title": .string(title),
      "destructive": .bool(isDestructive),
      "authentication_required": .bool(requiresAuthentication),
      "activation": .string(activation.rawValue),
    ]
  }
}
