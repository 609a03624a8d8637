import Foundation
import Testing

@Suite("Passkeys, in a browser with an authenticator of its own")
struct PasskeyBrowserTests {
  private static let config = """
    store: { type: sqlite, path: store.sqlite }
    sinks: { out: { type: stdout } }
    people: { anna: { sinks: [out] } }
    categories:
      urgent: { actions: [{ identifier: done, title: Done, do: check, authentication_required: true }] }

    """

  @Test("a person adds one, signs in with it, proves who they are, removes it, and nothing else is accepted")
  func person() async throws {
    let box = try Sandbox(config: Self.config)
    try await box.json(
      "add", "Rent", "-l", "Home", "--create", "--due", "in 1 hour", "--category", "urgent", at: "-2h")
    try await box.belfry("run", "--once").requireDone()
    let delivery = try #require(try await box.json("deliveries").elements?.first)
    let reminder = try #require(delivery["reminder_id"]?.text)
    let told = try await box.fixture(
      "passkeys.py",
      [
        try Programs.belfry, try Programs.belfryWeb, box.path("belfry.yaml"), reminder,
        try #require(try FakeClock.environment("+0")["LD_PRELOAD"]),
      ])
    let steps = Dictionary(told.compactMap { line in line["step"]?.text.map { ($0, line) } }) { first, _ in first }
    let text = { (step: String) in steps[step]?["text"]?.text ?? "" }
    let path = { (step: String) in steps[step]?["path"]?.text }
    let page = "/reminders/\(reminder)/actions/1"

    #expect(steps["added"]?["notice"]?.text?.contains("The passkey was added") == true)
    #expect(text("added").contains("laptop passkey admin anna"), "\(text("added"))")
    #expect(text("added twice").contains("This passkey was added before."))
    #expect(path("signed in") == "/" && text("signed in").contains("anna"))
    #expect(steps["replayed"]?["status"] == .integer(400) && steps["replayed"]?["other"] == .integer(400))
    #expect(path("asked for a proof") == "/sign-in" && path("led back") == page)
    #expect(text("acted").contains("Answered: Done") && path("acted") == page)
    #expect(text("not verified").contains("No passkey was given."))
    #expect(text("counted backwards").contains("The passkey was not accepted."))
    #expect(path("counted on") == page && text("counted on").contains("Given by Anna over the web"))
    #expect(text("listed").contains("this browser"))
    #expect(text("asked before it is removed").contains("Nobody can sign in with it any more."))
    #expect(path("removed") == "/sign-in")
    #expect(text("no longer known").contains("The passkey was not accepted."))
    #expect(try await box.json("answers").elements?.map { $0["effect"] } == [.text("done")])
    #expect(try await box.json("access", "list") == .array([]))
  }
}
