import FoundationEssentials
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
  private enum Form {
    /// Written when the reminder was claimed: for most sinks the text is all that is needed.
    case frozen(FrozenContent)
    /// Read back from a store, or told of a failure.
    case members(JSONObject)
  }

  private let form: Form

  /// Content read back from a store.
  public init(data: JSONObject) { form = .members(data) }

  /// The content of a reminder at the moment of its claim.
  ///
  /// - Parameter badge: how many unchecked items are overdue.
  public init(
    reminder: Reminder, subject: ReminderSubject, settings: Settings, badge: Int, planner: Planner, now: Date
  ) {
    form = .frozen(
      FrozenContent(
        reminder, subject, settings, badge: badge, zone: (try? planner.zone(subject.zone)) ?? planner.floatingZone,
        now: now))
  }

  /// The members, in the contract's order; read from the text at each call for what was just claimed.
  public var data: JSONObject {
    switch form {
    case .frozen(let content): content.members
    case .members(let data): data
    }
  }

  /// The members as one JSON object in UTF-8.
  public var json: [UInt8] {
    switch form {
    case .frozen(let content): content.bytes
    case .members(let data): Array(JSONValue.object(data).serialized().utf8)
    }
  }

  fileprivate var frozen: FrozenContent? {
    if case .frozen(let content) = form { content } else { nil }
  }

  // What is known without the members of what was just claimed, which is no test and tells of no failure.
  private func known<Value>(_ known: (FrozenContent) -> Value, _ read: (JSONObject) -> Value) -> Value {
    switch form {
    case .frozen(let content): known(content)
    case .members(let data): read(data)
    }
  }

  /// The same content, saying that a delivery of it failed.
  public init(_ content: ReminderContent, failure: DeliveryFailure) {
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
    known { _ in
      nil
    } _: { data in
      guard let failure = data["failure"], let sink = failure["sink"]?.stringValue,
        let reason = failure["reason"]?.stringValue
      else { return nil }
      return DeliveryFailure(
        sink: sink, recipient: failure["recipient"]?.stringValue, reason: reason,
        isFinal: failure["is_final"] == .bool(true))
    }
  }

  /// Whether it was made to find out whether a sink works.
  public var isTest: Bool {
    known { _ in
      false
    } _: {
      $0["test"] == .bool(true)
    }
  }

  /// The reminder's fire date in RFC 3339, with the offset of its zone.
  public var fireDate: String { known(\.fireDate) { $0["fire_date"]?.stringValue ?? "" } }

  /// The name of the list.
  public var listName: String { known(\.listName) { $0["alert"]?["title"]?.stringValue ?? "" } }

  /// The item's text, or what the list's own reminder says.
  public var text: String { known(\.text) { $0["alert"]?["body"]?.stringValue ?? "" } }

  /// The texts of what is unchecked, for a list's own reminder.
  public var uncheckedTexts: [String] {
    known(\.uncheckedTexts) { $0["list"]?["unchecked"]?.arrayValue?.compactMap { $0["text"]?.stringValue } ?? [] }
  }

  /// Whom the reminder is about.
  public var owner: ReminderOwner? {
    known(\.owner) { data in
      data["item"]?["id"]?.integerValue.map(ReminderOwner.item)
        ?? data["list"]?["id"]?.integerValue.map(ReminderOwner.list)
    }
  }

  /// The item's number; `nil` for a list's own reminder.
  public var itemID: Int64? {
    if case .item(let id) = owner { id } else { nil }
  }

  /// The item's identity; `nil` for a list's own reminder.
  public var itemUUID: UUID? {
    known(\.itemUUID) { $0["item"]?["uuid"]?.stringValue.flatMap { UUID(uuidString: $0) } }
  }

  /// The reminder's identity.
  public var reminderID: UUID? {
    known(\.reminderID) { $0["reminder_id"]?.stringValue.flatMap { UUID(uuidString: $0) } }
  }
}

extension ReminderContent: Hashable {
  /// Whether both say the same.
  public static func == (one: ReminderContent, other: ReminderContent) -> Bool { one.data == other.data }

  /// Feeds what it says.
  public func hash(into hasher: inout Hasher) { hasher.combine(data) }
}

extension DeliveryAttempt {
  /// Appends ``body()`` in UTF-8, put together from what is text already.
  public func writeBody(into output: inout [UInt8]) {
    guard message.contents.count == 1, let content = message.contents[0].frozen else {
      return body().write(into: &output)
    }
    output.reserveCapacity(output.count + content.bytes.count + 160)
    output.append(contentsOf: "{\"type\":\"".utf8)
    output.append(contentsOf: message.kind.rawValue.utf8)
    output.append(contentsOf: "\",\"timestamp\":\"".utf8)
    output.append(addingCapacity: Zone.rfc3339Length) { Zone.utc.append(rfc3339: message.createdAt, to: &$0) }
    output.append(contentsOf: "\",\"data\":".utf8)
    output.append(contentsOf: content.bytes[..<content.latenessPlace])
    output.append(contentsOf: ",\"late_seconds\":".utf8)
    output.append(contentsOf: lateSeconds.description.utf8)
    output.append(contentsOf: content.bytes[content.latenessPlace...])
    output.append(UInt8(ascii: "}"))
  }

  /// The body that a webhook gets and that the stdout sink prints with `format: json`.
  ///
  /// Its type is `reminder.fired`, `reminder.test`, or `reminder.failed` with what failed under `failure`. Of several
  /// reminders the first is the `data`, and all of them are the `reminders`.
  public func body() -> JSONValue {
    let contents = message.contents.map { content -> JSONValue in
      var data = JSONObject()
      for member in content.data.members {
        data.append(member.key, member.value)
        if member.key == "fire_date" { data.append("late_seconds", .integer(Int64(lateSeconds))) }
      }
      return .object(data)
    }
    var body: JSONObject = [
      "type": .string(message.kind.rawValue),
      // When it happened; the attempt's own time goes beside the body (Standard Webhooks 1.0.0).
      "timestamp": .instant(message.createdAt, .utc),
      "data": contents.first ?? .null,
    ]
    if contents.count > 1 { body.append("reminders", .array(contents)) }
    return .object(body)
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

  /// What the message says, on one line: of several reminders the first and how many more there are.
  public var title: String {
    let text = contents.first?.text ?? ""
    let texts = contents.count > 1 ? "\(text) and \(contents.count - 1) more" : text
    return contents.first?.failure.map { "\($0.heading): \(texts)" } ?? texts
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
  public var words: String { "\(heading): \(reason)" }

  /// The same without the reason.
  public var heading: String { isFinal ? "not delivered to \(place)" : "\(place) needs you" }

  /// The heading as a line of its own begins.
  public var headline: String { isFinal ? "Not delivered to \(place)" : heading }

  private var place: String { recipient.map { "\(sink) (\($0))" } ?? sink }
}
