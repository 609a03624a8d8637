import BelfryModel
import BelfryTestKit
import Digests
import Foundation
import TestSupport
import Testing

@testable import AnswerTokens

@Suite("The format of answer tokens")
struct TokenFormatTests {
  private static let week = 7 * 86_400

  private struct Question {
    let key: KeyRing.Key
    let use: TokenUse
    let token: AnswerToken

    init(_ random: inout SeededGenerator) {
      func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) } }
      key = KeyRing.Key(
        number: .random(in: 0...31, using: &random), madeAt: .sample, expiresAt: nil, secret: bytes(32))
      use = (Answer.Channel.own + [.phone, .watch]).randomElement(using: &random).map(TokenUse.init) ?? .link
      var uuid = UUID().uuid
      let reminder = bytes(16)
      withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: reminder) }
      token = AnswerToken(
        reminder: UUID(uuid: uuid), action: .random(in: 0...UInt16.max, using: &random),
        person: .random(in: 0...UInt16.max, using: &random),
        expiry: TokenExpiry(hours: .random(in: 0...0xff_ffff, using: &random)))
    }

    var line: String {
      let secret = key.secret.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      let fields: [Any] = [
        secret, key.number, use.words, token.reminder.uuidString, token.action, token.person, token.expiry.hours,
      ]
      return fields.map { "\($0)" }.joined(separator: "\t") + "\n"
    }
  }

  @Test("tokens equal those of an independent program")
  func oracle() throws {
    var random = SeededGenerator(seed: 1)
    let questions = (0..<500).map { _ in Question(&random) }
    let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    try questions.map(\.line).joined().write(toFile: folder.file("questions"), atomically: false, encoding: .utf8)
    let oracle = Checkout.file("Tests/AnswerTokensTests/Oracle/answer_token.py")
    let answers = try Python.run(script: oracle, [folder.file("questions")]).split(separator: "\n").map(String.init)
    #expect(answers.count == questions.count)
    for (question, answer) in zip(questions, answers) {
      let ring = KeyRing(older: [], newest: question.key)
      #expect(ring.sign(question.token, for: question.use) == answer)
      #expect(answer.utf8.count == 54)
      let beforeExpiry = question.token.expiry.date.addingTimeInterval(-1)
      #expect(try ring.verify(answer, for: question.use, at: beforeExpiry) == question.token)
    }
  }

  @Test("a known token stays what it is")
  func pinned() throws {
    let text = KeyRing.sample(5).sign(.sample, for: .link)
    #expect(text == "JQARIjNEVWZ3iJmqu8zd7v8AAgADAOyQWXdrwkDehcVIgTeI0eB-hg")
  }

  @Test("HKDF equals RFC 5869, appendix A.3")
  func derivation() {
    let key = HKDFSHA256.key(from: [UInt8](repeating: 0x0b, count: 22), info: "")
    let published: [UInt8] = [
      0x8d, 0xa4, 0xe7, 0x75, 0xa5, 0x63, 0xc1, 0x8f, 0x71, 0x5f, 0x80, 0x2a, 0x06, 0x3c, 0x5a, 0x31,
      0xb8, 0xa1, 0x1f, 0x5c, 0x5e, 0xe1, 0x87, 0x9e, 0xc3, 0x45, 0x4e, 0x5f, 0x3c, 0x73, 0x8d, 0x2d,
    ]
    #expect(key == published)
  }

  @Test("base64 for URLs has one text for each content")
  func canonicalBase64() {
    for count in 0...50 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 200) }
      let text = Base64URL.encode(bytes)
      let padded = Data(bytes).base64EncodedString()
      #expect(text == padded.filter { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : "\($0)" }.joined())
      #expect(Base64URL.decode(text, count: count) == bytes)
      #expect(Base64URL.decode(text + "A", count: count) == nil)
      #expect(Base64URL.decode(text + "=", count: count) == nil)
    }
    #expect(Base64URL.decode("_w", count: 1) == [255])
    for text in ["_x", "/w", "_ ", " w", "_\u{e9}", "__", "_\n"] { #expect(Base64URL.decode(text, count: 1) == nil) }
  }

  @Test(
    "an expiry is the claim and the longer validity, rounded up to the hour",
    arguments: [
      (validFor: week, retryMaxAge: 86_400, seconds: week),
      (validFor: 3_600, retryMaxAge: 86_400, seconds: 2 * 86_400),
      (validFor: 1, retryMaxAge: -86_400, seconds: 3_600),
      (validFor: 3_601, retryMaxAge: 0, seconds: 86_400),
      (validFor: 86_401, retryMaxAge: 0, seconds: 90_000),
    ])
  func expiry(validFor: Int, retryMaxAge: Int, seconds: Int) {
    let expiry = TokenExpiry(claim: .sample, validFor: validFor, retryMaxAge: retryMaxAge)
    #expect(expiry.date == Date.sample.addingTimeInterval(Double(seconds)))
    let later = TokenExpiry(claim: .sample.addingTimeInterval(0.5), validFor: validFor, retryMaxAge: retryMaxAge)
    #expect(later.hours - expiry.hours == (seconds == 3_600 || seconds == 90_000 ? 0 : 1))
  }

  @Test("an expiry outside of 24 bits is the first or the last hour")
  func expiryAtTheEdges() {
    #expect(TokenExpiry(claim: Date(timeIntervalSince1970: 0), validFor: 60, retryMaxAge: 60).hours == 0)
    #expect(TokenExpiry(claim: .sample, validFor: .max, retryMaxAge: .max).hours == 0xff_ffff)
    #expect(TokenExpiry(claim: .distantFuture, validFor: 60, retryMaxAge: 60).hours == 0xff_ffff)
    #expect(TokenExpiry(claim: Date(timeIntervalSince1970: .nan), validFor: 60, retryMaxAge: 60).hours == 0)
  }
}
