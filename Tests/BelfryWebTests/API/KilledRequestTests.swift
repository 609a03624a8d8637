import BelfryTestKit
import CivilTime
import Foundation
import JSONStore
import MemoryStore
import OrderedJSON
import SQLiteStore
import Testing

@testable import BelfryEngine
@testable import BelfryModel
@testable import BelfryWeb

/// Every operation that takes an Idempotency-Key, and a process that is killed at each commit of it.
@Suite("Requests whose process is killed")
struct KilledRequestTests {
  enum Kind: String, CaseIterable, Sendable {
    case memory
    case sqlite
    case json
  }

  /// A request to an operation, on a server that has something to change.
  private struct Example {
    let path: String
    var body = ""
    var type = "application/json"
    var base = "/api/v1"
    /// Makes what the request needs, and returns the value of `R` in its path.
    var prepare: @Sendable (APIServer, _ token: String) async throws -> String = { _, _ in "" }

    init(
      _ path: String, _ body: String = "", type: String = "application/json", base: String = "/api/v1",
      _ prepare: @escaping @Sendable (APIServer, _ token: String) async throws -> String = { _, _ in "" }
    ) {
      (self.path, self.body, self.type, self.base, self.prepare) = (path, body, type, base, prepare)
    }
  }

  private static let alert =
    #"{"labels": {"alertname": "Once"}, "annotations": {}, "startsAt": "2026-11-21T07:00:00Z", "status": "firing"}"#

  private static let examples: [String: Example] = [
    "addList": Example("/lists", #"{"name": "Once"}"#),
    "addItem": Example("/items", #"{"text": "Once", "due": "tomorrow 9am"}"#),
    "addListItem": Example("/lists/1/items", #"{"text": "Once"}"#),
    "addLine": Example("/inbox", #"{"line": "Once tomorrow 9am"}"#),
    "checkItem": Example("/items/1/check", "", repeating),
    "uncheckItem": Example("/items/1/uncheck") { api, token in
      _ = try await repeating(api, token)
      return try await sent("/items/1/check", api, token)
    },
    "snoozeItem": Example("/items/1/snooze", #"{"for": "2h"}"#),
    "moveItem": Example("/items/1/move", #"{"last": true}"#),
    "retryDelivery": Example("/deliveries/1/retry") { api, _ in
      _ = try api.ring()
      try api.server.belfry.store.write { transaction in
        var delivery = try #require(try transaction.delivery(id: 1))
        (delivery.state, delivery.closedAt, delivery.nextAttemptAt) = (.dead, api.server.time.now, nil)
        try transaction.update(delivery)
      }
      return ""
    },
    "discardDelivery": Example("/deliveries/1/discard") { api, _ in "\(try api.ring())" },
    "answerReminder": Example("/reminders/R/actions/later", "", rung),
    "takeAnswerBack": Example("/answers/1/take-back") { api, token in
      try await sent("/reminders/\(rung(api, token))/actions/done", api, token)
    },
    "import": Example("/import?format=todo.txt", "Once\nTwice\n", type: "text/plain"),
    "undo": Example("/undo") { api, token in try await sent("/items/2/check", api, token) },
    "redo": Example("/redo") { api, token in
      _ = try await sent("/items/2/check", api, token)
      return try await sent("/undo", api, token)
    },
    "takeWebhook": Example("/alertmanager?list=Home", #"{"version": "4", "alerts": [\#(alert)]}"#),
    "takeAlerts": Example("/alerts?list=Home", "[\(alert)]", base: "/api/v2"),
  ]

  private static func sent(_ path: String, _ api: APIServer, _ token: String) async throws -> String {
    let reply = try await api.send("POST", path, as: token)
    #expect(reply.status == 200, "\(path) \(reply)")
    return ""
  }

  @Sendable private static func rung(_ api: APIServer, _: String) throws -> String {
    "\(try api.ring())".lowercased()
  }

  @Sendable private static func repeating(_ api: APIServer, _ token: String) async throws -> String {
    let reply = try await api.send("PATCH", "/items/1", #"{"repeat": "daily"}"#, as: token, "If-Match: *\r\n")
    #expect(reply.status == 200, "\(reply)")
    return ""
  }

  /// A server on which an example can be tried.
  private struct Trial {
    let api: APIServer
    let store: KilledStore
    private let token: String
    private let path: String
    private let example: Example
    private let folder: TemporaryFolder

    init(_ example: Example, in kind: Kind) async throws {
      folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
      let inner: any ItemStore =
        switch kind {
        case .memory: MemoryStore()
        case .sqlite: SQLiteStore(path: folder.file("store"))
        case .json: JSONStorePlugin.store(path: folder.file("store"))
        }
      store = KilledStore(inner)
      var settings = Settings()
      settings.timeZone = .named("Europe/Zurich")
      settings.defaultList = "Home"
      api = try APIServer(try Server(store: store, belfry: settings))
      token = try api.token()
      self.example = example
      path = example.path.replacing("R", with: try await example.prepare(api, token))
    }

    func send() async throws -> Reply {
      try await api.send(
        "POST", path, example.body, as: token, "Idempotency-Key: 1\r\n", type: example.type, base: example.base)
    }

    /// What the requests have done, apart from identities and times.
    func effect() throws -> [String] {
      try store.read { view in
        var words = try view.lists().map(\.name)
        try view.forEachItem(ItemQuery(checked: .any, order: .place)) { listing in
          let item = listing.item
          words.append("\(item.id) \(item.text) \(item.isChecked) \(item.due.map { "\($0.local)" } ?? "")")
        }
        try view.forEachAnswer(limit: nil) { words.append("\($0.action) \($0.takenBackAt != nil)") }
        try view.forEachDelivery(state: nil, limit: nil) { delivery, _ in words.append("\(delivery.state)") }
        try view.forEachPending(limit: nil) { words.append("\($0.text) \($0.reminder.occurrence.kind.name)") }
        return words.sorted()
      }
    }
  }

  /// A body without the parts that differ from run to run.
  private func plain(_ reply: Reply) -> String {
    reply.body.replacing(/[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}/, with: "U")
  }

  @Test(
    "each operation takes effect once, with one reply, whichever commit its process was killed at",
    arguments: Kind.allCases)
  func once(kind: Kind) async throws {
    let document = try await APIServer().server.get("/api/openapi.json").json
    let paths = try #require(document["paths"]?.objectValue?.members)
    let operations = paths.compactMap { $0.value["post"]?["operationId"]?.stringValue }
    // A test of a sink changes nothing in the store, and is tested separately.
    #expect(Set(operations).subtracting(["testSink"]) == Set(Self.examples.keys))
    for (name, example) in Self.examples {
      let control = try await Trial(example, in: kind)
      control.store.start(until: nil)
      let usual = try await control.send()
      #expect((200..<300).contains(usual.status), "\(name) \(usual)")
      let (effect, commits) = (try control.effect(), control.store.commits)
      #expect(commits > 0, "\(name)")
      for moment in (1...commits).flatMap({ [KilledStore.Moment.before($0), .after($0)] }) {
        let trial = try await Trial(example, in: kind)
        let words: Comment = "\(name) killed \(moment)"
        trial.store.start(until: moment)
        #expect(try await trial.send().status == 500, words)
        trial.store.start(until: nil)
        // Whatever counts from now would be another one, done again.
        if case .after = moment { trial.api.server.time.advance(by: 120) }
        let first = try await trial.send()
        let second = try await trial.send()
        #expect(first.status == usual.status && second.status == usual.status, "\(words): \(first)")
        #expect(first.body == second.body && first["location"] == second["location"], words)
        if moment == .after(commits) { #expect(plain(first) == plain(usual), words) }
        #expect(try trial.effect() == effect, words)
      }
    }
  }

  @Test("a test of a sink is never made twice, and a lost result is told")
  func sinkTest() async throws {
    let daemon = try ScriptedDaemon()
    let runs = daemon.folder.file("runs")
    let store = KilledStore(MemoryStore())
    let api = try daemon.api("echo run >>'\(runs)'; echo '[]'", store: store)
    let token = try api.token()
    let send = { (key: Int) in
      try await api.send("POST", "/sinks/screen/test", as: token, "Idempotency-Key: \(key)\r\n")
    }
    for _ in 1...2 { #expect(try await send(1).body == "[]\n") }
    store.start(until: .after(1))
    #expect(try await send(2).status == 500)
    store.start(until: nil)
    for _ in 1...2 { #expect(try await send(2).status == 409) }
    #expect(try String(contentsOfFile: runs, encoding: .utf8) == "run\n")
  }
}
