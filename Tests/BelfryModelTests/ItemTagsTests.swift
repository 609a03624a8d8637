import BelfryModel
import BelfryTestKit
import Testing

@Suite("The tags of an item")
struct ItemTagsTests {
  @Test("they stay as written, in order, each once without regard to case")
  func names() throws {
    let tags = try ItemTags(["Home", "phone", "HOME", "\u{c9}t\u{e9}", "e\u{301}te\u{301}"])
    #expect(tags.names == ["Home", "phone", "\u{c9}t\u{e9}"])
    #expect(try tags.isSuperset(of: ItemTags(["hOME", "\u{e9}t\u{e9}"])) && tags.isSuperset(of: .empty))
    #expect(try !tags.isSuperset(of: ItemTags(["home", "desk"])) && !ItemTags.empty.isSuperset(of: tags))
  }

  @Test(
    "what cannot be a tag is refused by name",
    arguments: [
      ("", "a tag is empty"), ("two words", "'two words' is not a tag: it holds a space"),
      ("a,b", "'a,b' is not a tag: it holds a comma"), ("a\tb", "'a\tb' is not a tag: it holds white space"),
      ("a\u{7}", "'a\u{7}' is not a tag: it holds the control character U+0007"),
      ("@home", "'@home' is not a tag: it begins with an @"), ("None", "a tag cannot be 'none'"),
      (String(repeating: "x", count: 101), "a tag is 101 bytes long: 'xxxxxxxxxxxxxxxxxxxx\u{2026}'"),
    ])
  func refused(name: String, message: String) throws {
    let error = try #require(throws: BelfryError.self) { try ItemTags(["home", name]) }
    #expect(error.kind == .badInput && error.message == message && error.field == .tags)
  }

  @Test("an item has at most 50")
  func most() throws {
    let names = (1...50).map { "t\($0)" }
    #expect(try ItemTags(names + ["T1"]).names == names)
    let error = try #require(throws: BelfryError.self) { try ItemTags(names + ["more"]) }
    #expect(error.message == "'more' is one tag too many: an item has at most 50")
  }

  @Test("every field of an item's content has a place in its record")
  func fields() throws {
    let item = Sample.item(text: "a")
    let names = Set(ItemRecord.form.kind.names.map { "\($0)" })
    for case let label? in Mirror(reflecting: item.content).children.map(\.label) {
      let name = label.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : "\($1)" }
      #expect(names.contains(name), "the record has no \(name)")
    }
  }
}

@Suite("The search for words")
struct WordSearchTests {
  private func finds(
    _ text: String, in item: String, notes: String? = nil, tags: [String] = [], priority: ItemPriority? = nil,
    list: String = "Big Trip"
  ) throws -> Bool {
    var found = Sample.item(text: item)
    (found.notes, found.tags, found.priority) = (notes, try ItemTags(tags), priority)
    return WordSearch(text) { ["Inbox", "Big", "Big Trip"] }.finds(
      ItemListing(item: found, listName: list, nextFireDate: nil))
  }

  @Test("each word is in the text or the notes, in any case")
  func words() throws {
    #expect(try finds("MILK oat", in: "Buy milk", notes: "or Oat") && !finds("milk tea", in: "Buy milk"))
    #expect(WordSearch(" ") { [] }.isEmpty)
  }

  @Test("a word is looked for once, however often it is repeated")
  func repeated() {
    let search = WordSearch(String(repeating: "a @b ", count: 4_000)) { [] }
    #expect("\(search)" == "\(WordSearch("a @b") { [] })")
  }

  @Test("an @tag finds what has it, or the word itself")
  func tags() throws {
    #expect(
      try finds("@Home", in: "Buy milk", tags: ["home"]) && finds("@ann", in: "Ask @Ann") && finds("@", in: "@ 5"))
    #expect(try !finds("@home", in: "At home") && !finds("@home", in: "x", tags: ["homes"]))
  }

  @Test("!high, !medium or !low finds what has that priority")
  func priorities() throws {
    #expect(try finds("!HIGH milk", in: "Buy milk", priority: ItemPriority(number: 4)))
    #expect(try !finds("!high", in: "Buy milk", priority: ItemPriority(.low)) && !finds("!low", in: "!low"))
    #expect(try finds("!now", in: "Do it !now"))
  }

  @Test("a #List finds what is on it, by the longest name that there is")
  func lists() throws {
    #expect(try finds("#big trip milk", in: "Buy milk") && finds("#big milk", in: "milk", list: "Big"))
    #expect(try !finds("#Big milk", in: "milk") && !finds("#inbox", in: "milk") && finds("#9", in: "Issue #9"))
    #expect(try finds("#inbox #big trip", in: "milk"))
  }
}
