import BelfryTestKit
import Foundation
import Testing
import WebAccess

@testable import BelfryEngine
@testable import BelfryModel
@testable import BelfryWeb
@testable import CivilTime

@Suite("The pages of deliveries, answers and sinks")
struct DeliveriesPageTests {
  /// A server with items of two lists that rang at 10:00; the deliveries have the numbers 1 and 2.
  private func rung() throws -> PageFixture {
    let fixture = try PageFixture()
    try fixture.add(["Milk"], due: "2026-11-21T10:00")
    try fixture.add(["Rent"], to: "Home", due: "2026-11-21T10:00")
    fixture.server.time.advance(by: 3_600)
    try fixture.server.belfry.ring()
    return fixture
  }

  private func giveUp(_ fixture: PageFixture) throws {
    _ = try fixture.server.belfry.closeDeliveries(exceptOf: [])
  }

  private func states(_ fixture: PageFixture) throws -> [Delivery.State] {
    try fixture.server.belfry.store.read { view in
      var states: [Int64: Delivery.State] = [:]
      try view.forEachDelivery(state: nil, limit: nil) { delivery, _ in states[delivery.id] = delivery.state }
      return states.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  private func answer(_ fixture: PageFixture) throws {
    let reminder = try #require(
      try fixture.server.belfry.store.read { try $0.reminders(of: .item(1), at: nil, state: .fired) }.first)
    _ = try fixture.server.belfry.answer(
      Press(reminder: reminder.id, choice: .identifier("done"), channel: .web, author: .name("anna")))
  }

  @Test("each shows its course from the plan to its end, and why it did not arrive")
  func course() async throws {
    let fixture = try rung()
    let visitor = try fixture.visitor()
    let pending = try await fixture.server.get("/deliveries", visitor).body
    for words in ["planned for Sat 21 Nov 2026 10:00 CET", "claimed Sat 21 Nov 2026 10:00:00 CET", "next attempt "] {
      #expect(pending.contains(words), "\(words)")
    }
    try giveUp(fixture)
    let dead = try await fixture.server.get("/deliveries?state=dead", visitor).body
    let reason = "the sink &#39;sink&#39; is switched off or not in the config"
    #expect(dead.contains("given up Sat 21 Nov 2026 10:00:00 CET: \(reason)"))
    #expect(dead.contains(">2 deliveries given up</a>"))
  }

  @Test("a long text is cut, since its own page has the whole")
  func long() async throws {
    let fixture = try PageFixture()
    try fixture.add([String(repeating: "Ask about the key. ", count: 50)], due: "2026-11-21T10:00")
    fixture.server.time.advance(by: 3_600)
    try fixture.server.belfry.ring()
    let page = try await fixture.server.get("/deliveries", fixture.visitor()).body
    let title = try #require(page.firstMatch(of: #/class="brief"[^>]*>([^<]*)<\/a>/#)).1
    #expect(title.hasPrefix("Ask about the key.") && title.hasSuffix("…") && title.count < 300, "\(title)")
  }

  @Test("one failed delivery is tried again, several are", arguments: [1, 2])
  func failing(count: Int) async throws {
    let fixture = try PageFixture()
    for text in ["Milk", "Bread"].prefix(count) { try fixture.add([text], due: "2026-11-21T10:00") }
    fixture.server.time.advance(by: 3_600)
    try fixture.server.belfry.ring()
    try fixture.server.belfry.store.write { transaction in
      for id in 1...Int64(count) {
        var delivery = try #require(try transaction.delivery(id: id))
        delivery.attempts = 1
        try transaction.update(delivery)
      }
    }
    let body = try await fixture.server.get("/deliveries", fixture.visitor()).body
    #expect(
      body.contains(
        count == 1
          ? ">1 delivery failed so far</a>, and is tried again" : ">2 deliveries failed so far</a>, and are tried again"
      ))
  }

  @Test("they are filtered by state, sink and list")
  func filter() async throws {
    let fixture = try rung()
    let visitor = try fixture.visitor()
    let pages: KeyValuePairs = [
      "": 2, "?state=pending": 2, "?state=dead": 0, "?sink=sink": 2, "?sink=mail": 0, "?list=2": 1, "?before=2": 1,
      "?before=1": 0, "?list=1&before=2": 1, "?list=2&before=2": 0,
      "?state=&sink=&list=": 2,
    ]
    for (query, count) in pages {
      let body = try await fixture.server.get("/deliveries\(query)", visitor).body
      #expect(body.matches(of: #/<li id="d\d+">/#).count == count, "\(query)")
    }
    #expect(try await fixture.server.get("/deliveries?state=lost", visitor).status == 400)
    #expect(try await fixture.server.get("/deliveries?list=9", visitor).status == 404)
  }

  @Test("fifty stand on a page")
  func pages() async throws {
    let fixture = try PageFixture()
    for number in 0..<51 {
      try fixture.add(["Item \(number)"], due: "2026-11-21T\(10 + number / 50):\(10 + number % 50)")
    }
    fixture.server.time.advance(by: 3 * 3_600)
    try fixture.server.belfry.ring()
    let visitor = try fixture.visitor()
    #expect(try states(fixture).count == 51)
    let first = try await fixture.server.get("/deliveries", visitor).body
    #expect(first.matches(of: #/<li id="d\d+">/#).count == 50)
    #expect(first.contains("href=\"/deliveries?before=2\" rel=\"next\""))
    let second = try await fixture.server.get("/deliveries?before=2", visitor).body
    #expect(second.matches(of: #/<li id="d\d+">/#).count == 1)
    #expect(second.contains("href=\"/deliveries\" rel=\"first\""))
  }

  @Test("a dead one is retried and a pending one discarded, each after a page that asks")
  func steps() async throws {
    let fixture = try rung()
    let visitor = try fixture.visitor()
    let early = try await fixture.server.get("/deliveries/1/retry", visitor)
    #expect(early.status == 409 && early.body.contains("This delivery is waiting: retry is for what is given up."))
    let asked = try await fixture.server.get("/deliveries/1/discard", visitor).body
    #expect(asked.contains("Discard Milk?") && asked.contains("sink never gets this"))
    #expect(try states(fixture) == [.pending, .pending])
    let discarded = try await fixture.submit("/deliveries/1/discard", [:], visitor).body
    #expect(discarded.contains("The delivery was discarded") && !discarded.contains("action=\"/undo\""))
    try giveUp(fixture)
    #expect(try states(fixture) == [.discarded, .dead])
    let retry = try await fixture.server.get("/deliveries/2/retry", visitor).body
    #expect(retry.contains("Retry Rent?") && retry.contains("so this will fail again"))
    _ = try await fixture.submit("/deliveries/2/retry", [:], visitor)
    #expect(try states(fixture) == [.discarded, .pending])
    try giveUp(fixture)
    let away = try await fixture.server.get("/deliveries/2/discard", visitor).body
    #expect(away.contains("Discard Rent?") && away.contains("href=\"/deliveries?state=dead\""))
    #expect(try await !fixture.submit("/deliveries/2/discard", [:], visitor).body.contains("given up</a>"))
    #expect(try states(fixture) == [.discarded, .discarded])
    #expect(try await fixture.post("/deliveries/2/discard", [:], fixture.visitor(.edit)).status == 403)
    #expect(try await fixture.post("/deliveries/9/discard", [:], visitor).status == 404)
  }

  @Test("equal failures are told once, and retried and discarded together, or all")
  func together() async throws {
    let fixture = try rung()
    let visitor = try fixture.visitor()
    try giveUp(fixture)
    let dead = try await fixture.server.get("/deliveries?state=dead", visitor).body
    #expect(dead.contains("2 deliveries to sink") && dead.contains("Retry all 2…") && dead.contains("Retry every one…"))
    #expect(dead.contains("Discard all 2…") && dead.contains("href=\"/deliveries/discard?all=dead\""))
    let asked = try await fixture.server.get("/deliveries/retry?id=2&id=1", visitor).body
    #expect(asked.contains("Retry 2 deliveries?") && asked.contains("name=\"id\" value=\"2\""))
    let retried = try await fixture.submit("/deliveries/retry", ["id": "2", "id": "1"], visitor).body
    #expect(retried.contains("<strong>2 deliveries are tried again within a minute</strong>."))
    #expect(try states(fixture) == [.pending, .pending])
    let every = try await fixture.server.get("/deliveries/discard?all=pending", visitor).body
    #expect(every.contains("Discard 2 deliveries?"))
    let some = try fixture.visitor(lists: ["Home"])
    #expect(try await fixture.post("/deliveries/discard", ["id": "1", "id": "2"], some).status == 404)
    _ = try await fixture.submit("/deliveries/discard", ["all": "pending"], some)
    #expect(try states(fixture) == [.pending, .discarded])
    #expect(try await fixture.server.get("/deliveries/retry?all=dead", visitor).status == 404)
    #expect(try await fixture.server.get("/deliveries/retry?all=yes", visitor).status == 400)
    #expect(try await fixture.post("/deliveries/retry", ["all": "dead"], visitor).status == 404)
    try giveUp(fixture)
    _ = try await fixture.submit("/deliveries/discard", ["all": "dead"], visitor)
    #expect(try states(fixture) == [.discarded, .discarded])
  }

  @Test("a receiver's words that only look like the time of an attempt do no harm", arguments: ["after", "5 ms after"])
  func receiversWords(before: String) async throws {
    let fixture = try PageFixture()
    try fixture.add(["Milk"], due: "2026-11-21T10:00")
    fixture.server.time.advance(by: 3_600)
    try fixture.server.belfry.ring()
    try giveUp(fixture)
    try fixture.server.belfry.store.write { transaction in
      var delivery = try #require(try transaction.delivery(id: 1))
      delivery.lastError = "HTTP 500: after \(before) after 5 ms"
      try transaction.update(delivery)
    }
    let page = try await fixture.server.get("/deliveries?state=dead", fixture.visitor())
    #expect(page.status == 200 && page.body.contains("HTTP 500"))
  }

  @Test("equal failures are told once also where others are between them, and so are equal attempts")
  func apart() async throws {
    let fixture = try PageFixture()
    for text in ["Milk", "Bread", "Eggs", "Salt"] { try fixture.add([text], due: "2026-11-21T10:00") }
    fixture.server.time.advance(by: 3_600)
    try fixture.server.belfry.ring()
    try giveUp(fixture)
    let start = fixture.server.time.now
    try fixture.server.belfry.store.write { transaction in
      for id in Int64(1)...4 {
        var delivery = try #require(try transaction.delivery(id: id))
        delivery.lastError = id.isMultiple(of: 2) ? "HTTP 503 {\"id\": \(id)}" : "no answer after \(id) ms: away"
        try transaction.update(delivery)
      }
      for (number, words) in [
        "no answer after 5 ms: away", "no answer after 0 ms: away", "no answer after 9 ms: away", "HTTP 503",
      ].enumerated() {
        try transaction.add(
          AttemptRecord(deliveryID: 1, startedAt: start + Double(number * 60), outcome: .later, words: words))
      }
    }
    let body = try await fixture.server.get("/deliveries?state=dead", fixture.visitor()).body
    #expect(body.matches(of: /2 deliveries to sink/).count == 2 && body.matches(of: /Retry all 2…/).count == 2)
    #expect(
      body.contains("<li dir=\"auto\">tried 3 times, Sat 21 Nov 2026 10:00 CET to 10:02, put off: no answer: away</li>")
    )
    #expect(body.contains("tried Sat 21 Nov 2026 10:03:00 CET, put off: HTTP 503"))
    #expect(body.contains("<strong dir=\"auto\">no answer: away</strong>"))
  }

  @Test("a right to some lists shows and changes nothing of others")
  func lists() async throws {
    let fixture = try rung()
    try answer(fixture)
    let visitor = try fixture.visitor(lists: ["Home"])
    for path in ["/deliveries", "/answers"] {
      let body = try await fixture.server.get(path, visitor).body
      #expect(!body.contains("Milk") && !body.contains("Groceries"), "\(path)")
      #expect(!body.contains("href=\"/sinks\""), "\(path)")
    }
    #expect(try await fixture.server.get("/deliveries", visitor).body.contains("Rent"))
    let before = try fixture.digest()
    for path in ["/deliveries/1/discard", "/deliveries/1/retry", "/answers/1/take-back"] {
      #expect(try await fixture.post(path, [:], visitor).status == 404, "\(path)")
    }
    #expect(try await fixture.server.get("/sinks", visitor).status == 403)
    #expect(try fixture.digest() == before)
  }

  @Test("answers say who, what and by which way, and are taken back once")
  func answers() async throws {
    let fixture = try rung()
    try answer(fixture)
    let visitor = try fixture.visitor(.answer)
    let body = try await fixture.server.get("/answers", visitor).body
    for words in ["<strong>done</strong>", "by Anna over web", "Milk", "action=\"/answers/1/take-back\""] {
      #expect(body.contains(words), "\(words)")
    }
    #expect(try fixture.item(1)?.isChecked == true)
    let after = try await fixture.submit("/answers/1/take-back", ["back": "/answers"], visitor).body
    #expect(try fixture.item(1)?.isChecked == false && after.contains("The answer was taken back"))
    #expect(after.contains("taken back today 10:00") && !after.contains("/take-back\""))
    #expect(try await fixture.post("/answers/1/take-back", [:], fixture.visitor(.read)).status == 403)
  }
}
