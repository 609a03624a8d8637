import BelfryEngine
import BelfryModel
import Foundation
import Transport

/// The receiver of one sink, which records the messages that it gets.
public protocol SinkFixture: Sendable {
  /// A sink that sends to this receiver.
  func makeSink() throws -> any ReminderSink

  /// Every message received so far, in order of arrival.
  func received() throws -> [ReceivedMessage]

  /// Makes the receiver unreachable for the rest of the case.
  func disconnect() throws

  /// The longest text that the sink's format can carry, in bytes; longer ones are cut.
  var longestText: Int { get }

  /// True if messages show the link of each reminder; a sink that shows none must show no token either.
  var showsLinks: Bool { get }
}

extension SinkFixture {
  /// A sink takes texts of any length unless its fixture says otherwise.
  public var longestText: Int { .max }

  /// A sink shows no links unless its fixture says otherwise.
  public var showsLinks: Bool { false }
}

/// A message as its receiver got it.
public struct ReceivedMessage: Hashable, Sendable {
  /// The idempotency key, by which the receiver recognises a repeat; `nil` if the format has none.
  public let identity: String?
  /// The decoded text of the message.
  public let text: String
  /// The parts around the text that are the same for all messages, such as header field names and addresses; empty for
  /// none.
  public let envelope: [String]
  /// The texts anywhere in the message that look like links to answer a reminder.
  public let links: [String]

  /// A message with all its fields.
  ///
  /// - Parameter whole: all of the message, in which links are looked for.
  public init(identity: String?, text: String, envelope: [String] = [], whole: String = "") {
    self.identity = identity
    self.text = text
    self.envelope = envelope
    links = whole.matches(of: #/https:\/\/belfry\.example\.org[A-Za-z0-9_\/-]*/#).map { String($0.output) }
  }
}

/// The requirements on every sink, as test cases.
///
/// Run each case on a fixture of its own: `for each in SinkConformance.cases { try await each.run(MyFixture()) }`.
public enum SinkConformance {
  /// A requirement that every sink has to meet.
  public typealias Case = ConformanceCase<any SinkFixture>

  /// The requirements on every sink.
  public static let cases: [Case] = [
    Case("a sink has recipients, each once, and lets at least one attempt be under way") { fixture in
      let sink = try fixture.makeSink()
      try Check.that(!sink.recipients.isEmpty, "there is no recipient")
      try Check.equal(Set(sink.recipients).count, sink.recipients.count, "the number of different recipients")
      try Check.that(sink.concurrency >= 1, "the concurrency is \(sink.concurrency)")
    },
    Case("what the other side takes is delivered, once for each attempt, and says the item and its list") { fixture in
      let sink = try fixture.makeSink()
      for recipient in sink.recipients {
        let outcome = await sink.deliver(Sample.attempt(try Sample.message(), to: recipient))
        try Check.that(outcome.isDelivered, "the outcome is \(outcome)")
      }
      let received = try fixture.received()
      try Check.equal(received.count, sink.recipients.count, "how much was received")
      for message in received {
        try Check.that(message.text.contains("Buy milk"), "the item is missing in '\(message.text)'")
        try Check.that(message.text.contains("Groceries"), "the list is missing in '\(message.text)'")
      }
    },
    Case("a message with links says each reminder's, whole, or no token at all, and one without says none") { fixture in
      let sink = try fixture.makeSink()
      let recipient = try sink.anyRecipient
      let texts = ["Buy milk", String(repeating: "long ", count: min(100_000, fixture.longestText) / 2)]
      for text in texts {
        let attempt = Sample.attempt(try Sample.message(text: text), to: recipient)
        for attempt in [attempt, attempt.linked] {
          let outcome = await sink.deliver(attempt)
          try Check.that(outcome.isDelivered, "the outcome is \(outcome)")
        }
      }
      let links = try Check.present(Sample.links(of: Sample.message()).first, "the links")
      let received = try fixture.received()
      try Check.equal(received.count, 2 * texts.count, "how much was received")
      for (index, message) in received.enumerated() {
        let isLinked = fixture.showsLinks && index % 2 == 1
        try Check.that(message.links.contains(links.answerURL) == isLinked, "the links are \(message.links)")
        for link in message.links {
          try Check.that(
            isLinked && ([links.answerURL] + links.actions.map(\.url)).contains(link), "'\(link)' is no link")
        }
      }
    },
    Case("texts in every script arrive byte for byte") { fixture in
      let sink = try fixture.makeSink()
      let texts = [
        "caf\u{e9}", "cafe\u{301}", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467} \u{1D11E}", "שלום – Ω 漢字",
        "quote ' \" ` \\ % {{text}} <b>&amp;</b>", "\u{FFFD}",
        String(repeating: "long ", count: min(10_000, fixture.longestText) / 5) + "end",
      ]
      for (index, text) in texts.enumerated() {
        let message = try Sample.message(text: text, at: index)
        let outcome = await sink.deliver(Sample.attempt(message, to: try sink.anyRecipient))
        try Check.that(outcome.isDelivered, "the outcome for '\(text.prefix(60))' is \(outcome)")
      }
      let received = try fixture.received()
      try Check.equal(received.count, texts.count, "how much was received")
      for (message, text) in zip(received, texts) {
        let isThere = message.text.utf8.firstRange(of: text.utf8) != nil
        try Check.that(isThere, "'\(text.prefix(60))' is not in '\(message.text.prefix(120))'")
      }
    },
    Case("a list's own reminder names what is unchecked") { fixture in
      let sink = try fixture.makeSink()
      let outcome = await sink.deliver(Sample.attempt(try Sample.listMessage(), to: try sink.anyRecipient))
      try Check.that(outcome.isDelivered, "the outcome is \(outcome)")
      let text = try Check.present(fixture.received().first, "the message").text
      for word in ["Look at the tools", "Tools", "Hammer", "Saw"] {
        try Check.that(text.contains(word), "'\(word)' is missing in '\(text)'")
      }
    },
    Case("messages that are sent one after the other arrive in that order") { fixture in
      let sink = try fixture.makeSink()
      for index in 0..<20 {
        let message = try Sample.message(text: "number \(index).", at: index)
        let outcome = await sink.deliver(Sample.attempt(message, to: try sink.anyRecipient))
        try Check.that(outcome.isDelivered, "the outcome is \(outcome)")
      }
      let received = try fixture.received()
      try Check.equal(received.count, 20, "how much was received")
      for (index, message) in received.enumerated() {
        try Check.that(message.text.contains("number \(index)."), "place \(index) has '\(message.text)'")
      }
    },
    Case("as many attempts at once as the sink allows all arrive whole") { fixture in
      let sink = try fixture.makeSink()
      let atOnce = min(sink.concurrency, 16)
      let count = max(4, atOnce)
      let recipient = try sink.anyRecipient
      let text = String(repeating: "0123456789", count: min(10_000, fixture.longestText) / 10)
      var outcomes: [DeliveryOutcome] = []
      for first in stride(from: 0, to: count, by: atOnce) {
        outcomes += try await withThrowingTaskGroup(of: DeliveryOutcome.self) { group in
          for index in first..<min(first + atOnce, count) {
            let message = try Sample.message(text: "<\(index)>\(text)<\(index)>", at: index)
            group.addTask { await sink.deliver(Sample.attempt(message, to: recipient)) }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
      }
      try Check.equal(outcomes.count(where: \.isDelivered), count, "how many were delivered")
      let received = try fixture.received()
      try Check.equal(received.count, count, "how much was received")
      for index in 0..<count {
        let whole = "<\(index)>\(text)<\(index)>"
        try Check.equal(received.count { $0.text.contains(whole) }, 1, "how often number \(index) came whole")
      }
    },
    Case("every attempt of a message has one identity, and every message its own") { fixture in
      let sink = try fixture.makeSink()
      let recipient = try sink.anyRecipient
      let messages = [try Sample.message(at: 0), try Sample.message(at: 1)]
      for (message, late) in [(messages[0], 0), (messages[0], 30), (messages[1], 30), (messages[0], 3_600)] {
        _ = await sink.deliver(Sample.attempt(message, to: recipient, lateSeconds: late))
      }
      let identities = try fixture.received().map(\.identity)
      try Check.equal(identities.count, 4, "how much was received")
      guard identities.contains(where: { $0 != nil }) else { return }
      try Check.equal(identities, [0, 0, 1, 0].map { identities[$0 == 0 ? 0 : 2] }, "the identities")
      try Check.that(identities[0] != identities[2], "two messages have the identity \(identities[0] ?? "none")")
    },
    Case("an attempt asks before it sends whether it may, and sends nothing where it may not any more") { fixture in
      let sink = try fixture.makeSink()
      let (recipient, time) = (try sink.anyRecipient, ManualTimeSource())
      let limits = [StartLimit(before: 1, by: time), StartLimit(before: 0, by: time)]
      for (index, limit) in limits.enumerated() {
        let attempt = Sample.attempt(try Sample.message(at: index), to: recipient)
        let outcome = await StartLimit.$current.withValue(limit) { await sink.deliver(attempt) }
        try Check.equal(outcome.isDelivered, index == 0, "whether it was delivered: \(outcome)")
        try Check.that(limit.end == nil, "the attempt has not asked")
        try Check.equal(limit.hasRefused, index == 1, "whether it was refused")
      }
      try Check.equal(try fixture.received().count, 1, "how much was received")
    },
    Case("a sink that can change what it sent delivers an update as a message of its own") { fixture in
      let sink = try fixture.makeSink()
      guard sink.canWithdraw else { return }
      let fired = try Sample.message()
      let messages = [fired, Sample.update(of: fired, to: .answered), Sample.update(of: fired, to: .open)]
      for message in messages {
        let outcome = await sink.deliver(Sample.attempt(message, to: try sink.anyRecipient))
        try Check.that(outcome.isDelivered, "the outcome is \(outcome)")
      }
      let received = try fixture.received()
      try Check.equal(received.count, messages.count, "how much was received")
      for message in received {
        try Check.that(message.text.contains("Buy milk"), "the item is missing in '\(message.text)'")
      }
      let identities = received.compactMap(\.identity)
      try Check.equal(Set(identities).count, identities.count, "the number of different identities")
    },
    Case("a sink that cannot change what it sent tells of an answer by a message of its own, which rings for nobody") {
      fixture in
      let sink = try fixture.makeSink()
      guard !sink.canWithdraw else { return }
      let fired = try Sample.step()
      for message in [fired, Sample.update(of: fired, to: .answered)] {
        let outcome = await sink.deliver(Sample.attempt(message, to: try sink.anyRecipient))
        try Check.that(outcome.isDelivered, "the outcome is \(outcome)")
      }
      let received = try fixture.received()
      try Check.equal(received.count, 2, "how much was received")
      for message in received {
        try Check.that(message.text.contains("Buy milk"), "the item is missing in '\(message.text)'")
      }
      try Check.equal(Set(received.map(\.text)).count, 2, "the number of different texts")
      let identities = received.compactMap(\.identity)
      try Check.equal(Set(identities).count, identities.count, "the number of different identities")
    },
    Case("nothing is delivered to an other side that is gone: surely not, later, with the reason") { fixture in
      let sink = try fixture.makeSink()
      try fixture.disconnect()
      for _ in 1...2 {
        let outcome = await sink.deliver(Sample.attempt(try Sample.message(), to: try sink.anyRecipient))
        guard case .later(let reason, _, _) = outcome else {
          throw ConformanceFailure(message: "the outcome is \(outcome)", file: #fileID, line: #line)
        }
        try Check.that(!reason.isEmpty, "there is no reason")
        try Check.that(!reason.contains("\n"), "the reason has more than one line: \(reason)")
      }
    },
  ]
}

extension ReminderSink {
  fileprivate var anyRecipient: String? {
    get throws { try Check.present(recipients.first, "a recipient") }
  }
}

extension Sample {
  /// A message about a list with two unchecked items.
  fileprivate static func listMessage() throws -> Message {
    let reminder = try reminder(of: .list(2))
    let list = list(
      id: 2, name: "Tools", reminder: ListReminder(due: try due(), zone: .floating, message: "Look at the tools"))
    let unchecked = ["Hammer", "Saw"].enumerated().map { index, text in
      ItemListing(item: item(id: Int64(index + 1), listID: 2, text: text), listName: "Tools", nextFireDate: nil)
    }
    return Message(
      id: Message.id(sink: "sink", reminders: [reminder.id]), sink: "sink",
      contents: [content(reminder, about: .list(list, unchecked: unchecked))], createdAt: now)
  }
}
