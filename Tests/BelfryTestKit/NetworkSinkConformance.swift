import BelfryEngine
import BelfryModel
import Foundation

/// What the other side of a sink does wrong.
public enum SinkFault: String, CaseIterable, Hashable, Sendable {
  /// Says no for good.
  case refusing
  /// Says not now.
  case busy
  /// Breaks the connection while the message is on its way.
  case dropping
  /// Breaks the connection when it has the whole message, without a word: nobody knows whether it took it.
  case droppingAtTheEnd
  /// Takes the connection and never says a word.
  case hanging
  /// Answers a byte each second.
  case slow
  /// Speaks another protocol.
  case babbling
  /// Shows a certificate that nobody has a reason to trust.
  case untrusted
}

/// The other side of a sink that sends over a network.
public protocol NetworkSinkFixture: SinkFixture {
  /// What the sink knows and nobody may read: passwords, tokens, URLs.
  var secrets: [String] { get }

  /// A sink with all its secrets whose other side does something wrong, and tells its secrets back where it says anything.
  ///
  /// - Parameter timeout: how long an attempt may take, in seconds.
  func makeSink(facing fault: SinkFault, timeout: Double) throws -> any ReminderSink

  /// What the sinks of this fixture have told whoever listened to the dialogue, line by line.
  func dialogue() -> [String]
}

/// What every sink must do that sends over a network, beside what every sink must do.
public enum NetworkSinkConformance {
  /// One thing that every such sink must do.
  public typealias Case = ConformanceCase<any NetworkSinkFixture>

  /// How long an attempt may take, in seconds: little, except where the other side has to end it.
  private static func timeout(facing fault: SinkFault) -> Double {
    fault == .refusing || fault == .untrusted ? TimeLimit.patience / .seconds(1) : 2
  }

  /// All that every such sink must do, except ``injection(of:)``.
  public static let cases: [Case] =
    SinkFault.allCases.map(outcome) + [
      Case("a cancelled attempt ends at once, as later") { fixture in
        let sink = try fixture.makeSink(facing: .hanging, timeout: TimeLimit.patience / .seconds(1))
        let attempt = Sample.attempt(try Sample.message(), to: try Check.present(sink.recipients.first))
        for pause: Int32 in [0, 300] {
          let delivery = Task { await sink.deliver(attempt) }
          poll(nil, 0, pause)
          let start = ContinuousClock.now
          delivery.cancel()
          let outcome = await delivery.value
          try Check.that(isLater(outcome), "the outcome is \(outcome)")
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
        try Check.that(isLater(outcome), "the outcome is \(outcome)")
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

  /// No text of an item, a list or a category adds anything round a message: a header field, a recipient, a command.
  ///
  /// - Parameter values: what tries to.
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
      case (.refusing, .never(let reason, false)): try checkReason(fixture, reason)
      case (.untrusted, .later(let reason, _, true)): try checkReason(fixture, reason)
      case (.refusing, _), (.untrusted, _), (_, .delivered), (_, .never), (_, .later(_, _, true)):
        throw ConformanceFailure(message: "the outcome is \(outcome)", file: #fileID, line: #line)
      case (_, .later(let reason, _, false)): try checkReason(fixture, reason)
      }
      if fault == .hanging || fault == .slow {
        try Check.that(taken > .seconds(timeout * 0.9), "it gave up after \(taken)")
      }
      try Check.that(taken < TimeLimit.ending, "it took \(taken)")
      for line in fixture.dialogue() { try checkSilence(fixture, line) }
    }
  }

  private static func isLater(_ outcome: DeliveryOutcome) -> Bool {
    if case .later = outcome { true } else { false }
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

/// The ways in which a secret can be written so that anybody can read it.
public enum Spelling {
  /// As it is, in base64 wherever in a text it may begin, and as in a URL.
  public static func all(of secret: String) -> [String] {
    let bytes = Array(secret.utf8)
    let encoded = (0..<3).compactMap { before -> String? in
      // Three bytes become four characters: what depends on a neighbour is left out.
      let text = Data([UInt8](repeating: 0, count: before) + bytes).base64EncodedString()
      let inside = text.dropFirst(before == 0 ? 0 : before + 1).prefix(while: { $0 != "=" }).dropLast(1)
      return inside.count < 8 ? nil : String(inside)
    }
    let escaped = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
    return [secret] + encoded + (escaped.map { [$0] } ?? [])
  }
}
