import Digests
import Testing

@testable import WebPush

@Suite("The vector of RFC 8291, appendix A")
struct PushVectorTests {
  private static func bytes(_ text: String) throws -> [UInt8] {
    try #require(Base64URL.decode(text, count: text.utf8.count * 3 / 4))
  }

  private static func recipient() throws -> PushRecipient {
    try #require(
      PushRecipient(
        publicKey: bytes("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
        secret: bytes("BTBZMqHH6r4Tts7J_aSIgg")))
  }

  @Test("a message is sealed byte for byte as the RFC says")
  func sealing() throws {
    let key = try #require(PushKey(Self.bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")))
    #expect(
      Base64URL.encode(key.publicKey)
        == "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8")
    let sealed = try Self.recipient().sealed(
      Array("When I grow up, I want to be a watermelon".utf8), by: key, salt: Self.bytes("DGv6ra1nlYgDCS1FRnbzlw"))
    #expect(
      try Base64URL.encode(#require(sealed))
        == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
        + "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
        + "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN")
  }

  @Test("two messages share neither key nor salt, and a long one is refused")
  func freshness() throws {
    let recipient = try Self.recipient()
    let (one, other) = (try #require(recipient.sealed([1])), try #require(recipient.sealed([1])))
    #expect(one.prefix(16) != other.prefix(16) && one.dropFirst(21).prefix(65) != other.dropFirst(21).prefix(65))
    let longest = [UInt8](repeating: 7, count: PushRecipient.longestMessage)
    #expect(recipient.sealed(longest)?.count == 4_096)
    #expect(recipient.sealed(longest + [7]) == nil)
  }

  @Test("what is no key is refused")
  func keys() throws {
    #expect(PushKey([UInt8](repeating: 0, count: 32)) == nil)
    #expect(PushKey([UInt8](repeating: 255, count: 32)) == nil)
    #expect(PushKey([1]) == nil)
    // Not on the curve.
    let stray = try #require(
      PushRecipient(publicKey: [4] + [UInt8](repeating: 1, count: 64), secret: [UInt8](repeating: 1, count: 16)))
    #expect(stray.sealed([1]) == nil)
    #expect(PushRecipient(publicKey: [4], secret: []) == nil)
  }

  @Test("dumping a key shows nothing")
  func secrecy() throws {
    var text = ""
    dump(try #require(PushKey.make()), to: &text)
    #expect(!text.contains("0x") && text.split(separator: "\n").count == 1)
  }
}
