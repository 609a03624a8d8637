import Digests
import Foundation
import OrderedJSON
import TestSupport
import Testing

@testable import WebPush

@Suite("What independent programs say of sealed messages and tokens")
struct PushOracleTests {
  @Test("messages are opened, and tokens accepted")
  func oracle() throws {
    let lengths = [0, 1, 15, 16, 17, 1_000, PushRecipient.longestMessage]
    let messages = lengths.map(randomBytes)
    let sender = try #require(PushKey.make())
    let lines = try messages.map { message in
      let browser = try #require(PushKey.make())
      let secret = randomBytes(16)
      let recipient = try #require(PushRecipient(publicKey: browser.publicKey, secret: secret))
      let token = try #require(
        PushToken(for: "https://push.example.org", from: "mailto:me@example.org", at: 1_795_248_000, key: sender))
      let texts = [browser.bytes, secret, try #require(recipient.sealed(message))].map { Base64URL.encode($0) }
      return (texts + [token.authorization]).joined(separator: "\t") + "\n"
    }
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("push-\(UUID()).txt").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try lines.joined().write(toFile: path, atomically: false, encoding: .utf8)
    let answers = try Python.run(script: Checkout.file("Tests/WebPushTests/Oracle/web_push.py"), [path])
    let expected = messages.map { message in
      message.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\tTrue"
    }
    #expect(answers.split(separator: "\n").map(String.init) == expected)
  }

  @Test("a token names the service, its end after twelve hours, and the contact where there is one")
  func claims() throws {
    let key = try #require(PushKey.make())
    for contact in ["mailto:me@example.org", nil] {
      let token = try #require(PushToken(for: "https://push.example.org", from: contact, at: 1_795_248_000, key: key))
      let parts = token.text.split(separator: ".").map(String.init)
      #expect(parts.count == 3)
      let texts = try parts.prefix(2).map { part in
        String(decoding: try #require(Base64URL.decode(part, count: part.utf8.count * 3 / 4)), as: UTF8.self)
      }
      #expect(texts[0] == #"{"typ":"JWT","alg":"ES256"}"#)
      let sub = contact.map { #","sub":"\#($0)""# } ?? ""
      #expect(texts[1] == #"{"aud":"https://push.example.org","exp":1795291200\#(sub)}"#)
      #expect(token.authorization.hasSuffix(",k=\(Base64URL.encode(key.publicKey))"))
    }
  }
}
