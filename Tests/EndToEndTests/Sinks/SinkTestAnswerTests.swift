import Foundation
import TestSupport
import Testing

@Suite("belfry sinks test --answer")
struct SinkTestAnswerTests {
  private func message(_ phone: NtfyPhone) async throws -> NtfyServer.Message {
    try #require(try await phone.rung(["Belfry's test of the sink 'phone': it works"]).first)
  }

  @Test("a press ends it with 0 and is told; the store knows nothing of it", arguments: [false, true])
  func pressed(isDaemonRunning: Bool) async throws {
    let phone = NtfyPhone(try NtfyServer())
    let box = try Sandbox(sinks: [phone.sink()])
    let daemon = isDaemonRunning ? try await box.daemon() : nil
    if isDaemonRunning { try await phone.isFollowed() }
    let test = try box.startSinkTest("phone", "-v")
    let message = try await message(phone)
    #expect(message.labels == ["Done", "Later"])
    try await phone.press("Later", of: message)
    #expect(await test.end == .exited(0), "\(box.text("told"))")
    let told = box.text("told")
    #expect(told.contains("Press one of its buttons within a minute."), "\(told)")
    #expect(told.contains("'later' came back over ntfy."), "\(told)")
    let token = try message.token("Later")
    #expect(told.contains("<redacted>") && !told.contains(token.suffix(20)), "\(told)")
    #expect(try await box.json("answers") == .array([]))
    #expect(try await box.json("deliveries") == .array([]))
    guard let daemon else { return }
    #expect(await daemon.stop().end == .exited(0))
  }

  @Test("as JSON it has the answer beside the outcome")
  func json() async throws {
    let phone = NtfyPhone(try NtfyServer())
    let box = try Sandbox(sinks: [phone.sink()])
    let test = try box.startSinkTest("phone", "--json")
    try await phone.press("Done", of: try await message(phone))
    #expect(await test.end == .exited(0), "\(box.text("told"))")
    let result = try #require(try JSON(box.text("tested")).elements?.first)
    #expect(result["sink"] == .text("phone") && result["outcome"] == .text("delivered"))
    #expect(result["answer"]?["action"] == .text("done") && result["answer"]?["channel"] == .text("ntfy"))
    #expect(try result["answer"]?.moment("at") != nil)
    let plain = try #require(try await box.json("sinks", "test", "phone").elements?.first)
    #expect(plain["answer"] == .null)
  }

  @Test("what is answered meanwhile is not lost, also without a daemon")
  func others() async throws {
    let phone = NtfyPhone(try NtfyServer())
    let box = try Sandbox(sinks: [phone.sink()])
    try await box.addDueItems(["Milk"])
    #expect(try await box.belfry("run", "--once").isDone)
    try await phone.press("Done", of: try #require(try await phone.rung(["Milk"]).first))
    let test = try box.startSinkTest("phone")
    try await phone.press("Done", of: try await message(phone))
    #expect(await test.end == .exited(0), "\(box.text("told"))")
    #expect(try await box.answers(1).map { $0["item_id"] } == [.integer(1)])
  }

  @Test("where no answer can come, it says why")
  func impossible() async throws {
    let phone = NtfyPhone(try NtfyServer())
    let box = try Sandbox(sinks: [phone.sink(), "out: { type: stdout }"])
    let plain = try await box.belfry("sinks", "test", "out", "--answer")
    #expect(plain.status == 64 && plain.messages.contains("leave --answer out") && plain.output.isEmpty, "\(plain)")
    try phone.server.fail(.poll, .status(403))
    let refused = try await box.belfry("sinks", "test", "phone", "--answer")
    #expect(refused.status == 69 && refused.messages.contains("HTTP 403, access denied"), "\(refused)")
    #expect(refused.messages.contains("stop belfryd during the test"), "\(refused)")
    try phone.server.fail(.publish, .status(500))
    #expect(try await box.belfry("sinks", "test", "phone", "--answer").status == 69)
    try box.write("nonsense", to: "keys")
    chmod(box.path("keys"), 0o600)
    try box.write(
      "store: { type: sqlite, path: store.sqlite }\nsinks: { \(phone.sink()) }\nanswers: { key_file: keys }\n",
      to: "belfry.yaml")
    let keyless = try await box.belfry("sinks", "test", "phone", "--answer")
    #expect(keyless.status == 78 && keyless.messages.contains("'belfry doctor' says why"), "\(keyless)")
  }

  @Test("a press in a Telegram chat ends it with 0, and is answered there; the store knows nothing of it")
  func telegram() async throws {
    let chat = try TelegramChat()
    let test = try chat.box.startSinkTest("phone", "-v")
    try await waitUntil("the test arrives; it said: \(chat.box.text("told"))") { try chat.server.sent().count == 1 }
    let message = try chat.message("Belfry's test of the sink 'phone': it works")
    #expect(message.allButtons.map(\.text) == ["Done", "Later"])
    try chat.server.press(message: message, button: "Later", from: TelegramChat.person)
    #expect(await test.end == .exited(0), "\(chat.box.text("told"))")
    let told = chat.box.text("told")
    #expect(told.contains("'later' came back over Telegram."), "\(told)")
    let token = try #require(message.allButtons.last?.data)
    #expect(!told.contains(token.suffix(20)) && !told.contains(TelegramServer.token), "\(told)")
    #expect(try chat.server.queries().map { $0.answer?.text } == ["The test works: 'later' came back"])
    #expect(try await chat.box.json("answers") == .array([]))
    #expect(try await chat.box.json("deliveries") == .array([]))
  }

  @Test("while a daemon takes the bot's updates, it says what to do: 69; the daemon takes them again")
  func conflict() async throws {
    let chat = try TelegramChat()
    let daemon = try await chat.box.daemon()
    try await waitUntil("the daemon polls; log: \(daemon.log)") { try chat.server.isPolled() }
    let outcome = try await chat.box.belfry("sinks", "test", "phone", "--answer")
    #expect(outcome.status == 69 && outcome.messages.contains("HTTP 409"), "\(outcome)")
    #expect(outcome.messages.contains("stop belfryd during the test"), "\(outcome)")
    try await waitUntil("the daemon polls again; log: \(daemon.log)") { try chat.server.isPolled() }
    #expect(await daemon.stop().end == .exited(0))
  }

  @Test("a press on the desktop ends it with 0 and is told; the store knows nothing of it", arguments: [false, true])
  func desktop(isDaemonRunning: Bool) async throws {
    let desktop = try RecordedDesktop()
    let box = try Sandbox(sinks: [desktop.sink])
    let daemon = isDaemonRunning ? try await box.daemon() : nil
    let test = try box.startSinkTest("desk")
    let notification = try await desktop.shown("Belfry's test of the sink 'desk': it works")
    #expect(notification.labels == ["Done", "Later"])
    try desktop.press("Done", on: notification)
    #expect(await test.end == .exited(0), "\(box.text("told"))")
    #expect(box.text("told").contains("'done' came back over the desktop."), "\(box.text("told"))")
    #expect(try await box.json("answers") == .array([]))
    #expect(try await box.json("deliveries") == .array([]))
    guard let daemon else { return }
    #expect(await daemon.stop().end == .exited(0))
    #expect(!daemon.log.contains("warning"), "\(daemon.log)")
  }

  // A minute of such a clock takes seconds; so do the limits of calls and transfers, which are long enough at these
  // speeds.
  @Test("where nobody presses a button within a minute, it says so: 75")
  func late() async throws {
    let chat = try TelegramChat(more: ", timeout: 10m")
    let desktop = try RecordedDesktop()
    let box = try Sandbox(sinks: [desktop.sink])
    async let telegram = chat.box.belfry("sinks", "test", "phone", "--answer", "--json", options: .at("+0 x20"))
    async let desk = box.belfry("sinks", "test", "desk", "--answer", "--json", options: .at("+0 x5"))
    for outcome in try await [telegram, desk] {
      #expect(outcome.status == 75 && outcome.messages.contains("no answer came back within a minute"), "\(outcome)")
      let result = try #require(try outcome.elements.first)
      #expect(result["outcome"] == .text("delivered") && result["answer"] == .null, "\(outcome)")
    }
  }
}

extension Sandbox {
  /// Starts a test of a sink that waits for an answer; what it says is in the files `tested` and `told`.
  func startSinkTest(_ sink: String, _ options: String...) throws -> ChildProcess {
    let words = [try Programs.belfry, "sinks", "test", sink, "--answer"] + options
    return try start(
      bytes: words.map { Array($0.utf8) },
      RunOptions(output: .writing(path("tested")), messages: .writing(path("told")), isUrgent: true))
  }
}
