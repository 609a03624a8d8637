import BelfryEngine
import BelfryModel
import BelfryTestKit
import ConfigKeys
import Foundation
import MessageText
import MustacheTemplates
import OrderedJSON
import Synchronization
import Testing
import Transport

@testable import WebhookSink
import TestSupport

@Suite("Deliveries to a webhook")
struct DeliveryTests {
  @Test("no text of an item adds a header field or changes the request's target")
  func injection() async throws {
    let values = try Corpus.injections()
    #expect(values.count >= 20)
    func request(_ message: Message, _ format: WebhookFormat) async throws -> HTTPRequest {
      try await Hooking.request(Sample.attempt(message), url: "https://example.org/topic") {
        $0.format = format
        if format == .template {
          $0.template = try Template(#"{"a":"{{list}} {{text}}"}"#, escaping: .json, language: MustacheLanguage())
        }
      }
    }
    for format in WebhookFormat.allCases {
      let innocent = try await request(Sample.message(), format)
      #expect(innocent.url.hasPrefix("https://example.org/"))
      for value in values {
        let request = try await request(Sample.message(text: value, listName: value), format)
        #expect(
          request.fields.map(\.name) == ["Content-Type", "User-Agent", "webhook-id", "webhook-timestamp"])
        #expect(request.fields.allSatisfy { $0.value.utf8.allSatisfy { (0x20...0x7e).contains($0) } })
        #expect(request.url == innocent.url && request.method == innocent.method)
        #expect(throws: Never.self) { try Hooking.json(request) }
      }
    }
  }

  @Test("one signs in with a password, a token or a field of one's own")
  func authentication() async throws {
    let ways: [(WebhookEndpoint.Authentication, String)] = [
      (
        .basic(username: "Aladdin", password: SecretSource(Secret("open sesame"))), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="
      ),
      (.bearer(SecretSource(Secret("t0ken"))), "Bearer t0ken"),
      (.field(SecretSource(Secret("ApiKey abc"))), "ApiKey abc"),
    ]
    for (way, value) in ways {
      let request = try await Hooking.request(Sample.attempt(try Sample.message())) { $0.authentication = way }
      #expect(request.fields.filter { $0.name == "Authorization" } == [HTTPField("Authorization", value)])
    }
  }

  @Test("own fields go along")
  func fields() async throws {
    let request = try await Hooking.request(Sample.attempt(try Sample.message())) {
      $0.fields = [HTTPField("X-Team", "home")]
    }
    #expect(request.fields.last == HTTPField("X-Team", "home"))
  }

  @Test("no secret is in an outcome or in the trace, whatever the other side says")
  func secrets() async throws {
    let url = "https://hooks.example.org/T0KEN-PATH/b?key=QUERYTOKEN"
    let marks = ["T0KEN-PATH", "QUERYTOKEN", "open sesame", "b3BlbiBzZXNhbWU", Hooking.secret.dropFirst(6).description]
    let said =
      "no \(url) at /T0KEN-PATH/b key=QUERYTOKEN open sesame open%20sesame Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ== \(Hooking.secret)"
    let lines = Mutex<[TransferLine]>([])
    let answers: [RecordingHTTPTransport.Answer] = [
      { request in
        request.options.trace?(.sent(said))
        request.options.trace?(.received(said))
        request.options.trace?(.note(said))
        return .failure(TransferFailure(.unreachable, said))
      },
      { _ in .success(HTTPResponse(status: 500, body: Array(said.utf8))) },
      { _ in .success(HTTPResponse(status: 404, body: Array(said.utf8))) },
    ]
    for answer in answers {
      let sink = try Hooking.sink(
        RecordingHTTPTransport(answer: answer), url: url, trace: { line in lines.withLock { $0.append(line) } }
      ) {
        $0.signing = [SecretSource(Secret(Hooking.secret))]
        $0.authentication = .basic(username: "Aladdin", password: SecretSource(Secret("open sesame")))
      }
      let outcome = await sink.deliver(Sample.attempt(try Sample.message()))
      let text = "\(outcome)"
      #expect(!outcome.isDelivered && text.contains("<redacted>"))
      for mark in marks { #expect(!text.contains(mark), "\(mark) in \(text)") }
      for mark in marks { #expect(!"\(sink)".contains(mark)) }
    }
    let heard = lines.withLock { $0 }
    #expect(heard.count == 3)
    for mark in marks { #expect(!"\(heard)".contains(mark), "\(mark) in \(heard)") }
  }

  @Test("failures are retried; TLS failures need the user; what broke while it was sent may have arrived")
  func failures() async throws {
    let later = DeliveryOutcome.later(reason: "broken here")
    let unknown = DeliveryOutcome.unknown(reason: "broken here")
    let wrong = DeliveryOutcome.later(reason: "broken here", needsAttention: true)
    let outcomes: [(TransferFailure.Kind, DeliveryOutcome)] = [
      (.unreachable, later), (.untrusted, wrong), (.timedOut, unknown), (.interrupted, unknown),
      (.protocolViolation, unknown), (.unsendable, wrong), (.cancelled, unknown),
    ]
    for (kind, expected) in outcomes {
      let transport = RecordingHTTPTransport { _ in .failure(TransferFailure(kind, "broken\nhere")) }
      let outcome = try await Hooking.sink(transport).deliver(Sample.attempt(try Sample.message()))
      #expect(outcome == expected, "\(kind)")
    }
  }

  @Test("a secret in a file is read at each attempt; where it cannot be, the delivery waits and says which file")
  func files() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("chat-url")
    let transport = RecordingHTTPTransport()
    var section = section(["url_file": path])
    let plugin = try #require(WebhookSinkPlugin(&section))
    let sink = plugin.makeSink(Transports(http: transport, mail: Transports.none.mail))
    let attempt = Sample.attempt(try Sample.message())
    let outcome = await sink.deliver(attempt)
    guard case .later(let reason, nil, true) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(reason.contains("'url_file'") && reason.contains("chat-url") && reason.contains("No such file"))
    for name in ["one", "two"] {
      try "https://example.org/\(name)\n".write(toFile: path, atomically: true, encoding: .utf8)
      #expect(await sink.deliver(attempt).isDelivered)
    }
    #expect(transport.requests.map(\.url) == ["https://example.org/one", "https://example.org/two"])
    try "ftp://example.org/hidden-token".write(toFile: path, atomically: true, encoding: .utf8)
    guard case .later(let other, nil, true) = await sink.deliver(attempt) else {
      Issue.record("not later")
      return
    }
    #expect(other.contains("http:// or https://") && !other.contains("hidden-token"))
  }

  @Test("a probe connects and sends nothing")
  func probe() async throws {
    #expect(try await Hooking.sink(RecordingHTTPTransport()).probe() == .delivered)
    let failing = RecordingHTTPTransport { _ in .failure(TransferFailure(.untrusted, "bad")) }
    #expect(try await Hooking.sink(failing).probe() == .later(reason: "bad", needsAttention: true))
    #expect(failing.requests.isEmpty)
  }

  private func section(_ texts: KeyValuePairs<String, String>) -> ConfigSection {
    let entries = texts.map { key, text in
      ConfigEntry(key, at: .start, value: ConfigNode(.scalar(ConfigScalar(text)), at: .start))
    }
    let context = ConfigContext(
      directory: "/", environment: ConfigEnvironment(variables: [:], workingDirectory: "/"), zones: Hooking.zones)
    return ConfigSection(entries, at: .start, context: context)
  }
}
