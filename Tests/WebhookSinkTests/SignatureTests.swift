import BelfryModel
import BelfryTestKit
import ConfigKeys
import Foundation
import OrderedJSON
import Testing

@testable import WebhookSink
import TestSupport

@Suite("Signatures of Standard Webhooks")
struct SignatureTests {
  @Test(
    "they equal those of Python's hmac",
    arguments: [
      (
        "whsec_AAcOFRwjKjE4P0ZNVFtiaXB3foWMk5qh",
        "msg_belfry1", 1795300000, #"{"text":"Buy milk"}"#,
        "v1,gwU3EzjfknDD5OL2NDgGCg9hRbsJVKSVd1BS/ftR58o="
      ),
      (
        "whsec_AQgPFh0kKzI5QEdOVVxjanF4f4aNlJuiqbC3vsXM09o=",
        "a", 1, #""#,
        "v1,IUjtzE4ol0N5Uqocjmm/1egnvdOL+n9Y3JFflpf4Qr0="
      ),
      (
        "whsec_AgkQFx4lLDM6QUhPVl1ka3J5gIeOlZyjqrG4v8bN1Nvi6fD3/gUMExohKC82PURLUllgZ251fIOKkZifpq20uw==",
        "msg_ünï", 1, #"{"text":"Zürich – 😀"}"#,
        "v1,tyO168MUb1OZ6qEf8l/PwTWotRvxweg/VyNXgG+daZo="
      ),
      (
        "whsec_AwoRGB8mLTQ7QklQV15lbHN6gYiPlp2kq7K5wMfO1dw=",
        "msg.with.dots", 2147483648, #"a.b.c"#,
        "v1,OqP6Kg5pIjGmzP4b8UEQV1NZoMPWTdfAkgumvuMqc8Q="
      ),
    ])
  func ofPython(secret: String, id: String, timestamp: Int, payload: String, expected: String) throws {
    let key = try SigningKey(Secret(secret))
    #expect(key.signature(id: id, timestamp: timestamp, body: Array(payload.utf8)) == expected)
  }

  @Test("they equal the published ones")
  func published() throws {
    let vectors = try Corpus.values("webhooks/signatures.jsonl").filter { $0["op"] == "sign" && $0["expected"] != nil }
    #expect(vectors.count == (Corpus.isThere ? 5 : 0))
    for vector in vectors {
      let payload: String
      if let repeated = vector["payload_repeat"]?.arrayValue {
        payload = String(
          repeating: try #require(repeated[0].stringValue), count: Int(try #require(repeated[1].integerValue)))
      } else {
        payload = try #require(vector["payload"]?.stringValue)
      }
      let key = try SigningKey(Secret(try #require(vector["secret"]?.stringValue)))
      let signature = key.signature(
        id: try #require(vector["id"]?.stringValue), timestamp: Int(try #require(vector["timestamp"]?.integerValue)),
        body: Array(payload.utf8))
      #expect(signature == vector["expected"]?.stringValue)
    }
  }

  @Test(
    "what is no such secret is refused, and not quoted",
    arguments: ["whsec_", "whsec_not base64", "MfKQ", "whsec_" + Data(repeating: 1, count: 65).base64EncodedString()])
  func refused(text: String) {
    #expect {
      try SigningKey(Secret(text))
    } throws: { error in
      guard let problem = error as? ConfigProblem else { return false }
      return ["it must be whsec_ followed by base64", "Standard Webhooks asks for 24 to 64"].contains {
        problem.message.hasSuffix($0)
      }
    }
  }

  @Test("a key shows nothing of itself")
  func hidden() throws {
    let keys = try [1, 2].map { byte in
      try SigningKey(Secret(Data(repeating: byte, count: 24).base64EncodedString()))
    }
    let shown = keys.map { key in
      var text = ""
      dump(key, to: &text)
      return text
    }
    #expect(shown[0] == shown[1])
  }

  @Test("while a secret is replaced, the message is signed with each, in order")
  func rotation() async throws {
    let other = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
    let attempt = Sample.attempt(try Sample.message())
    let request = try await Hooking.request(attempt) {
      $0.signing = [SecretSource(Secret(Hooking.secret)), SecretSource(Secret(other))]
    }
    let fields = Dictionary(uniqueKeysWithValues: request.fields.map { ($0.name, $0.value) })
    #expect(fields["webhook-id"] == attempt.message.id.text)
    #expect(fields["webhook-timestamp"] == "1795248000")
    let expected = try [Hooking.secret, other].map {
      try SigningKey(Secret($0)).signature(id: attempt.message.id.text, timestamp: 1_795_248_000, body: request.body)
    }
    #expect(fields["webhook-signature"] == expected.joined(separator: " "))
  }

  @Test("every attempt has the same identity, and the instant at which it is made")
  func identity() async throws {
    let message = try Sample.message()
    let requests = [
      try await Hooking.request(Sample.attempt(message)),
      try await Hooking.request(Sample.attempt(message, lateSeconds: 3_600)),
    ]
    let ids = requests.map { request in request.fields.first { $0.name == "webhook-id" }?.value }
    #expect(ids == [message.id.text, message.id.text])
    let times = requests.map { request in request.fields.first { $0.name == "webhook-timestamp" }?.value }
    #expect(times == ["1795248000", "1795251600"])
    #expect(try Hooking.json(requests[1])["data"]?["late_seconds"] == 3_600)
  }
}
