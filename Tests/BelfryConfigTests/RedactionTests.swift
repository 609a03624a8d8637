import BelfryEngine
import BelfryModel
import ConfigKeys
import Foundation
import Testing
import Transport

@Suite("Secrets taken out of texts")
struct RedactionTests {
  private static let secret = "s3cr?t/ä token+1"

  @Test("a secret is found in every form, whatever stands around it", arguments: 0..<7)
  func forms(offset: Int) {
    let secret = Self.secret
    let around = String(repeating: "x", count: offset)
    func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
    let forms = [
      secret, base64(secret), base64(around + secret), base64(secret + around), base64(around + secret + around),
      base64("\0\(around)\0\(secret)"), base64("\(around):\(secret)"),
      base64(around + secret).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: ""),
      "s3cr%3Ft%2F%C3%A4%20token%2B1", "s3cr%3ft%2f%c3%a4%20token%2b1",
    ]
    let redaction = Redaction([Secret(secret), Secret("")])
    for form in forms { #expect(redaction.masked("a \(form), \(form) b") == "a <redacted>, <redacted> b", "\(form)") }
    #expect(redaction.masked("nothing here") == "nothing here")
  }

  @Test("overlapping secrets are masked completely")
  func overlapping() {
    let redaction = Redaction([Secret("abcdef"), Secret("defghi"), Secret("abc")])
    #expect(redaction.masked("xabcdefghix abc") == "x<redacted>x <redacted>")
  }

  @Test("a reason has one line and a length, and is masked before it is cut")
  func reason() {
    let redaction = Redaction([Secret("hush")])
    #expect(redaction.reason("  a\r\n\tb hush\u{0}\u{7}c ") == "a b <redacted> c")
    let long = redaction.reason(String(repeating: "a", count: 298) + "hush")
    #expect(long.count == 301 && long.hasSuffix("a<r…"))
  }

  @Test("scalars that no XML file can hold are blanks in a reason: a store keeps it")
  func noncharacters() {
    #expect(Redaction([]).reason("a\u{ffff}b\u{fffe}\u{1fffe} c") == "a b c")
  }

  @Test("outcomes and dialogues are masked")
  func outcomes() {
    let redaction = Redaction([Secret("hush")])
    let instant = Date(timeIntervalSince1970: 0)
    #expect(redaction.outcome(.delivered) == .delivered)
    #expect(
      redaction.outcome(.later(reason: "hush", retryAfter: instant, needsAttention: true))
        == .later(reason: "<redacted>", retryAfter: instant, needsAttention: true))
    #expect(
      redaction.outcome(.never(reason: "hush", pausesSink: true)) == .never(reason: "<redacted>", pausesSink: true))
    #expect(
      redaction.outcome(.unknown(reason: "hush", retryAfter: instant))
        == .unknown(reason: "<redacted>", retryAfter: instant))
    #expect(redaction.outcome(of: TransferFailure(.timedOut, "hush")) == .unknown(reason: "<redacted>"))
    #expect(redaction.masking(nil) == nil)
  }

  @Test("the path and query of a URL, and their longer parts, are secrets")
  func url() throws {
    let url = try ServerURL(
      "https://hooks.example.org:8443/services/T00000000/B11?token=abcdefgh1234", schemes: ["https"])
    let redaction = Redaction(url.secrets)
    let said =
      "no host hooks.example.org for /services/T00000000/B11 of https://hooks.example.org:8443/services/T00000000/B11?token=abcdefgh1234, T00000000, abcdefgh1234"
    #expect(redaction.masked(said) == "no host hooks.example.org for <redacted> of <redacted>, <redacted>, <redacted>")
  }

  @Test("a short path is masked as a path, and not as a word", arguments: ["hook", "id", "webhook", "ntfy"])
  func word(path: String) throws {
    let redaction = Redaction(try ServerURL("http://127.0.0.1:9/\(path)", schemes: ["http"]).secrets)
    let fields = "webhook-id: 1\nwebhook-timestamp: 2\nX-Ntfy-Id: 3"
    #expect(redaction.masked(fields) == fields)
    #expect(redaction.masked("connect http://127.0.0.1:9/\(path) failed") == "connect <redacted> failed")
    if path.count > 2 { #expect(redaction.masked("POST /\(path) HTTP/1.1") == "POST <redacted> HTTP/1.1") }
  }
}
