import Foundation
import TestSupport
import Testing

@Suite("belfry sinks test --answer", .timeLimit(.minutes(10)))
struct SinkTestAnswerTests {
  /// Starts a test that waits for an answer.
  private func start(_ box: Sandbox, _ options: String...) throws -> ChildProcess {
    let words = [try Programs.belfry, "sinks", "test", "phone", "--answer"] + options
    return try box.start(
      bytes: words.map { Array($0.utf8) },
      RunOptions(output: .writing(box.path("tested")), messages: .writing(box.path("told")), isUrgent: true))
  }

  private func message(_ phone: NtfyPhone) async throws -> NtfyServer.Message {
    try #require(try await phone.rung(["Belfry's test of the sink 'phone': it works"]).first)
  }

  @Test("a press ends it with 0 and is told; the store knows nothing of it", arguments: [false, true])
  func pressed(isDaemonRunning: Bool) async throws {
    let phone = NtfyPhone(try NtfyServer())
    let box = try Sandbox(sinks: [phone.sink()])
    let daemon = isDaemonRunning ? try await box.daemon() : nil
    if isDaemonRunning { try await phone.isFollowed() }
    let test = try start(box, "-v")
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
    let test = try start(box, "--json")
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
    let test = try start(box)
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
    #expect(refused.messages.contains("stop belfryd for the test"), "\(refused)")
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
}
