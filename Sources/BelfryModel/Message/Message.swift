import ByteOutput
import FoundationEssentials

/// A message to one sink, fixed when its reminders are claimed.
public struct Message: Hashable, Sendable {
  /// The id that receivers see on every attempt: `webhook-id`, `Message-ID`.
  public internal(set) var id: UUID
  /// The sink's name in the config.
  public internal(set) var sink: String
  /// The number of the person that it is for; 0 for no one in particular.
  public internal(set) var person: Int64
  /// The contents, one for each reminder.
  public internal(set) var contents: [ReminderContent]
  /// The time of the claim, in whole seconds.
  public internal(set) var createdAt: Date
  /// The domain of its `Message-ID` at the claim, so that a changed config does not change the id.
  public internal(set) var domain: String?
  /// True if its sink can update delivered copies after an answer.
  public internal(set) var isWithdrawable = false
  // The values of its tokens: either both are set, or neither.
  var answerKey: UInt8?
  var answerExpiry: UInt32?
  /// The unknown fields of its file.
  package var unknown: UnknownFields?

  /// A message with all its fields.
  public init(
    id: UUID, sink: String, person: Int64 = 0, contents: [ReminderContent], createdAt: Date, domain: String? = nil,
    tokens: MessageTokens? = nil, isWithdrawable: Bool = false
  ) {
    self.id = id
    self.sink = sink
    self.person = person
    self.contents = contents
    self.createdAt = createdAt
    self.domain = domain
    self.isWithdrawable = isWithdrawable
    (answerKey, answerExpiry) = (tokens?.key, tokens?.expiry)
  }

  /// The values that its tokens are made with; `nil` for a message without links.
  public var tokens: MessageTokens? {
    guard let answerKey, let answerExpiry else { return nil }
    return MessageTokens(key: answerKey, expiry: answerExpiry)
  }

  /// The id of a message with these reminders to `sink`, and to a person unless `person` is 0. Deterministic: claiming
  /// again after a crash gives the same id.
  public static func id(sink: String, reminders: [UUID], person: Int64 = 0) -> UUID {
    // Built as bytes, since every message needs it: "message mail UUID UUID person 2".
    let (start, end) = ("message \(sink)", person == 0 ? "" : " person \(person)")
    var name: [UInt8] = []
    name.append(atMost: start.utf8.count + reminders.count * (1 + UUID.length) + end.utf8.count) { name in
      name.append(text: start)
      for reminder in reminders {
        name.append(UInt8(ascii: " "))
        reminder.append(to: &name)
      }
      name.append(text: end)
    }
    return UUID(namespace: .belfry, utf8: name)
  }
}

extension Message {
  /// The event that a message reports.
  public enum Kind: String, Hashable, Sendable {
    /// One or more reminders fired.
    case fired = "reminder.fired"
    case failed = "reminder.failed"
    /// A message that was delivered needs no answer any more.
    case answered = "reminder.answered"
    /// A message that was answered can be answered again.
    case reopened = "reminder.reopened"
    /// A test of the sink.
    case test = "reminder.test"
  }

  /// True if the recipients are notified of the answer, even by a sink that cannot update sent messages.
  public var tellsAnswer: Bool { contents.contains { $0.escalation?.tellsAnswer ?? false } }

  /// True if the recipients should see what happened to its reminders.
  package var hasCopies: Bool { isWithdrawable || tellsAnswer }

  /// The title, on one line: the text of the first reminder and how many more there are.
  public var title: String {
    let text = contents.first?.text ?? ""
    let texts = contents.count > 1 ? "\(text) and \(contents.count - 1) more" : text
    return heading.map { "\($0): \(texts)" } ?? texts
  }

  /// The news in a few words, such as `answered`; `nil` for a reminder that rings.
  public var heading: String? {
    switch kind {
    case .fired, .test: nil
    case .failed: contents.first?.failure?.heading
    case .answered: "answered"
    case .reopened: "open again"
    }
  }

  /// The event that the message reports.
  public var kind: Kind {
    if contents.first?.isTest == true { return .test }
    guard contents.first?.failure == nil else { return .failed }
    guard contents.first?.update != nil else { return .fired }
    return contents.allSatisfy { $0.update?.state == .answered } ? .answered : .reopened
  }

  /// The state of its first reminder, for the copies of an earlier message; `nil` unless it is an update.
  public var update: ReminderUpdate? { contents.first?.failure == nil ? contents.first?.update : nil }
}

/// The values from which the tokens of a message are made, fixed at the claim so that each attempt has the same.
public struct MessageTokens: Hashable, Sendable {
  /// The number of the key that signs them, from 0 to 31.
  public let key: UInt8
  /// The hour at which they expire, counted from 2020-01-01T00:00Z, 24 bits.
  public let expiry: UInt32

  /// The values for one message.
  public init(key: UInt8, expiry: UInt32) { (self.key, self.expiry) = (key, expiry) }
}

extension Message: Record {
  package static let form = RecordForm<Message>(4, "message") { fields in
    fields.add("message_id", \.id, .identity)
    fields.add("sink", \.sink, .sharedText)
    fields.add("person", \.person, NumberCodec(range: 0...KnownPerson.highestNumber), unless: 0)
    fields.add("created_at", \.createdAt, .instant)
    fields.add("domain", \.domain, .sharedText)
    fields.add("answer_key", \.answerKey, NumberCodec(range: 0...31))
    fields.add("answer_expiry", \.answerExpiry, NumberCodec(range: 0...0xff_ffff))
    fields.add("withdrawable", \.isWithdrawable, .flag, unless: false)
    fields.add("contents", \.contents, ContentsCodec())
  }

  package init() { self.init(id: .belfry, sink: "", contents: [], createdAt: .distantPast) }

  package func check(_ raw: RawRecord, _ reader: RecordReader) throws(FormFault) {
    try reader.requireBothOrNone(("answer_key", answerKey != nil), ("answer_expiry", answerExpiry != nil), raw)
  }
}
