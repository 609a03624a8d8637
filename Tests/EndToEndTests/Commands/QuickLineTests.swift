import Foundation
import Testing

@Suite("Items from one line")
struct QuickLineTests {
  let box: Sandbox

  init() throws { box = try Sandbox() }

  private func add(_ words: String...) async throws -> Outcome {
    try await box.run([Programs.belfry, "add"] + words, RunOptions(clock: "2026-11-21 08:00:00"))
  }

  @Test("-q reads a list, a repeat and a time at the end, beside the other options")
  func quick() async throws {
    #expect(try await add("Paint", "-l", "Home", "--create").isDone)
    #expect(try await add("-q", "Bins", "#home", "every", "other", "tuesday", "7am", "--notes", "black").isDone)
    let outcome = try await add("-q", "Party 5/12", "--json")
    #expect(outcome.isDone && outcome.messages.contains("'5/12' could mean 5 December or 12 May"), "\(outcome)")
    let items = try await box.belfry("show", "--json").elements
    let bins = try #require(items.first { $0["text"] == .text("Bins") })
    #expect(
      bins["list"] == .text("Home") && bins["due_local"] == .text("2026-11-24T07:00")
        && bins["notes"] == .text("black"), "\(bins)")
    #expect(items.contains { $0["text"] == .text("Party 5/12") && $0["due_local"] == .null })
  }

  @Test("-q reads tags, which show and edit take as options, beside those of the command")
  func tags() async throws {
    #expect(try await add("-q", "Ring the bank @Phone @money", "--tag", "urgent").isDone)
    #expect(try await add("Buy milk", "--tag", "@home", "--tag", "Home").isDone)
    let items = try await box.belfry("show", "--json").elements
    let tags = Dictionary(items.map { ($0["text"]?.text ?? "", $0["tags"]?.elements?.compactMap(\.text) ?? []) }) { $1 }
    #expect(tags == ["Ring the bank": ["urgent", "Phone", "money"], "Buy milk": ["home"]])
    #expect(try await box.ids("show", "--tag", "phone", "--tag", "MONEY") == [1])
    #expect(try await box.ids("show", "@phone", "bank", "#inbox") == [1])
    #expect(try await box.belfry("show").output.contains("Ring the bank @urgent @Phone @money"))
    #expect(try await box.belfry("edit", "1", "--tag", "none").isDone)
    #expect(try await box.ids("show", "--tag", "phone") == [])
    #expect(try await box.belfry("undo").isDone)
    #expect(try await box.ids("show", "--tag", "phone") == [1])
    #expect(try await box.belfry("edit", "2", "--priority", "low").isDone)
    #expect(try await box.ids("show", "--priority", "low") == [2])
    #expect(try await box.ids("show", "--priority", "high") == [])
    #expect(try await box.ids("show", "!low") == [2])
    #expect(try await add("-q", "Pay !high @money").isDone)
    #expect(try await box.ids("show", "--priority", "high", "--tag", "money") == [3])
    #expect(try await box.belfry("edit", "2", "--priority", "urgent").status == 64)
    let refused = try await box.belfry("edit", "2", "--tag", "two words")
    #expect(
      refused.status == 65 && refused.messages.contains("'two words' is not a tag: it holds a space"), "\(refused)")
  }

  @Test("-q refuses what the line itself says")
  func refused() async throws {
    for words in [["--due", "9:00"], ["--repeat", "daily"], ["--key", "bins"]] {
      let outcome = try await box.run([Programs.belfry, "add", "-q", "Bins"] + words, RunOptions())
      #expect(outcome.status == 64 && outcome.messages.contains("-q takes one line"), "\(outcome)")
    }
    let outcome = try await add("-q", "Bins #inbox", "-l", "Home")
    #expect(outcome.status == 64 && outcome.messages.contains("names the list 'Inbox', and -l"), "\(outcome)")
    let ranked = try await add("-q", "Bins !low", "--priority", "high")
    #expect(ranked.status == 64 && ranked.messages.contains("has the priority 'low', and --priority"), "\(ranked)")
    #expect(try await box.json("show") == .array([]))
  }

  @Test("a text keeps every word, and one that ends in a time or a repeat says how -q reads it")
  func hint() async throws {
    for (text, words) in [
      ("Rent tomorrow", "reads it as 'Rent', due Sun 22 Nov 2026 09:00"), ("Diary daily", "'Diary', due "),
    ] {
      let outcome = try await add(text)
      #expect(outcome.isDone && outcome.messages.contains(words), "\(outcome)")
      #expect(outcome.messages.split(separator: "\n").count == 2, "\(outcome)")
    }
    for (lines, words) in [
      ("Rent tomorrow\n", "'belfry add -q' reads it as 'Rent', due Sun 22 Nov 2026 09:00"),
      ("Milk\nRent tomorrow\nDiary daily\n", "takes one line, and reads 'Rent tomorrow' as 'Rent', due Sun 22 Nov"),
    ] {
      let piped = try await box.belfry(
        "add", "-", options: RunOptions(input: Data(lines.utf8), clock: "2026-11-21 08:00:00"))
      #expect(piped.isDone && piped.messages.contains(words), "\(piped)")
      #expect(piped.messages.split(separator: "word for word").count == 2, "\(piped)")
    }
    for words in [["Buy milk"], ["Rent tomorrow", "--due", "fri"], ["Rent tomorrow", "--key", "rent"]] {
      let outcome = try await box.run([Programs.belfry, "add"] + words, RunOptions())
      #expect(outcome.isDone && !outcome.messages.contains("-q"), "\(outcome)")
    }
    let texts = try await box.belfry("show", "--json").elements.compactMap { $0["text"] }
    #expect(texts.count { $0 == .text("Rent tomorrow") } == 5 && texts.contains(.text("Diary daily")), "\(texts)")
  }
}
