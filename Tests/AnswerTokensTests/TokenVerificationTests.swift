import BelfryModel
import BelfryTestKit
import Digests
import Foundation
import Testing

@testable import AnswerTokens

@Suite("Which answer tokens are taken")
struct TokenVerificationTests {
  private static let channels = Answer.Channel.own + [.phone, .watch]

  private let ring = KeyRing.sample(4, 5)
  private let text = KeyRing.sample(4, 5).sign(.sample, for: .link)

  private func isBad(_ text: String, for use: TokenUse = .link, in ring: KeyRing? = nil, at now: Date = .sample) -> Bool
  {
    do throws(TokenRefusal) {
      _ = try (ring ?? self.ring).verify(text, for: use, at: now)
      return false
    } catch {
      return error == .bad
    }
  }

  @Test("a token is taken by its use alone", arguments: Self.channels, Self.channels)
  func uses(made: Answer.Channel, taken: Answer.Channel) throws {
    let text = ring.sign(.sample, for: TokenUse(made))
    #expect(isBad(text, for: TokenUse(taken)) == (made != taken))
    if made == taken { #expect(try ring.verify(text, for: TokenUse(taken), at: .sample) == .sample) }
  }

  @Test("the other actions of a message are signed by the key of the text that was opened")
  func others() throws {
    let old = KeyRing.sample(4)
    let text = old.sign(.sample, for: .link)
    let other = AnswerToken.sample.of(action: 3)
    #expect(ring.sign(other, for: .link, as: text) == old.sign(other, for: .link))
    #expect(ring.sign(.sample, for: .link, as: "nonsense") == ring.sign(.sample, for: .link))
    #expect(other.action == 3 && other.person == 3 && other.expiry == AnswerToken.sample.expiry)
    #expect(AnswerToken.sample.identity == "00112233-4455-6677-8899-aabbccddeeff 2 3 60560")
  }

  @Test("no changed bit is taken, also with keys under every number")
  func changedBits() throws {
    let full = KeyRing(
      older: KeyRing.allKeys(but: 5), newest: KeyRing.sample(4, 5).newest)
    #expect(full.count == 32)
    #expect(try full.verify(text, for: .link, at: .sample) == .sample)
    let bytes = try #require(Base64URL.decode(text, count: AnswerToken.length))
    for bit in 0..<(bytes.count * 8) {
      var changed = bytes
      changed[bit / 8] ^= 1 << (bit % 8)
      let text = Base64URL.encode(changed)
      #expect(isBad(text))
      #expect(isBad(text, in: full))
    }
  }

  @Test("no changed character is taken, unused bits and other alphabets included")
  func changedCharacters() {
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. \n\0é"
    for index in text.indices {
      for character in alphabet where character != text[index] {
        var changed = text
        changed.replaceSubrange(index...index, with: [character])
        #expect(isBad(changed))
      }
    }
  }

  @Test("no cut, lengthened or doubled token is taken")
  func lengths() {
    for count in 0..<text.count { #expect(isBad(String(text.prefix(count)))) }
    for tail in ["A", "=", "==", " ", "\n", "\0", text] {
      #expect(isBad(text + tail))
      #expect(isBad(tail + text))
    }
    #expect(isBad(String(repeating: "A", count: 1_000_000)))
    #expect(isBad(String(repeating: "é", count: 27)))
  }

  @Test("every key verifies, the newest signs, and one that was removed does neither")
  func keys() throws {
    #expect(ring.signingKey == 5)
    let old = KeyRing.sample(4).sign(.sample, for: .link)
    #expect(try ring.verify(old, for: .link, at: .sample) == .sample)
    #expect(isBad(old, in: .sample(5)))
    #expect(ring.sign(.sample, for: .link, key: 4) == old)
    #expect(KeyRing.sample(5).sign(.sample, for: .link, key: 4) == text)
    // A new key that gets the number again.
    let anew = KeyRing.Key(number: 5, madeAt: .sample, expiresAt: nil, secret: [UInt8](repeating: 9, count: 32))
    #expect(isBad(text, in: KeyRing(older: [], newest: anew)))
  }

  @Test("an expired token says so, to whoever holds a right one")
  func expired() throws {
    let end = AnswerToken.sample.expiry.date
    #expect(try ring.verify(text, for: .link, at: end.addingTimeInterval(-0.001)) == .sample)
    #expect(throws: TokenRefusal.expired(.sample)) { try ring.verify(text, for: .link, at: end) }
    #expect(isBad(text, for: TokenUse(.phone), at: end))
    // The clock was set back, before the claim too.
    #expect(try ring.verify(text, for: .link, at: Date(timeIntervalSince1970: 0)) == .sample)
  }

  @Test("nothing prints a key")
  func secrecy() {
    let printed = "\(ring) \(String(reflecting: ring)) \(Mirror(reflecting: ring).children.count)"
    #expect(printed == "2 keys 2 keys 0")
  }
}

extension KeyRing {
  /// Keys under all numbers but one.
  fileprivate static func allKeys(but number: UInt8) -> [Key] {
    Key.numbers.filter { $0 != number }.map { KeyRing.sample($0).newest }
  }
}
