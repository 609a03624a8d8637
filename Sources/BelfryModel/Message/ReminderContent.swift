import CivilTime
import FoundationEssentials

/// The content of a message for one reminder: the `data` of a webhook's body without `late_seconds`, which differs for
/// each attempt.
///
/// Fixed when the reminder is claimed; later changes of the item do not affect it.
public struct ReminderContent: Sendable {
  /// The item or list of a reminder, as it was at the claim.
  public indirect enum Subject: Sendable {
    case item(ItemSnapshot)
    /// A list with its unchecked items.
    case list(ListSnapshot)
  }

  /// The identity of the reminder, derived from its occurrence.
  public internal(set) var reminderID: UUID
  /// The fire date, with the offset of its zone.
  public internal(set) var fireDate: OffsetInstant
  /// The texts, sound, badge and urgency.
  public internal(set) var alert: ReminderAlert
  /// The item that rang, or the list whose own reminder did.
  public internal(set) var subject: Subject
  /// The identifier of the category; `nil` for none.
  public internal(set) var category: String?
  /// The actions of the category.
  public internal(set) var actions: [OfferedAction] = []
  /// The zone of its times; `nil` in messages of the first versions.
  public internal(set) var timeZone: String?
  /// The failed delivery that a failure notice reports; `nil` for a reminder.
  public internal(set) var failure: DeliveryFailure?
  /// The state of the reminder, for the copies of a message that was delivered; `nil` for a reminder.
  public internal(set) var update: ReminderUpdate?
  /// The place of the ringing in an escalation; `nil` for a reminder without one.
  public internal(set) var escalation: EscalationNote?
  /// True if it tests a sink.
  public internal(set) var isTest = false
  package var unknown: UnknownFields?
  var version: Int64 = 1
  // The JSON of a content that was not read from a store: shared by the messages and bodies of all sinks.
  private var cachedJSON: EncodedContent?

  package init() {
    (reminderID, fireDate) = (.belfry, OffsetInstant(.distantPast, in: .utc))
    (alert, subject) = (ReminderAlert(), .list(ListSnapshot()))
  }

  /// The content of a message for a reminder.
  public init(
    reminderID: UUID, fireDate: OffsetInstant, alert: ReminderAlert, subject: Subject, category: String?,
    actions: OfferedActions, timeZone: String, escalation: EscalationNote? = nil
  ) {
    (self.reminderID, self.fireDate, self.alert, self.subject) = (reminderID, fireDate, alert, subject)
    (self.category, self.actions, self.timeZone) = (category, actions.actions, timeZone)
    self.escalation = escalation
    cachedJSON = EncodedContent(self, actions: actions)
  }

  /// The content of a message for a reminder.
  public init(
    reminderID: UUID, fireDate: OffsetInstant, alert: ReminderAlert, subject: Subject, category: String?,
    actions: [OfferedAction], timeZone: String, escalation: EscalationNote? = nil
  ) {
    self.init(
      reminderID: reminderID, fireDate: fireDate, alert: alert, subject: subject, category: category,
      actions: OfferedActions(actions), timeZone: timeZone, escalation: escalation)
  }

  package init(_ content: ReminderContent, failure: DeliveryFailure) {
    self = content
    (self.failure, update) = (failure, nil)
    cachedJSON = EncodedContent(self)
  }

  /// A content with the state of its reminder. It offers no actions once the reminder was answered.
  package init(_ content: ReminderContent, update: ReminderUpdate) {
    self = content
    self.update = update
    if update.state == .answered { actions = [] }
    cachedJSON = EncodedContent(self)
  }

  /// A content marked as a test.
  package init(test content: ReminderContent) {
    self = content
    isTest = true
    cachedJSON = EncodedContent(self)
  }

  var encoded: EncodedContent { cachedJSON ?? EncodedContent(self) }

  /// The item; `nil` for a list's own reminder.
  public internal(set) var item: ItemSnapshot? {
    get { if case .item(let item) = subject { item } else { nil } }
    set { if let newValue { subject = .item(newValue) } }
  }

  /// The list with its unchecked items; `nil` for an item's reminder.
  public internal(set) var list: ListSnapshot? {
    get { if case .list(let list) = subject { list } else { nil } }
    set { if let newValue { subject = .list(newValue) } }
  }

  /// The name of the list.
  public var listName: String { alert.title }

  /// The item's text, or the message of the list's own reminder.
  public var text: String { alert.body }

  /// The texts of the unchecked items of a list; empty for an item's reminder.
  public var uncheckedTexts: [String] { list?.unchecked.map(\.text) ?? [] }

  /// The number of open items of a list whose own reminder has no other text than the list's name, which messages say
  /// anyway; `nil` for other contents.
  package var openCount: Int? {
    guard item == nil, text == listName, update?.state != .answered, !uncheckedTexts.isEmpty else { return nil }
    return uncheckedTexts.count
  }

  /// The content as receivers get it: the body says what is open if it would only repeat the title.
  var forReceivers: ReminderContent {
    guard let openCount else { return self }
    let texts = uncheckedTexts.prefix(Self.mostNamed)
    let more = openCount > texts.count ? [" … and \(openCount - texts.count) more"] : []
    var content = self
    content.alert.body = (["\(openCount) open"] + texts.map { " • \($0)" } + more).joined()
    content.cachedJSON = nil
    return content
  }

  /// The most open items that a body names.
  private static let mostNamed = 100

  /// The item or list that the reminder belongs to.
  public var owner: ReminderOwner {
    switch subject {
    case .item(let item): .item(item.id)
    case .list(let list): .list(list.id)
    }
  }
}

extension ReminderContent: Hashable {
  /// True if both have the same JSON.
  public static func == (one: ReminderContent, other: ReminderContent) -> Bool { one.json == other.json }

  /// Hashes the JSON, as equality compares it.
  public func hash(into hasher: inout Hasher) { hasher.combine(json) }
}

extension ReminderContent: Record {
  package static let form = RecordForm<ReminderContent>(10, "message's content") { fields in
    fields.add("version", \.version, .integer)
    fields.add("reminder_id", \.reminderID, .identity)
    fields.add("fire_date", \.fireDate, .offsetInstant)
    fields.add("alert", \.alert, RecordCodec<ReminderAlert>())
    fields.add("list", \.list, RecordCodec<ListSnapshot>(), isNullable: true)
    fields.add("item", \.item, ItemSnapshotCodec(), isNullable: true)
    fields.add("category", \.category, .text, isNullable: true)
    fields.add("actions", \.actions, RecordsCodec<OfferedAction>())
    fields.add("time_zone", \.timeZone, .text)
    fields.add("failure", \.failure, RecordCodec<DeliveryFailure>())
    fields.add("update", \.update, RecordCodec<ReminderUpdate>())
    fields.add("escalation", \.escalation, RecordCodec<EscalationNote>())
    fields.add("test", \.isTest, .flag, unless: false)
  }

  private static let subjects = ["list", "item"].compactMap(form.kind.index)

  package func check(_ raw: RawRecord, _ reader: RecordReader) throws(FormFault) {
    guard Self.subjects.count(where: { raw.values[$0].isPresent }) == 1 else {
      throw reader.fault(raw, "a \(raw.kind.noun) has either an \"item\" or a \"list\"")
    }
  }
}

/// The texts, sound, badge and urgency of a reminder.
public struct ReminderAlert: Hashable, Sendable, Record {
  package static let form = RecordForm<ReminderAlert>(11, "message's alert") { fields in
    fields.add("title", \.title, .text)
    fields.add("body", \.body, .text)
    fields.add("action", \.action, .text)
    fields.add("sound", \.sound, .text)
    fields.add("badge", \.badge, .integer)
    // Missing in messages of the first versions.
    fields.add("urgency", \.urgency, WordCodec(Urgency.self, \.rawValue), .optional)
  }

  /// The name of the list.
  public internal(set) var title = ""
  /// The item's text; the message of the list's own reminder, or without one the list's name.
  public internal(set) var body = ""
  /// The label of the alert's button.
  public internal(set) var action = ""
  /// The name of the sound, as the receiver knows it.
  public internal(set) var sound = ""
  /// The number of unchecked items that are overdue.
  public internal(set) var badge: Int64 = 0
  /// The urgency, by which sinks and quiet hours treat it.
  public internal(set) var urgency = Urgency.normal
  package var unknown: UnknownFields?

  package init() {}

  /// An alert with all its fields.
  public init(
    title: String, body: String, action: String, sound: String, badge: Int, urgency: Urgency = .normal
  ) {
    (self.title, self.body, self.action, self.sound) = (title, body, action, sound)
    (self.badge, self.urgency) = (Int64(badge), urgency)
  }
}

/// An action that a message offers.
public struct OfferedAction: Hashable, Sendable, Record {
  /// The way in which an action is carried out: in a program that it opens, or without showing anything.
  public enum Activation: String, CaseIterable, Hashable, Sendable {
    /// Carried out without showing anything.
    case background
    /// Opens a program, which carries it out.
    case foreground
  }

  package static let form = RecordForm<OfferedAction>(12, "message's action") { fields in
    fields.add("identifier", \.identifier, .sharedText)
    fields.add("title", \.title, .sharedText)
    fields.add("destructive", \.isDestructive, .flag)
    fields.add("authentication_required", \.requiresAuthentication, .flag)
    fields.add("activation", \.activation, WordCodec(Activation.self, \.rawValue))
    fields.add("do", \.word, WordCodec(ActionOperation.Word.self, \.rawValue))
    fields.add("for", \.duration, .span)
    fields.add("minimal", \.isMinimal, .flag, unless: false)
  }

  /// The identifier for `belfry act`.
  public internal(set) var identifier = ""
  /// The label of its button.
  public internal(set) var title = ""
  /// True if it destroys something.
  public internal(set) var isDestructive = false
  /// True if the user must authenticate first.
  public internal(set) var requiresAuthentication = false
  /// The way in which it is carried out.
  public internal(set) var activation = Activation.background
  /// The operation; `nil` in messages of versions that did not keep it.
  public var operation: ActionOperation? {
    word.map { ActionOperation($0, snooze: duration ?? ActionOperation.usualSnooze) }
  }
  private var word: ActionOperation.Word?
  private var duration: CalendarDuration?
  /// True if it is shown first when there is no room for all; if none is marked, their order decides.
  public internal(set) var isMinimal = false
  package var unknown: UnknownFields?

  package init() {}

  /// An action with all its fields.
  public init(
    identifier: String, title: String, isDestructive: Bool = false, requiresAuthentication: Bool = false,
    activation: Activation = .background, operation: ActionOperation? = nil, isMinimal: Bool = false
  ) {
    (word, duration) = (operation?.word, operation?.duration)
    (self.identifier, self.title, self.isDestructive) = (identifier, title, isDestructive)
    (self.requiresAuthentication, self.activation, self.isMinimal) = (requiresAuthentication, activation, isMinimal)
  }
}
