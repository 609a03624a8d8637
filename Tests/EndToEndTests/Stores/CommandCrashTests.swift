import BelfryTestKit
import Foundation
import Testing

/// The expected content of the store.
private struct Model: Equatable {
  struct Entry: Equatable {
    var text: String
    var isChecked = false
    var isScheduled = true
  }

  var entries: [Int64: Entry] = [:]
  var next: Int64 = 1

  mutating func add(_ texts: [String]) {
    for text in texts {
      entries[next] = Entry(text: text)
      next += 1
    }
  }

  mutating func check(_ ids: [Int64], _ isChecked: Bool) {
    for id in ids {
      entries[id]?.isChecked = isChecked
      entries[id]?.isScheduled = !isChecked
    }
  }
}

/// A command line and its effect on the model.
private struct Step {
  let words: [String]
  var input: Data?
  let after: Model

  init(_ number: Int, on model: Model, using random: inout SeededGenerator) {
    let ids = model.entries.keys.sorted()
    let chosen = Array(ids.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))).sorted()
    var after = model
    switch chosen.isEmpty ? 0 : Int.random(in: 0..<6, using: &random) {
    case 0, 1:
      after.add(["Item \(number)"])
      words = ["add", "Item \(number)", "--due", "2096-12-24 09:00"]
    case 2:
      let texts = (1...5).map { "Line \(number).\($0)" }
      after.add(texts)
      words = ["add", "-", "--due", "2096-12-24 09:00"]
      input = Data(texts.joined(separator: "\n").utf8)
    case 3:
      let isChecked = Bool.random(using: &random)
      after.check(chosen, isChecked)
      words = [isChecked ? "check" : "uncheck"] + chosen.map { "\($0)" }
    case 4:
      after.entries[chosen[0]]?.text = "Edited \(number)"
      words = ["edit", "\(chosen[0])", "--text", "Edited \(number)"]
    default:
      for id in chosen { after.entries[id] = nil }
      words = ["delete"] + chosen.map { "\($0)" }
    }
    self.after = after
  }
}

@Suite("kill -9 of commands")
struct CommandCrashTests {
  static let rounds = 100

  @Test(
    "every confirmed change is there, none is half there, no number is used again (100 rounds for each seed)",
    arguments: [11, 22, 33])
  func commands(seed: UInt64) async throws {
    let box = try Sandbox()
    var random = SeededGenerator(seed: seed)
    var model = Model()
    // Adapts to the machine, so that about as many commands are killed as succeed.
    var typical = 0.06
    var killed = 0
    for round in 1...Self.rounds {
      let step = Step(round, on: model, using: &random)
      let words = ([try Programs.belfry] + step.words).map { Array($0.utf8) }
      let process = try box.start(bytes: words, RunOptions(input: step.input))
      try await Task.sleep(for: .seconds(typical * Double.random(in: 0.3...1.5, using: &random)))
      process.send(SIGKILL)
      switch await process.end {
      case .exited(0):
        typical *= 0.9
        model = step.after
      case .signalled(SIGKILL):
        killed += 1
        typical *= 1.08
        let found = try await self.model(in: box)
        #expect(
          found == model.entries || found == step.after.entries,
          "seed \(seed), round \(round), \(step.words): half done: \(found)")
        if found == step.after.entries { model = step.after }
      case let end:
        Issue.record("seed \(seed), round \(round), \(step.words) ended with \(end)")
      }
    }
    #expect(killed >= 10 && killed <= Self.rounds - 10, "the test has to meet both ends: \(killed) killed")
    #expect(try await self.model(in: box) == model.entries)
    #expect(try await integrity(of: box) == "ok")
    let scheduled = try await box.json("pending").elements?.compactMap { $0["item_id"]?.integer }.sorted()
    #expect(scheduled == model.entries.filter(\.value.isScheduled).keys.sorted())
    #expect(try await box.json("add", "Last")["id"] == .integer(model.next))
  }

  @Test("a command killed while it makes the store leaves a whole one or none")
  func creation() async throws {
    let box = try Sandbox()
    var random = SeededGenerator(seed: 7)
    for round in 1...20 {
      let config = "config-\(round).yaml"
      try box.write("store: { type: sqlite, path: store-\(round).sqlite }\n", to: config)
      let words = [try Programs.belfry, "add", "Milk", "--config", config].map { Array($0.utf8) }
      let process = try box.start(bytes: words, RunOptions())
      try await Task.sleep(for: .milliseconds(Int.random(in: 15...90, using: &random)))
      process.send(SIGKILL)
      let end = await process.end
      let found = try await box.ids("show", "--config", config)
      #expect(found == [1] || (found == [] && end == .signalled(SIGKILL)), "round \(round): \(end), \(found)")
      #expect(try await box.json("add", "Next", "--config", config)["id"] == .integer(found.isEmpty ? 1 : 2))
    }
  }

  private func model(in box: Sandbox) async throws -> [Int64: Model.Entry] {
    let items = try #require(try await box.json("show", "--all").elements)
    let pairs = items.map { item in
      let entry = Model.Entry(
        text: item["text"]?.text ?? "", isChecked: item["is_checked"] == .bool(true),
        isScheduled: item["next_fire_date"] == .text("2096-12-24T09:00:00+01:00"))
      return (item["id"]?.integer ?? -1, entry)
    }
    return try #require(Set(pairs.map(\.0)).count == pairs.count ? Dictionary(uniqueKeysWithValues: pairs) : nil)
  }
}
