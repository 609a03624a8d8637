import AnswerTokens
import BelfryTestKit
import Foundation
import Testing
import WebAccess

@testable import BelfryEngine
@testable import BelfryModel
@testable import BelfryWeb
@testable import CivilTime

/// An item that has rung at 09:00 in Zurich on 2026-11-21, and the server whose page answers it.
struct RungReminder {
  static let browser = "Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\n"
  static let program = "Accept: application/json\r\n"

  let server: Server
  let reminder: UUID
  private let rangAt: Date
  private let ring: KeyRing

  /// - Parameters:
  ///   - late: the seconds after which it rings.
  ///   - actions: the actions that it offers; done, later, noted and throw away by default.
  init(
    _ text: String = "Milk", list: String = "Groceries", late: Double = 0, actions: [CategoryAction]? = nil,
    notes: String? = nil, settings web: WebSettings = .freePort
  ) throws {
    var settings = Settings()
    settings.timeZone = .named("Europe/Zurich")
    settings.actions = try actions ?? Self.actions()
    server = try Server(web, belfry: settings)
    server.time.now = try #require(parseRFC3339("2026-11-21T08:00:00+01:00"))
    let due = try #require(WallTime(parsing: "2026-11-21T09:00"))
    let draft = ItemDraft(
      text: text, notes: notes, due: due, zone: .floating, shouldRemind: true, alerts: [], category: nil)
    _ = try server.belfry.add([draft], to: ListChoice(list, createsMissing: true))
    server.time.now = try #require(parseRFC3339("2026-11-21T09:00:00+01:00")).addingTimeInterval(late)
    try server.belfry.ring()
    let fired = try server.belfry.store.read { try $0.reminders(of: .item(1), at: nil, state: .fired) }
    reminder = try #require(fired.first).id
    rangAt = server.time.now
    ring = try server.keys.make(at: server.time.now)
  }

  /// Actions of each kind; the fourth destroys something.
  static func actions() throws -> [CategoryAction] {
    [
      CategoryAction(identifier: "done", title: "Done", operation: .check),
      CategoryAction(identifier: "later", title: "Later", operation: .snooze(try CalendarDuration(parsing: "1h"))),
      CategoryAction(identifier: "noted", title: "Noted", operation: .acknowledge),
      CategoryAction(identifier: "away", title: "Throw away", operation: .delete),
    ]
  }

  /// A token of an action, 0 for the page; valid for a week by default.
  func token(
    _ action: UInt16 = 0, person: Int64 = 0, hours: Int = 168, use: TokenUse = .link, of other: UUID? = nil
  ) -> String {
    let epoch = 1_577_836_800.0
    let rang = ((rangAt.timeIntervalSince1970 - epoch) / 3_600).rounded(.up)
    let expiry = TokenExpiry(hours: UInt32(rang) + UInt32(hours))
    return ring.sign(
      AnswerToken(
        reminder: other ?? reminder, action: action, person: UInt16(clamping: person), expiry: expiry), for: use)
  }

  /// The page, as a browser sees it.
  func page(_ token: String) async throws -> Reply { try await server.get("/a/\(token)", Self.browser) }

  /// A press of an action's button, as on a page, or without a page.
  func press(_ action: UInt16, latest: Int64? = nil, _ fields: String = browser) async throws -> Reply {
    try await server.post("/a/\(token(action))", fields, body: latest.map { "latest=\($0)" } ?? "")
  }

  /// Everything in the store, as one text.
  func digest() throws -> StoreDigest { try server.belfry.store.read(StoreDigest.init) }

  /// The item, as `Milk` or `Milk checked`; `nil` if it was deleted.
  func item() throws -> String? {
    try server.belfry.store.read { try $0.item(id: 1) }.map { "\($0.item.text)\($0.item.isChecked ? " checked" : "")" }
  }

  /// Every answer, oldest first, as `done done` or `later already`.
  func answers() throws -> [String] {
    try server.belfry.store.read { try $0.answers(of: .item(1)) }.map { "\($0.action) \($0.effect.name)" }
  }

  /// The minutes of the hour at which it will ring once more.
  func extraRinging() throws -> [Int] {
    try server.belfry.store.read { try $0.reminders(of: .item(1), at: nil, state: .scheduled) }
      .map { Int($0.fireDate.date.timeIntervalSince1970 / 60) % 60 }
  }

  /// The Cookie field of a session that signs in now.
  func session(_ grant: Access.Grant = Access.Grant(scope: .answer)) throws -> String {
    let now = server.time.now
    let link = try server.access.makeLink(for: grant, at: now)
    let secret = try #require(try server.access.openSession(link: link, lasting: 43_200, at: now))
    return "Cookie: belfry=\(secret)\r\n"
  }
}

extension Belfry {
  /// Claims what is due for one sink.
  func ring() throws {
    try change { change in
      var claim = try Claim(
        change: change, settings: settings, sinks: [ActiveSink(name: "sink", sink: RecordingSink())])
      _ = try claim.claimDue(ClaimBatch(limit: 100))
    }
  }
}

/// A form of a page, as a robot reads it.
struct PageForm {
  let action: String
  let body: String
  let label: String

  static func all(in page: String) -> [PageForm] {
    let forms = #/<form method="post" action="([^"]+)"[^>]*>(.*?)<button[^>]*>(.*?)<\/button>/#
    return page.matches(of: forms.dotMatchesNewlines()).map { form in
      let fields = form.2.matches(of: #/name="(\w+)" value="(\d+)"/#).map { "\($0.1)=\($0.2)" }
      return PageForm(action: String(form.1), body: fields.joined(separator: "&"), label: String(form.3))
    }
  }
}

extension Server {
  /// Presses a form as a robot does.
  func press(_ form: PageForm, _ fields: String = RungReminder.browser) async throws -> Reply {
    try await post(form.action, fields, body: form.body)
  }
}
