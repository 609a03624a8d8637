import Testing
@testable import BelfryModel

@Suite struct AnswerChannelTests {
  @Test("a channel is known by its name, and shown in the words that its sink declares")
  func words() throws {
    let declared = Answer.Channel("telegram", words: "Telegram")
    let kept = try #require(Answer.Channel(kept: "telegram"))
    #expect(kept == declared && Set([kept, declared]).count == 1)
    #expect(kept.words(among: [declared]) == "Telegram" && kept.words(among: []) == "telegram")
    #expect(try #require(Answer.Channel(kept: "cli")).words(among: []) == "the command line")
    #expect(kept.giver("anna") == "Anna over telegram" && kept.giver(nil) == "telegram")
  }

  @Test("a text that is not a name is not a channel", arguments: ["", "Web", "two words", "caf\u{e9}"])
  func none(text: String) { #expect(Answer.Channel(kept: text) == nil) }
}
