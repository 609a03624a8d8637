import ConfigKeys
import Testing
import Transport

@Suite("Tokens in what a server sends back")
struct RedactedTokenTests {
  @Test("a token is masked wherever eight bytes of it stand, and no other text")
  func parts() {
    let token = "IAECAwQFBgcICQoLDA0ODxAAAAAA7C4wMTIzNDU2Nzg5Ojs8PT4_QE"
    let redaction = Redaction(tokens: [Secret(token)])
    for start in stride(from: 0, through: token.count - 8, by: 1) {
      #expect(redaction.masked("a /a/\(token.dropFirst(start)) b") == "a /a/<redacted> b")
      #expect(redaction.masked("a \(token.prefix(start + 8))") == "a <redacted>")
    }
    #expect(redaction.masked("HTTP 500: \(token.prefix(7)) busy") == "HTTP 500: \(token.prefix(7)) busy")
  }
}
