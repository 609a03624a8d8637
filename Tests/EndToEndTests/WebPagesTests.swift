import Foundation
import Testing

@Suite("The pages of the web face, in a browser", .timeLimit(.minutes(20)))
struct WebPagesTests {
  @Test("a person signs in, adds, sees what others change, uses keys, is offline for a while, and signs out")
  func person() async throws {
    let box = try Sandbox()
    let told = try await box.fixture(
      "pages.py", [try Programs.belfry, try Programs.belfryWeb, box.path("belfry.yaml")])
    let steps = Dictionary(told.compactMap { line in line["step"]?.text.map { ($0, line) } }) { first, _ in first }
    let items = steps.mapValues { line in line["items"]?.elements?.compactMap(\.text) }
    #expect(items["signed in"] == ["Milk"])
    #expect(items["added by words"] == ["Milk", "Buy bread"])
    #expect(items["changed by a command"] == ["Milk", "Buy bread", "Eggs"])
    #expect(steps["changed by a command"]?["notice"]?.text?.hasSuffix("Eggs was added") == true)
    #expect(steps["what was typed is kept"]?["text"] == .text("f-line half"))
    #expect(items["moved by keys"] == ["Buy bread", "Milk", "Eggs"])
    #expect(items["checked by a key"] == ["Milk", "Eggs"])
    #expect(items["undone by a key"] == ["Buy bread", "Milk", "Eggs"])
    #expect(steps["switched off"]?["text"] != .text("f-line"))
    #expect(items["read offline"] == ["Buy bread", "Milk", "Eggs"])
    #expect(steps["checked offline"]?["notice"]?.text?.contains("sent later") == true)
    #expect(items["sent later"] == ["Buy bread", "Eggs"])
    #expect(try await box.ids("show") == [2, 3])
    #expect(steps["signed out"]?["left"]?.elements == [.integer(0), .integer(0), .integer(0)])
  }
}
