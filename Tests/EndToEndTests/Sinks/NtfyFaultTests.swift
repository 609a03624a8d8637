import Foundation
import TestSupport
import Testing

/// Faults between a phone and the daemon, with the built programs.
@Suite("Faults on the way back over ntfy")
struct NtfyFaultTests {
  /// A daemon that has rung some items, and follows the topic of replies.
  private func ring(
    _ texts: [String], _ phone: NtfyPhone
  ) async throws -> (box: Sandbox, daemon: RunningDaemon, rung: [NtfyServer.Message]) {
    let box = try Sandbox(sinks: [phone.sink()])
    try await box.addDueItems(texts)
    let daemon = try await box.daemon()
    let rung = try await phone.rung(texts)
    try await phone.isFollowed()
    try await waitUntil("that is kept; log: \(daemon.log)") {
      try await box.deliveries(of: "phone").allSatisfy { $0["state"] == .text("delivered") }
    }
    return (box, daemon, rung)
  }

  @Test("killed again and again while answers come in, the daemon counts each once")
  func killed() async throws {
    let phone = NtfyPhone(try NtfyServer())
    let (box, first, rung) = try await ring((1...60).map { "item \($0)" }, phone)
    var daemon = first
    for batch in 0..<6 {
      // It is killed while it receives answers, or while it takes up those from before its start.
      let isRunning = batch.isMultiple(of: 2)
      if !isRunning { #expect(await daemon.stop().end == .exited(0)) }
      for message in rung[(batch * 10)..<(batch * 10 + 10)] { try await phone.press("Done", of: message) }
      if !isRunning { daemon = try await box.daemon() }
      if batch > 2 { _ = try await box.answers(batch * 10 + 1, daemon) }
      #expect(await daemon.stop(SIGKILL).end == .signalled(SIGKILL))
      daemon = try await box.daemon()
    }
    let answers = try await box.answers(60, daemon)
    #expect(answers.count == 60 && answers.allSatisfy { $0["effect"] == .text("done") })
    #expect(Set(answers.compactMap { $0["item_id"]?.integer }).count == 60)
    #expect(try await box.ids("show") == [])
    #expect(await daemon.stop().end == .exited(0))
    #expect(try await box.belfry("store", "check").isDone)
  }

  @Test(
    "a stream that fails at a press loses nothing",
    arguments: [NtfyServer.LineFault.cut, .drop, .garbage, .duplicate])
  func line(fault: NtfyServer.LineFault) async throws {
    let phone = NtfyPhone(try NtfyServer())
    let (box, daemon, rung) = try await ring(["Milk", "Bread"], phone)
    try phone.server.fail(line: .message, fault)
    try await phone.press("Done", of: rung[0])
    #expect(try await box.answers(1, daemon).map { $0["item_id"] } == [.integer(1)])
    try await phone.isFollowed()
    try await phone.press("Done", of: rung[1])
    #expect(try await box.answers(2, daemon).count == 2)
    #expect(await daemon.stop().end == .exited(0))
  }

  @Test("a server that lost its messages, or went down for a while, is followed again")
  func restart() async throws {
    let phone = NtfyPhone(try NtfyServer())
    let (box, daemon, rung) = try await ring(["Milk", "Bread", "Oats"], phone)
    let tokens = try rung.map { try $0.token("Done") }
    try await phone.press("Done", of: rung[0])
    _ = try await box.answers(1, daemon)
    try phone.server.restart(keepingState: false)
    try phone.server.publish(tokens[1], to: NtfyPhone.replies)
    #expect(try await box.answers(2, daemon).last?["item_id"] == .integer(2))
    try phone.server.goDown()
    try await waitUntil("the problem is kept; log: \(daemon.log)") {
      try await box.wayBack()["problem"]?.text != nil
    }
    #expect(try await box.wayBack()["needs_attention"] == .bool(false))
    #expect(try await box.belfry("doctor").output.contains("belfryd tries again by itself"))
    try phone.server.comeUp()
    try phone.server.publish(tokens[2], to: NtfyPhone.replies)
    #expect(try await box.answers(3, daemon).last?["item_id"] == .integer(3))
    try await waitUntil("the problem is over; log: \(daemon.log)") { try await box.wayBack()["problem"] == .null }
    #expect(await daemon.stop().end == .exited(0))
    #expect(daemon.log.contains("sink 'phone' receives answers again"), "\(daemon.log)")
  }

  @Test("a flood of rubbish is one line of the log, and a press in it counts")
  func rubbish() async throws {
    let phone = NtfyPhone(try NtfyServer())
    let (box, daemon, rung) = try await ring(["Milk"], phone)
    let token = try rung[0].token("Done")
    let last = token.last == "A" ? "B" : "A"
    for number in 0..<1_000 {
      try phone.server.publish("rubbish \(number) \u{202e}\u{7}<b>", to: NtfyPhone.replies)
      try phone.server.publish(String(token.dropLast()) + last, to: NtfyPhone.replies)
    }
    try phone.server.publish(String(repeating: "x", count: 2_000_000), to: NtfyPhone.replies)
    for line in ["null", "[[[[", "{\"event\":\"message\"}", "\u{0}\u{1b}[2J"] {
      try phone.server.send(line: line, to: NtfyPhone.replies)
    }
    try await phone.press("Done", of: rung[0])
    #expect(try await box.answers(1, daemon).count == 1)
    #expect(await daemon.stop().end == .exited(0))
    let lines = daemon.log.split(separator: "\n").filter { $0.contains("not an answer") }
    #expect(lines.count == 1 && !daemon.log.contains("rubbish"), "\(daemon.log)")
    #expect(try await box.answers(1).count == 1)
  }

  @Test("credentials that the server refuses are told by sinks, doctor and probe, until they are right")
  func credentials() async throws {
    let phone = NtfyPhone(try NtfyServer(credentials: [.token("tk_right")]))
    let box = try Sandbox(sinks: [phone.sink(", token_file: token")])
    try box.write("tk_wrong", to: "token")
    chmod(box.path("token"), 0o600)
    let daemon = try await box.daemon()
    try await waitUntil("it is told; log: \(daemon.log)") { try await box.wayBack()["problem"]?.text != nil }
    let wayBack = try await box.wayBack()
    #expect(wayBack["channel"] == .text("ntfy") && wayBack["problem"]?.text?.contains("401") == true)
    #expect(wayBack["needs_attention"] == .bool(true))
    #expect(try wayBack.moment("since") != nil)
    let shown = try await box.belfry("sinks")
    #expect(shown.output.contains("needs your attention: no answers come in, since "), "\(shown)")
    let doctor = try await box.belfry("doctor")
    #expect(
      doctor.isDone && doctor.output.contains("fix it; 'belfry sinks test phone --answer' checks it"), "\(doctor)")
    let probe = try await box.belfry("config", "check", "--probe")
    #expect(probe.status == 69 && probe.messages.contains("the reply topic cannot be read"), "\(probe)")
    try box.write("tk_right", to: "token")
    // It reconnects at once.
    daemon.process.send(SIGHUP)
    try await phone.isFollowed()
    try await waitUntil("the problem is over; log: \(daemon.log)") { try await box.wayBack()["problem"] == .null }
    #expect(try await box.belfry("config", "check", "--probe").isDone)
    #expect(try await box.belfry("sinks").output.contains("enabled, takes answers"))
    #expect(try await box.belfry("doctor").output.contains("webhook, takes answers"))
    #expect(await daemon.stop().end == .exited(0))
    #expect(!daemon.log.contains("tk_"), "\(daemon.log)")
  }
}
