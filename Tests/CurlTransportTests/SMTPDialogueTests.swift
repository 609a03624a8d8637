import BelfryCore
import Testing

@testable import CurlTransport

@Suite("Which word of ours a server's reply answers")
struct SMTPDialogueTests {
  /// What was said: `>` by us, `<` by the server.
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

  @Test("what is said while signing in is a part of it, whatever it looks like")
  func signingIn() {
    let signing = dialogue("> EHLO x", "< 250 AUTH LOGIN", "> AUTH LOGIN", "< 334 VXNlcg==", "> MAIL", "< 334 UGFzcw==")
    #expect(signing.stage == .authentication)
    var done = signing
    done.sent(Array("QUIT".utf8))
    #expect(!done.isQuitting)
    done.received(Array("535 5.7.8 no\r\n".utf8))
    #expect(done.refusal == SMTPReply(code: 535, text: "5.7.8 no", stage: .authentication))
  }

  @Test("a word that is not answered has no reply, whatever came before")
  func unanswered() {
    #expect(dialogue("> MAIL FROM:<a>", "< 250 ok", "> RCPT TO:<b>").reply == nil)
    #expect(dialogue("> DATA", "< 354 go on").refusal == nil)
  }

  @Test("what comes after QUIT changes nothing")
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

  @Test("what is no reply is a violation", arguments: ["hello", "2x0 ok", "25", "250_ok", "999 x", "099 x", "+50 x"])
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
