import BelfryEngine
import BelfryModel
import Foundation

/// The misbehaviour of a receiver.
public enum SinkFault: String, CaseIterable, Hashable, Sendable {
  case refusing
  /// Asks to try again later.
  case busy
  /// Drops the connection during the message.
  case dropping
  /// Drops the connection after the whole message, without an answer: it may or may not have accepted it.
  case droppingAtTheEnd
  /// Accepts the connection and never answers.
  case hanging
  /// Answers one byte each second.
  case slow
  case babbling
  case untrusted
}

/// The receiver of a sink that sends over a network.
public protocol NetworkSinkFixture: SinkFixture {
  /// The secrets of the sink: passwords, tokens, URLs.
  var secrets: [String] { get }

  /// A sink, configured with all its secrets, whose receiver misbehaves and repeats the secrets in any answer.
  ///
  /// - Parameter timeout: the time limit of an attempt, in seconds.
  func makeSink(facing fault: SinkFault, timeout: Double) throws -> any ReminderSink

  /// The lines that the sinks of this fixture have passed to the trace.
  func dialogue() -> [String]
}

/// The further requirements on sinks that send over a network, as test cases.
public enum NetworkSinkConformance {
  /// A requirement on such sinks.
  public typealias Case = ConformanceCase<any NetworkSinkFixture>

  /// The time limit of an attempt, in seconds: short, except where the receiver has to end it.
  private static func timeout(facing fault: SinkFault) -> Double {
    fault == .refusing || fault == .untrusted ? TimeLimit.patience / .seconds(1) : 2
  }

  /// Requirements on every sink that connects, except ``injection(of:)``.
  public static let cases: [Case] =
    SinkFault.allCases.map(outcome) + [
      Case("a cancelled attempt ends at once, to be tried again") { fixture in
        let sink = try fixture.makeSink(facing: .hanging, timeout: TimeLimit.patience / .seconds(1))
        let attempt = Sample.attempt(try Sample.message(), to: try Check.present(sink.recipients.first))
        for pause: Int32 in [0, 300] {
          let delivery = Task { await sink.deliver(attempt) }
          poll(nil, 0, pause)
          let start = ContinuousClock.now
          delivery.cancel()
          let outcome = await delivery.value
          try Check.that(isRetried(outcome), "the outcome is \(outcome)")
          let taken = ContinuousClock.now - start
          try Check.that(taken < TimeLimit.ending, "it ended after \(taken)")
        }
      },
      Case("a probe finds what is there, and sends nothing") { fixture in
        let probed = try await fixture.makeSink().probe()
        try Check.that(probed.isDelivered, "the outcome is \(probed)")
        try Check.equal(try fixture.received().count, 0, "how much was received")
        try fixture.disconnect()
        let outcome = try await fixture.makeSink().probe()
        try Check.that(isRetried(outcome), "the outcome is \(outcome)")
      },
      Case("what is delivered tells no secret to who listens to the dialogue") { fixture in
        let sink = try fixture.makeSink()
        for recipient in sink.recipients {
          let outcome = await sink.deliver(Sample.attempt(try Sample.message(), to: recipient))
          try Check.that(outcome.isDelivered, "the outcome is \(outcome)")
        }
        let dialogue = fixture.dialogue()
        try Check.that(!dialogue.isEmpty, "nothing was told")
        for line in dialogue { try checkSilence(fixture, line) }
      },
    ]

  /// The requirement that no text of an item, list or category adds a header field, recipient or command to a message.
  ///
  /// - Parameter values: texts that try to.
  public static func injection(of values: [String]) -> Case {
    Case("no text adds a header field or a recipient") { fixture in
      let sink = try fixture.makeSink()
      let recipient = try Check.present(sink.recipients.first)
      for message in [try Sample.message()] + (try values.flatMap(hostileMessages)) {
        let outcome = await sink.deliver(Sample.attempt(message, to: recipient))
        try Check.that(outcome.isDelivered, "the outcome for \(message.contents.map(\.text)) is \(outcome)")
      }
      let envelopes = try fixture.received().map(\.envelope)
      try Check.equal(envelopes.count, 1 + values.count * 4, "how much was received")
      let innocent = try Check.present(envelopes.first)
      try Check.that(!innocent.isEmpty, "nothing is known of what is round a message")
      for (index, envelope) in envelopes.enumerated() {
        try Check.equal(envelope, innocent, "what is round message \(index)")
      }
    }
  }

  private static func outcome(of fault: SinkFault) -> Case {
    Case("an other side that is \(fault.rawValue): the right outcome, in time, without a secret") { fixture in
      let timeout = timeout(facing: fault)
      let sink = try fixture.makeSink(facing: fault, timeout: timeout)
      let start = ContinuousClock.now
      let attempt = Sample.attempt(try Sample.message(), to: try Check.present(sink.recipients.first))
      let outcome = await sink.deliver(attempt)
      let taken = ContinuousClock.now - start
      switch (fault, outcome) {
      case (.refusing, .never(let reason, false)), (.untrusted, .later(let reason, _, true)),
        (.busy, .later(let reason, _, false)), (.droppingAtTheEnd, .unknown(let reason, _)):
        try checkReason(fixture, reason)
      case (.refusing, _), (.untrusted, _), (.busy, _), (.droppingAtTheEnd, _), (_, .delivered), (_, .never),
        (_, .later(_, _, true)):
        throw ConformanceFailure(message: "the outcome is \(outcome)", file: #fileID, line: #line)
      case (_, .later(let reason, _, false)), (_, .unknown(let reason, _)): try checkReason(fixture, reason)
      }
      if fault == .hanging || fault == .slow {
        try Check.that(taken > .seconds(timeout * 0.9), "it gave up after \(taken)")
      }
      try Check.that(taken < TimeLimit.ending, "it took \(taken)")
      for line in fixture.dialogue() { try checkSilence(fixture, line) }
    }
  }

  private static func isRetried(_ outcome: DeliveryOutcome) -> Bool {
    switch outcome {
    case .later, .unknown: true
    case .delivered, .never: false
    }
  }

  private static func checkReason(_ fixture: any NetworkSinkFixture, _ reason: String) throws {
    try Check.that(!reason.isEmpty, "there is no reason")
    try Check.that(!reason.utf8.contains { $0 < 0x20 || $0 == 0x7f }, "the reason has controls: \(reason)")
    try Check.that(reason.utf8.count <= 1_000, "the reason has \(reason.utf8.count) bytes")
    try checkSilence(fixture, reason)
  }

  private static func checkSilence(_ fixture: any NetworkSinkFixture, _ text: String) throws {
    for secret in fixture.secrets {
      for spelling in Spelling.all(of: secret) {
        try Check.that(!text.contains(spelling), "'\(spelling)' is in '\(text)'")
      }
    }
  }

  private static func hostileMessages(_ value: String) throws -> [Message] {
    try (0..<4).map { place in
      let reminder = try Sample.reminder(of: .item(1))
      var item = Sample.item(text: place == 0 ? value : "Buy milk", due: try Sample.due())
      if place == 1 { item.notes = value }
      if place == 2 { item.category = value }
      let listing = ItemListing(item: item, listName: place == 3 ? value : "Groceries", nextFireDate: nil)
      return Message(
        id: Sample.uuid("\(place) \(value)"), sink: "sink",
        contents: [Sample.content(reminder, about: .item(listing))], createdAt: Sample.now)
    }
  }
}

/// The readable encodings of a secret.
public enum Spelling {
  /// The secret as it is, in base64 at each offset within a longer text, and percent-encoded as in a URL.
  public static func all(of secret: String) -> [String] {
    let bytes = Array(secret.utf8)
    let encoded = (0..<3).compactMap { before -> String? in
      // Three bytes become four characters; characters that depend on neighbouring bytes are left out.
      let text = Data([UInt8](repeating: 0, count: before) + bytes).base64EncodedString()
      let inside = text.dropFirst(before == 0 ? 0 : before + 1).prefix(while: { $0 != "=" }).dropLast(1)
      return inside.count < 8 ? nil : String(inside)
    }
    let escaped = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
    return [secret] + encoded + (escaped.map { [$0] } ?? [])
  }
}
