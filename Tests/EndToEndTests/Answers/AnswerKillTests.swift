import Foundation
import TestSupport
import Testing

/// An item has rung at a webhook that refuses it, so that a retry waits. A daemon runs beside the web face.
@Suite("kill -9 of the web face at each call of an answer")
struct WebFaceKillTests {
  private let server: HTTPCollector

  init() throws { server = try HTTPCollector(answers: [.init(503)]) }

  /// One round: what a web face does that is killed at a call, and what another one then does.
  private struct Round {
    let box: Sandbox
    let server: HTTPCollector
    let item: RungItem
    let store: DiskStore
    let call: TracedCalls.Call?
    /// The number of the latest answer before.
    let latest: Int
    var name: String { call.map { "\($0)" } ?? "undisturbed" }

    /// The reply of a traced web face; `nil` if it is killed before.
    func traced(_ ask: (RunningWebFace) async throws -> WebReply?) async throws -> WebReply? {
      let face = try await box.webFace([], RunOptions(prefix: box.tracing(store, injecting: call?.kill)))
      let reply = try await ask(face)
      if reply != nil { face.process.killGroup() }
      #expect(await face.process.end == .signalled(SIGKILL), "\(name): \(face.log)")
      #expect(reply == nil || reply?.status == 200, "\(name): \(String(describing: reply))")
      return reply
    }

    /// Presses the action that checks the item, on the page that shows the latest answer.
    func press(_ face: RunningWebFace) async throws -> WebReply? {
      try await face.post("/a/\(item.tokens[0])", "latest=\(latest)")
    }

    func takeBack(_ face: RunningWebFace) async throws -> WebReply? {
      try await face.post("\(item.page)/take-back", "answer=\(latest + 1)", as: .page)
    }

    /// Expects one of two states, and the second one after a reply.
    func expect(_ before: Bell, or after: Bell, _ reply: WebReply?) async throws -> Bell {
      let found = try await Bell(in: box)
      #expect(found == before || found == after, "\(name): half done: \(found)")
      #expect(reply == nil || found == after, "\(name): confirmed and lost: \(found)")
      return found
    }

    /// Expects that a webhook arrives within seconds after the change, long before the retry.
    func expectRing(after change: () async throws -> Void) async throws {
      let known = try rings
      try await change()
      try await waitUntil("\(name): it rings on", within: 20) { try rings > known }
    }

    private var rings: Int {
      get throws { try server.received().count { try JSON($0.text)["type"] == .text("reminder.fired") } }
    }
  }

  /// Runs rounds: an undisturbed one, and then one for each of the calls that it has made.
  private func run(_ store: DiskStore, _ body: (Round) async throws -> WebReply?) async throws {
    let box = try Sandbox(config: RungItem.config(store.config, server))
    let item = try await RungItem.ring(box, server)
    let daemon = try await box.daemon()
    func round(_ call: TracedCalls.Call?, _ latest: Int) async throws -> WebReply? {
      try await body(Round(box: box, server: server, item: item, store: store, call: call, latest: latest))
    }
    #expect(try await round(nil, 0) != nil)
    let calls = TracedCalls(box.trace).chosen()
    var kills = 0
    for (index, call) in calls.enumerated() {
      if try await round(call, index + 1) == nil { kills += 1 }
    }
    // Some calls depend on who used the store before.
    #expect(kills >= 6 && kills >= calls.count / 2, "\(kills) kills at \(calls)")
    #expect(await daemon.stop().end == .exited(0))
    #expect(try await box.json("answers", "-n", "100000").elements?.count == calls.count + 1)
    #expect(try await box.belfry("store", "check").isDone)
    #expect(box.files().filter { $0.hasPrefix(".") } == [], "litter is left")
  }

  @Test("a press is done whole or not at all; repeated, it is done once, with one reply", arguments: DiskStore.allCases)
  func press(store: DiskStore) async throws {
    try await run(store) { round in
      let pressed = try await round.traced(round.press)
      _ = try await round.expect(.ringing, or: .answered, pressed)
      let face = try await round.box.webFace()
      for _ in 1...2 {
        let reply = try #require(try await round.press(face), "\(round.name)")
        let answer = try JSON(reply.body)
        #expect(reply.status == 200 && answer["effect"] == .text("done"), "\(round.name): \(reply)")
        #expect(answer["id"] == .integer(Int64(round.latest + 1)), "\(round.name): \(reply)")
        #expect(pressed == nil || pressed?.body == reply.body, "\(round.name): another reply: \(reply)")
      }
      #expect(try await Bell(in: round.box) == .answered, "\(round.name)")
      try await round.expectRing {
        try await round.box.belfry("take-back", "\(round.latest + 1)").requireDone()
      }
      #expect(try await Bell(in: round.box) == .ringing, "\(round.name)")
      #expect(await face.stop() == .exited(0), "\(round.name): \(face.log)")
      return pressed
    }
  }

  @Test(
    "taking back is done whole or not at all; repeated, it says so, and the bell rings on",
    arguments: DiskStore.allCases)
  func takeBack(store: DiskStore) async throws {
    try await run(store) { round in
      try await round.box.belfry("act", round.item.reminder, "done").requireDone()
      #expect(try await Bell(in: round.box) == .answered, "\(round.name)")
      var back: WebReply?
      try await round.expectRing {
        back = try await round.traced(round.takeBack)
        _ = try await round.expect(.answered, or: .ringing, back)
        let face = try await round.box.webFace()
        for _ in 1...2 {
          let reply = try #require(try await round.takeBack(face), "\(round.name)")
          let notice = try #require(reply.notice, "\(round.name): \(reply)")
          #expect(reply.status == 200 && notice.hasPrefix("Taken back: "), "\(round.name): \(notice)")
          #expect(back == nil || back?.notice == notice, "\(round.name): another reply: \(notice)")
        }
        #expect(await face.stop() == .exited(0), "\(round.name): \(face.log)")
      }
      #expect(try await Bell(in: round.box) == .ringing, "\(round.name)")
      return back
    }
  }
}

@Suite("kill -9 of the daemon at each call after it hears of an answer")
struct DaemonNoticeKillTests {
  private let server: HTTPCollector

  init() throws { server = try HTTPCollector() }

  @Test("it rings no more, and the copy that was delivered is told of the answer", arguments: DiskStore.allCases)
  func notice(store: DiskStore) async throws {
    let box = try Sandbox(config: RungItem.config(store.config, server))
    let before = try await answer(box, store, killedAt: nil)
    let calls = TracedCalls(box.trace).chosen(after: before)
    var kills = 0
    for call in calls {
      if try await answer(box, store, killedAt: call) == nil { kills += 1 }
    }
    #expect(kills >= 6 && kills >= calls.count / 2, "\(kills) kills at \(calls)")
    #expect(try await box.belfry("store", "check").isDone)
    #expect(box.files().filter { $0.hasPrefix(".") } == [], "litter is left")
  }

  /// Answers a new item under a daemon that is killed at a call, then lets another one finish.
  ///
  /// - Returns: the calls that the daemon had made before the answer; `nil` if it was killed.
  private func answer(
    _ box: Sandbox, _ store: DiskStore, killedAt call: TracedCalls.Call?
  ) async throws -> TracedCalls? {
    let name = call.map { "\($0)" } ?? "undisturbed"
    let item = try await RungItem.ring(box, server)
    unlink(box.path(RunningDaemon.log))
    let daemon = try box.startDaemon(prefix: box.tracing(store, injecting: call?.kill))
    try await waitUntil("\(name): it starts") { daemon.log.contains("started") || !daemon.process.isRunning }
    let before = TracedCalls(box.trace)
    try await box.belfry("answer", item.tokens[0]).requireDone()
    try await waitUntil("\(name): the answer is told; log: \(daemon.log)") {
      if !daemon.process.isRunning { return true }
      return try await isSettled(box)
    }
    let isKilled = !daemon.process.isRunning
    daemon.process.killGroup()
    #expect(await daemon.process.end == .signalled(SIGKILL), "\(name): \(daemon.log)")
    if isKilled { try await box.belfry("run", "--once").requireDone() }
    #expect(try await isSettled(box), "\(name)")

    let requests = try server.received().filter { try JSON($0.text)["data"]?["reminder_id"]?.text == item.reminder }
    let types = try requests.map { try JSON($0.text)["type"]?.text }
    #expect(types.first == "reminder.fired" && types.count { $0 == "reminder.fired" } == 1, "\(name): \(types)")
    let updates = requests.dropFirst()
    #expect(isKilled ? 1...2 ~= updates.count : updates.count == 1, "\(name): \(types)")
    #expect(Set(updates.map { $0.field("webhook-id") }).count == 1, "\(name): repeated under another identity")
    return isKilled ? nil : before
  }

  private func isSettled(_ box: Sandbox) async throws -> Bool {
    try await box.json("deliveries", "--state", "pending") == .array([])
  }
}
