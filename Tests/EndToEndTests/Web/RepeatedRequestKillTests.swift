import Foundation
import Testing

/// Requests that add an item under an Idempotency-Key, sent again until they have a reply.
@Suite("kill -9 of the web face in requests with an Idempotency-Key")
struct RepeatedRequestKillTests {
  /// A store, and a token that adds to it.
  private struct Place {
    let box: Sandbox
    private let authorization: String

    init(_ store: DiskStore) async throws {
      box = try Sandbox(config: store.config + "\nweb: { listen: 127.0.0.1:0 }\n")
      // Makes the store and its list.
      try await box.belfry("add", "Before").requireDone()
      let added = try await box.belfry("access", "add", "phone", "--scope", "edit")
      let token = try #require(added.output.firstMatch(of: #/bfy_\S+/#).map { String($0.output) }, "\(added)")
      authorization = "Authorization: Bearer \(token)"
    }

    /// Adds an item under a new key; `nil` if the web face is killed before it replies.
    func add(_ text: String, _ face: RunningWebFace) async throws -> WebReply? {
      let headers = [authorization, "Content-Type: application/json", "Idempotency-Key: \(text)"]
      return try await face.post("/api/v1/items", #"{"text": "\#(text)", "due": "2096-12-24"}"#, headers: headers)
    }

    /// Expects each item once, and its one ring.
    func expectOnce(_ texts: [String]) async throws {
      for words in [["show", "--all"], ["pending"]] {
        let outcome = try await box.run([Programs.belfry] + words + ["--json"], RunOptions())
        let found = try outcome.elements.compactMap { $0["text"]?.text }.filter { $0 != "Before" }
        #expect(found.sorted() == texts.sorted(), "\(words)")
      }
      #expect(try await box.belfry("store", "check").isDone)
      #expect(box.files().filter { $0.hasPrefix(".") } == [], "litter is left")
    }
  }

  @Test("at each call, it takes effect once, with one reply", arguments: [DiskStore.sqlite, .json])
  func eachCall(store: DiskStore) async throws {
    let place = try await Place(store)
    /// The reply of a traced web face; `nil` if it is killed before.
    func traced(_ text: String, killedAt call: TracedCalls.Call?) async throws -> WebReply? {
      let prefix = place.box.tracing(store, withAccess: true, injecting: call?.kill)
      let face = try await place.box.webFace([], RunOptions(prefix: prefix))
      let reply = try await place.add(text, face)
      if reply != nil { face.process.killGroup() }
      #expect(await face.process.end == .signalled(SIGKILL), "\(text): \(face.log)")
      return reply
    }
    #expect(try await traced("undisturbed", killedAt: nil)?.status == 201)
    let calls = TracedCalls(place.box.trace).chosen()
    var kills = 0
    for call in calls {
      let first = try await traced("\(call)", killedAt: call)
      if first == nil { kills += 1 }
      let face = try await place.box.webFace()
      for _ in 1...2 {
        let reply = try #require(try await place.add("\(call)", face), "\(call): \(face.log)")
        #expect(reply.status == 201, "\(call): \(reply)")
        #expect(first == nil || first?.body == reply.body, "\(call): another reply: \(reply)")
      }
      #expect(await face.stop() == .exited(0), "\(call): \(face.log)")
    }
    // Some calls depend on who used the store before.
    #expect(kills >= 6 && kills >= calls.count / 2, "\(kills) kills at \(calls)")
    try await place.expectOnce(calls.map { "\($0)" } + ["undisturbed"])
  }

  @Test("amid many of them, each takes effect once, with one reply", arguments: DiskStore.allCases)
  func amidMany(store: DiskStore) async throws {
    let place = try await Place(store)
    var all: [String] = []
    var kills = 0
    // The web face is killed when so many replies have arrived, in the middle of others: each change takes a while to
    // reach this disk.
    let slowDisk = [
      "/usr/bin/strace", "-f", "-qq", "-o", place.box.path("trace"), "-e", "inject=fdatasync,fsync:delay_enter=20000",
    ]
    // On a busy machine a kill may come after the last reply; then there is another round.
    for round in 0..<25 where round < 5 || kills < 3 {
      let enough = 1 + round * 3 % 15
      let texts = (1...16).map { "\(round) of \($0)" }
      var replies: [String: Set<String>] = [:]
      for attempt in 1...3 {
        let face = try await place.box.webFace([], RunOptions(prefix: attempt == 1 ? slowDisk : []))
        try await withThrowingTaskGroup(of: (String, WebReply?).self) { group in
          for text in texts { group.addTask { (text, try await place.add(text, face)) } }
          var came = 0
          for try await case (let text, let reply?) in group {
            #expect(reply.status == 201, "\(text): \(reply)")
            replies[text, default: []].insert(reply.body)
            came += 1
            if attempt == 1, came == enough { face.process.killGroup() }
          }
          if attempt > 1 {
            #expect(came == texts.count, "a request had no reply, and no kill explains it: \(face.log)")
          } else if came < texts.count {
            kills += 1
          }
        }
        if attempt > 1 { #expect(await face.stop() == .exited(0), "\(face.log)") }
      }
      #expect(replies.keys.sorted() == texts.sorted() && replies.values.allSatisfy { $0.count == 1 }, "\(replies)")
      all += texts
    }
    #expect(kills >= 3, "the test has to meet requests that were killed: \(kills)")
    try await place.expectOnce(all)
  }
}
