import Foundation
import Testing
import TestSupport

@Suite struct GuideTests {
  /// The code blocks of a guide that are marked as Swift.
  private static func blocks(of guide: String) -> [String] {
    guide.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "\n```")[0] }
  }

  @Test(
    "what a guide shows is what is built and tested here",
    arguments: [
      ("ImplementingAStore", ["MirroredStore", "MirroredStoreTests"]),
      ("ImplementingASink", ["AppendingSink", "AppendingSinkTests"]),
    ])
  func guideIsBuilt(guide: String, files: [String]) throws {
    let blocks = Self.blocks(of: try Checkout.text("Sources/BelfryEngine/BelfryEngine.docc/\(guide).md"))
    let built = try files.map { try Checkout.text("Tests/GuideTests/\($0).swift") }.joined(separator: "\n")
    #expect(blocks.count >= 2)
    for block in blocks { #expect(built.contains(block), "the guide shows code that is not built:\n\(block)") }
    // The guide contains the whole example, so that readers can copy it.
    let example = try Checkout.text("Tests/GuideTests/\(files[0]).swift").trimmingCharacters(in: .newlines)
    #expect(blocks.contains(example))
  }

  @Test("the dialect that a guide shows is one of the webhook's")
  func dialectIsBuilt() throws {
    let blocks = Self.blocks(of: try Checkout.text("Sources/BelfryEngine/BelfryEngine.docc/ImplementingADialect.md"))
    let built = try Checkout.text("Sources/Sinks/WebhookSink/Dialects/SlackDialect.swift")
    #expect(blocks == [built.trimmingCharacters(in: .newlines)])
  }

  @Test(
    "a guide names every requirement of the protocols that it explains",
    arguments: [
      ("ImplementingAStore", ["Ports/ItemStore", "Ports/StoreView"], 30),
      ("ImplementingASink", ["Ports/ReminderSink", "Replies/ReplySource"], 9),
    ])
  func guideIsComplete(guide: String, files: [String], least: Int) throws {
    let guide = try Checkout.text("Sources/BelfryEngine/BelfryEngine.docc/\(guide).md")
    let ports = try files.map { try Checkout.text("Sources/BelfryEngine/\($0).swift") }.joined()
    let requirements = ports.matches(of: /\n  (?:func|var) (\w+)/).map { String($0.output.1) }
    #expect(requirements.count > least)
    for name in Set(requirements).sorted() { #expect(guide.contains("`\(name)"), "\(name) is not explained") }
  }
}
