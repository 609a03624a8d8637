import BelfryTestKit
import CivilTime
import Testing

@testable import BelfryModel
@testable import MessageText

@Suite("The words of a list's own reminder")
struct ListWordsTests {
  private func words(_ texts: [String], message: String? = nil, answered: Bool = false) throws -> ReminderWords {
    let list = Sample.list(
      id: 2, name: "Tools", reminder: ListReminder(due: try Sample.due(), zone: .floating, message: message))
    let unchecked = texts.enumerated().map { index, text in
      ItemListing(item: Sample.item(id: Int64(index + 1), listID: 2, text: text), listName: "Tools", nextFireDate: nil)
    }
    let content = Sample.content(try Sample.reminder(of: .list(2)), about: .list(list, unchecked: unchecked))
    var told = Message(id: Sample.uuid("m"), sink: "sink", contents: [content], createdAt: Sample.now)
    if answered { told = Sample.update(of: told, to: .answered) }
    return ReminderWords(told.contents[0], at: Sample.now, lateSeconds: 0, zones: ZoneDatabase(environment: [:]))
  }

  @Test("without a message it says how much is open, and where nothing beside it does, of which list")
  func open() throws {
    let words = try words(["Hammer", "Saw"])
    #expect(words.text == "2 open" && words.headline == "Tools: 2 open")
    #expect(words.chatLines().prefix(3) == ["Tools: 2 open", "• Hammer", "• Saw"])
    #expect(words.chatLines(withList: false).first == "2 open")
    let attempt = Sample.attempt(
      Message(id: Sample.uuid("m"), sink: "sink", contents: [words.content], createdAt: Sample.now))
    guard case .json(let text)? = TemplateValues(attempt, words: [words]).root["text"] else {
      Issue.record("a template has no text")
      return
    }
    #expect(text == "2 open")
  }

  @Test("a message of its own is said as it is")
  func message() throws {
    let words = try words(["Hammer"], message: "Look at them")
    #expect(words.text == "Look at them" && words.headline == "Look at them")
  }

  @Test("once it was answered, nothing is said to be open")
  func answered() throws {
    #expect(try words(["Hammer"], answered: true).headline == "Tools")
  }
}
