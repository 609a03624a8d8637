import BelfryTestKit
import Foundation
import OrderedJSON
import TestSupport
import Testing
@testable import BelfryModel
@testable import CivilTime
@testable import RecurrenceRules

/// Encoding and decoding of contents.
@Suite struct ContentCodingTests {
  @Test("encoding, decoding and encoding again gives the same bytes", arguments: UInt64(0)..<40)
  func roundTrip(seed: UInt64) throws {
    var random = RandomContent(seed: seed)
    for _ in 0..<25 {
      let content = try random.content()
      let text = Self.text(content)
      let back = try ReminderContent(json: text)
      #expect(Self.text(back) == text)
      #expect(back == content)
      #expect(back.reminderID == content.reminderID && back.fireDate == content.fireDate, "\(text)")
      #expect(back.alert == content.alert && back.actions == content.actions && back.owner == content.owner, "\(text)")
      #expect(back.failure == content.failure && back.isTest == content.isTest, "\(text)")
      #expect(back.escalation == content.escalation, "\(text)")
      #expect(back.item?.due == content.item?.due && back.item?.uuid == content.item?.uuid, "\(text)")
      #expect(back.item?.record.item.alerts == content.item?.record.item.alerts, "\(text)")
      #expect(back.item?.record.recurrence.rule == content.item?.record.recurrence.rule, "\(text)")
      #expect(back.uncheckedTexts == content.uncheckedTexts, "\(text)")
      #expect(try JSONValue(parsing: text.utf8).serialized() == text)
    }
  }

  @Test("unknown members of a later version are kept in their places", arguments: UInt64(100)..<120)
  func unknown(seed: UInt64) throws {
    func marked(_ value: JSONValue) -> JSONValue {
      switch value {
      case .array(let elements): return .array(elements.map(marked))
      case .object(let object):
        var members = JSONObject(object.members.map { ($0.key, marked($0.value)) })
        members.append("x-later", [nil, ["a": 1.5]])
        return .object(members)
      default: return value
      }
    }
    var random = RandomContent(seed: seed)
    let text = marked(try JSONValue(parsing: Self.text(random.content()).utf8)).serialized()
    #expect(Self.text(try ReminderContent(json: text)) == text)
  }

  @Test("contents of versions that said less are read, and what they left open stays open")
  func earlier() throws {
    var random = RandomContent(seed: 7)
    var data = try #require(JSONValue(parsing: Self.text(random.content()).utf8).objectValue)
    (data["time_zone"], data["failure"], data["test"]) = (nil, nil, nil)
    let text = JSONValue.object(data).serialized()
    let content = try ReminderContent(json: text)
    #expect(content.timeZone == nil && content.failure == nil && !content.isTest)
    #expect(Self.text(content) == text)
  }

  @Test(
    "a content without what it needs is refused by name",
    arguments: ["version", "reminder_id", "fire_date", "alert", "actions", "item"])
  func missing(name: String) throws {
    var data = try #require(JSONValue(parsing: Self.text(only(Sample.message().contents)).utf8).objectValue)
    data[name] = nil
    let fault = #expect(throws: FormFault.self) { try ReminderContent(json: JSONValue.object(data).serialized()) }
    #expect(fault?.message.contains("\"\(name)\"") == true, "\(String(describing: fault))")
    data[name] = .array([1])
    #expect(throws: FormFault.self) { try ReminderContent(json: JSONValue.object(data).serialized()) }
  }

  @Test(
    "a place in an escalation that cannot be is refused",
    arguments: [
      ("step", 21), ("of", 0), ("ring", 101), ("asked", "anna"), ("since", "soon"), ("name", nil),
    ] as [(String, JSONValue?)])
  func escalation(name: String, value: JSONValue?) throws {
    let plain = try only(Sample.message().contents)
    let content = ReminderContent(
      reminderID: plain.reminderID, fireDate: plain.fireDate, alert: plain.alert, subject: plain.subject,
      category: nil, actions: plain.actions, timeZone: "UTC", escalation: Sample.escalation())
    var data = try #require(JSONValue(parsing: Self.text(content).utf8).objectValue)
    #expect(try ReminderContent(json: JSONValue.object(data).serialized()).escalation == content.escalation)
    var note = try #require(data["escalation"]?.objectValue)
    note[name] = value
    data["escalation"] = .object(note)
    #expect(throws: FormFault.self) { try ReminderContent(json: JSONValue.object(data).serialized()) }
  }

  @Test("a content about an item and a list at once is refused")
  func both() throws {
    var data = try #require(JSONValue(parsing: Self.text(only(Sample.message().contents)).utf8).objectValue)
    data["list"] = ["id": 1, "name": "Groceries", "unchecked": []]
    #expect(throws: FormFault.self) { try ReminderContent(json: JSONValue.object(data).serialized()) }
  }

  @Test("no damage stops the program: it is refused, or what is left is a content", arguments: UInt64(200)..<208)
  func damage(seed: UInt64) throws {
    var random = RandomContent(seed: seed)
    let whole = Array([try random.content(), try random.content()].json.utf8)
    var refused = 0
    for round in 0..<500 {
      var bytes = whole
      for _ in 0...(round % 3) {
        let place = Int(random.number(UInt64(bytes.count)))
        switch random.number(4) {
        case 0: bytes.removeSubrange(place..<min(bytes.count, place + Int(random.number(40)) + 1))
        case 1: bytes.insert(contentsOf: whole[place % whole.count..<min(whole.count, place + 9)], at: place)
        case 2: bytes[place] = UInt8(truncatingIfNeeded: random.number(256))
        default: bytes[place] = [0x22, 0x5B, 0x7D, 0x5C, 0x30, 0x2D][Int(random.number(6))]
        }
        if bytes.isEmpty { bytes = [0x20] }
      }
      if let contents = try? [ReminderContent](json: String(decoding: bytes, as: UTF8.self)) {
        #expect(try [ReminderContent](json: contents.json) == contents)
      } else {
        refused += 1
      }
    }
    #expect(refused > 250)
  }

  private static func text(_ content: ReminderContent) -> String { String(decoding: content.json, as: UTF8.self) }
}

/// Random contents, with every field set and unset.
private struct RandomContent {
  private var generator: SeededGenerator
  private static let texts = [
    "Buy milk", "", "caf\u{e9} cafe\u{301}", "\"quoted\" \\ / \u{8}\u{c}", "line 1\r\nline 2\u{2028}",
    "\u{0}\u{1f}\u{7f}",
    "\u{1F6D2}\u{200d}\u{1D11E}", "null", "{\"fire_date\":\"", "]]> <b>&amp;</b>", "2026-11-21T09:00:00+01:00",
  ]
  private static let zones = [
    "UTC", "Etc/UTC", "Europe/London", "Europe/Zurich", "Asia/Kathmandu", "America/St_Johns", "Pacific/Kiritimati",
    "Africa/Monrovia", "Pacific/Niue", "Australia/Lord_Howe",
  ]
  private static let rules = ["FREQ=DAILY", "FREQ=MONTHLY;COUNT=12;BYDAY=-1SU", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR"]

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func number(_ bound: UInt64) -> UInt64 { generator.next() % bound }

  private mutating func chance() -> Bool { number(2) == 0 }

  private mutating func pick<Value>(_ values: [Value]) -> Value { values[Int(number(UInt64(values.count)))] }

  private mutating func text() -> String { pick(Self.texts) + (chance() ? "" : pick(Self.texts)) }

  // From 1970 to 9999, with the ends as likely as all between.
  private mutating func seconds() -> Double {
    let last: UInt64 = 253_402_300_799
    return Double(pick([number(86_400), number(60_000_000), number(last), last - number(86_400)]))
  }

  private mutating func duration() -> CalendarDuration {
    CalendarDuration(days: Int(number(3)), minutes: Int(number(2_000)) + 1)
  }

  mutating func content() throws -> ReminderContent {
    let zone = try TimeTesting.database.zone(pick(Self.zones))
    let now = Date(timeIntervalSince1970: seconds() + 0.25)
    let subject: ReminderContent.Subject =
      if chance() {
        .item(try snapshot(zone, now))
      } else {
        .list(
          ListSnapshot(
            id: Int64(number(1 << 62)), name: text(),
            unchecked: try (0..<number(4)).map { _ in try snapshot(zone, now) }))
      }
    let actions = (0..<number(4)).map { _ in
      OfferedAction(
        identifier: text(), title: text(), isDestructive: chance(), requiresAuthentication: chance(),
        activation: pick(OfferedAction.Activation.allCases), isMinimal: chance())
    }
    let content = ReminderContent(
      reminderID: Sample.uuid(text()), fireDate: OffsetInstant(Date(timeIntervalSince1970: seconds()), in: zone),
      alert: ReminderAlert(title: text(), body: text(), action: text(), sound: text(), badge: Int(number(1 << 62))),
      subject: subject, category: chance() ? text() : nil, actions: actions, timeZone: zone.identifier,
      escalation: chance() ? escalation(zone) : nil)
    switch number(4) {
    case 0: return ReminderContent(test: content)
    case 1:
      return ReminderContent(
        content,
        failure: DeliveryFailure(
          sink: text(), recipient: chance() ? text() : nil, reason: text(), isFinal: chance()))
    default: return content
    }
  }

  private mutating func escalation(_ zone: Zone) -> EscalationNote {
    EscalationNote(
      name: text(), step: Int(number(20)) + 1, of: Int(number(20)) + 1, ring: Int(number(100)) + 1,
      since: OffsetInstant(Date(timeIntervalSince1970: seconds()), in: zone),
      asked: (0..<number(3)).map { _ in text() }, people: (0..<number(3)).map { _ in text() }, tellsAnswer: chance())
  }

  private mutating func snapshot(_ zone: Zone, _ now: Date) throws -> ItemSnapshot {
    var item = Sample.item(id: Int64(number(1 << 62)), position: Int64(number(9)), text: text(), shouldRemind: chance())
    if chance() { item.notes = text() }
    if chance() {
      let instant = try FireDate(Date(timeIntervalSince1970: seconds()))
      item.due = DueDate(local: zone.wallTime(at: instant.date), instant: instant)
    }
    if chance() { item.zone = .fixed(pick(Self.zones)) }
    item.alerts = (0..<number(3)).map { _ in chance() ? .zero : duration() }
    if chance() {
      item.recurrence = Recurrence(
        rule: try RecurrenceRule(pick(Self.rules)), start: zone.wallTime(at: now), origin: chance() ? .due : .done)
    }
    if chance() { item.lastChecked = CheckedOccurrence(due: zone.wallTime(at: now), start: zone.wallTime(at: now)) }
    if chance() { item.nag = duration() }
    if chance() { item.category = text() }
    if chance() { item.key = text() }
    if chance() { item.properties = [text(), text()] }
    (item.isChecked, item.createdAt, item.updatedAt) = (chance(), Date(timeIntervalSince1970: seconds()), now)
    if chance() { item.checkedAt = now }
    item.unknown = chance() ? UnknownFields(text: "\"x\":1") : nil
    let next = chance() ? try FireDate(now) : nil
    return ItemSnapshot(item, list: text(), nextFireDate: next, zone: zone, now: now)
  }
}
