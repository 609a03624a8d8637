import Testing
import Transport

@testable import CurlTransport

@Suite("Which word of ours a server's reply answers")
struct SMTPDialogueTests {
  /// The state after lines of the client (`>`) and of the server (`<`).
  private func dialogue(_ lines: String...) -> SMTPDialogue {
    var dialogue = SMTPDialogue()
    for line in lines {
      let said = Array("\(line.dropFirst(2))\r\n".utf8)
      if line.hasPrefix(">") { dialogue.sent(said) } else { dialogue.received(said) }
    }
    return dialogue
  }

  @Test("a reply of several lines is one, and is none before its last line")
  func severalLines() {
    #expect(dialogue("< 220-a", "< 220-b").reply == nil)
    #expect(dialogue("< 220-a", "< 220 b").reply == SMTPReply(code: 220, text: "a b", stage: .greeting))
    #expect(dialogue("< 554-5.7.1", "< 554").refusal == SMTPReply(code: 554, text: "5.7.1", stage: .greeting))
  }

  @Test("lines during AUTH belong to AUTH, whatever they look like")
  func signingIn() {
    let signing = dialogue("> EHLO x", "< 250 AUTH LOGIN", "> AUTH LOGIN", "< 334 VXNlcg==", "> MAIL", "< 334 UGFzcw==")
    #expect(signing.stage == .authentication)
    var done = signing
    done.sent(Array("QUIT".utf8))
    #expect(!done.isQuitting)
    done.received(Array("535 5.7.8 no\r\n".utf8))
    #expect(done.refusal == SMTPReply(code: 535, text: "5.7.8 no", stage: .authentication))
  }

  @Test("replies to EHLO, HELO and STARTTLS are distinguished from the greeting")
  func stages() {
    #expect(dialogue("< 554 no").refusal?.stage == .greeting)
    #expect(dialogue("< 220 hello", "> EHLO x", "< 550 no").refusal?.stage == .hello)
    #expect(dialogue("> EHLO x", "< 502 what", "> HELO x", "< 550 no").refusal?.stage == .hello)
    #expect(dialogue("> EHLO x", "< 250 STARTTLS", "> STARTTLS", "< 454 no").refusal?.stage == .encryption)
    #expect(dialogue("> EHLO x", "< 250 STARTTLS", "> STARTTLS", "< 454 no").refusal?.stage.words == "STARTTLS")
  }

  @Test("after EHLO and before AUTH the dialogue is unsigned; the AUTH mechanisms are those of the last EHLO")
  func unsigned() {
    let hello = dialogue("< 220 hi", "> EHLO x", "< 250-x", "< 250-AUTH CRAM-MD5 PLAIN", "< 250 HELP")
    #expect(hello.isUnsigned && !hello.isMailing && hello.offered == ["CRAM-MD5", "PLAIN"])
    var signed = hello
    signed.sent(Array("AUTH PLAIN AG1lAHB3".utf8))
    #expect(signed.isUnsigned)
    signed.received(Array("235 ok\r\n".utf8))
    #expect(!signed.isUnsigned)
    let bare = dialogue(
      "> EHLO x", "< 250 AUTH PLAIN", "> STARTTLS", "< 220 go", "> EHLO x", "< 250 HELP", "> MAIL FROM:<a>")
    #expect(bare.isUnsigned && bare.isMailing && bare.offered == [])
    #expect(bare.offersNothing(isEncryptedLater: true) == false)
    let plain = dialogue("> EHLO x", "< 250-STARTTLS", "< 250 HELP")
    #expect(plain.offersNothing(isEncryptedLater: false) && !plain.offersNothing(isEncryptedLater: true))
    let encrypted = dialogue("> EHLO x", "< 250 STARTTLS", "> STARTTLS", "< 220 go", "> EHLO x", "< 250 HELP")
    #expect(encrypted.offersNothing(isEncryptedLater: true) && !hello.offersNothing(isEncryptedLater: false))
    #expect(!dialogue("> EHLO x", "< 502 what").offersNothing(isEncryptedLater: false))
    // A reused connection has no new EHLO; where it was closed, a new one starts from the greeting.
    #expect(!dialogue("> MAIL FROM:<a>").isUnsigned)
    #expect(!dialogue("> MAIL FROM:<a>", "< 220 hi", "> EHLO x", "< 250 AUTH PLAIN").isMailing)
  }

  @Test("why a token is not taken is what the server's challenge says")
  func challenge() {
    #expect(dialogue("> AUTH XOAUTH2 eA==", "< 334 eyJzdGF0dXMiOiI0MDAifQ==").challenge == #"{"status":"400"}"#)
    #expect(dialogue("> AUTH XOAUTH2 eA==", "< 334 no token").challenge == "no token")
    #expect(dialogue("> AUTH PLAIN", "< 334 ").challenge == nil)
  }

  @Test("a word that is not answered has no reply, whatever came before")
  func unanswered() {
    #expect(dialogue("> MAIL FROM:<a>", "< 250 ok", "> RCPT TO:<b>").reply == nil)
    #expect(dialogue("> DATA", "< 354 go on").refusal == nil)
  }

  @Test("lines after QUIT change nothing")
  func quitting() {
    let said = dialogue("> RCPT TO:<b>", "< 550 no", "> QUIT", "< 221 bye")
    #expect(said.isQuitting)
    #expect(said.refusal == SMTPReply(code: 550, text: "no", stage: .recipient))
  }

  @Test("421 stays the server's last word when libcurl goes on")
  func farewell() {
    #expect(dialogue("> EHLO x", "< 421 busy", "> HELO x").refusal?.code == 421)
    #expect(dialogue("> EHLO x", "< 502 what", "> HELO x").refusal == nil)
  }

  @Test(
    "an invalid reply is a protocol violation",
    arguments: ["hello", "2x0 ok", "25", "250_ok", "999 x", "099 x", "+50 x"])
  func violations(line: String) { #expect(dialogue("< \(line)").violation != nil) }

  @Test("a server that does not stop is one too, and no more than a bit of it is kept")
  func endless() {
    var dialogue = SMTPDialogue()
    for _ in 1...200 { dialogue.received(Array("250-\(String(repeating: "x", count: 500))\r\n".utf8)) }
    #expect(dialogue.violation != nil)
    var long = SMTPDialogue()
    long.received(Array("550 \(String(repeating: "y", count: 5_000))\u{7}\r\n".utf8))
    #expect(long.reply?.text.utf8.count == 1_024)
  }
}
