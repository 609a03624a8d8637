import BelfryEngine
import BelfryModel
import BelfryTestKit
import OrderedJSON
import Testing

@testable import WebhookSink

@Suite("The urgency and the sound of an alert, as each service has them")
struct UrgencyTests {
  private func json(
    _ format: WebhookFormat, _ urgency: Urgency, sound: String = "default"
  ) async throws -> JSONValue {
    let message = try Sample.message(alert: AlertStyle(sound: sound, urgency: urgency))
    let url = format == .ntfy ? "https://ntfy.example.org/bells" : "https://example.org/1/messages.json?token=t"
    return try Hooking.json(
      try await Hooking.request(Sample.attempt(message).linked, url: url) { $0.format = format })
  }

  @Test(
    "the priorities of ntfy, Gotify and Pushover",
    arguments: [
      (WebhookFormat.ntfy, [2, 3, 4, 5], 2), (.gotify, [1, 5, 7, 10], 1), (.pushover, [-1, 0, 1, 2], -1),
    ] as [(WebhookFormat, [Int64], Int64)])
  func priorities(format: WebhookFormat, priorities: [Int64], silent: Int64) async throws {
    for (urgency, priority) in zip(Urgency.allCases, priorities) {
      #expect(try await json(format, urgency)["priority"]?.integerValue == priority, "\(urgency)")
      #expect(try await json(format, urgency, sound: "none")["priority"]?.integerValue == silent, "\(urgency)")
    }
  }

  @Test("pushover repeats what is critical each minute, for three hours")
  func emergency() async throws {
    let critical = try await json(.pushover, .critical)
    #expect(critical["retry"] == 60 && critical["expire"] == 10_800)
    let high = try await json(.pushover, .high)
    #expect(high["retry"] == nil && high["expire"] == nil)
  }

  @Test("ntfy gets the name of a sound as a tag")
  func tags() async throws {
    #expect(try await json(.ntfy, .normal)["tags"] == ["alarm_clock"])
    #expect(try await json(.ntfy, .normal, sound: "none")["tags"] == ["alarm_clock"])
    #expect(try await json(.ntfy, .normal, sound: "bell")["tags"] == ["alarm_clock", "bell"])
  }

  @Test("home assistant: the interruption levels of iOS, and what wakes an Android phone")
  func homeAssistant() async throws {
    let data = try await [Urgency.low, .normal, .high, .critical].asyncMap {
      try await json(.homeAssistant, $0)["data"]
    }
    #expect(
      data.map { $0?["push"]?["interruption-level"]?.stringValue } == ["passive", nil, "time-sensitive", "critical"])
    #expect(data.map { $0?["priority"]?.stringValue } == [nil, nil, "high", "high"])
    #expect(data.map { $0?["ttl"]?.integerValue } == [nil, nil, 0, 0])
    #expect(data.map { $0?["channel"]?.stringValue } == [nil, nil, nil, "alarm_stream"])
  }

  @Test("matrix: a notice without a sound, and a mention of the room for what is critical")
  func matrix() async throws {
    let events = try await [Urgency.low, .high, .critical].asyncMap { try await json(.matrix, $0) }
    #expect(events.map { $0["msgtype"] } == ["m.notice", "m.text", "m.text"])
    #expect(events.map { $0["m.mentions"]?["room"] } == [nil, nil, true])
  }

  @Test("discord is told to notify nobody of what makes no sound; apprise what is a warning")
  func others() async throws {
    #expect(try await json(.discord, .low)["flags"] == 4_096)
    #expect(try await json(.discord, .critical)["flags"] == nil)
    #expect(try await json(.apprise, .normal)["type"] == "info")
    #expect(try await json(.apprise, .high)["type"] == "warning")
  }

  @Test("the standard body and templates have the word")
  func standard() async throws {
    #expect(try await json(.standard, .critical)["data"]?["alert"]?["urgency"] == "critical")
  }
}

extension Sequence {
  fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await transform(element)) }
    return values
  }
}
