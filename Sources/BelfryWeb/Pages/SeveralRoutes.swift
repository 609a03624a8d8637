import BelfryEngine
import BelfryModel
import CivilTime
import Hummingbird
import WebAccess

/// Changes of several items at once, which are one change to undo.
struct SeveralRoutes: RouteGroup {
  // Hardly anyone selects more by hand.
  private static let most = 500
  private static let hour = CalendarDuration(days: 0, minutes: 60)

  let calls: StoreCalls

  var routes: [WebRoute] {
    [WebRoute(method: .post, path: "/items/several", right: .scope(.edit)) { try await change($0, $1) }]
  }

  /// The change of each item.
  fileprivate enum Step: Sendable {
    case check, snooze, delete
    case postpone(QuickDate)
    case move(Int64)

    init(_ fields: FormFields) throws(Problem) {
      switch try fields.text("do") ?? "" {
      case "check": self = .check
      case "snooze": self = .snooze
      case "delete": self = .delete
      case "move":
        guard let list = try fields.number("list") else { throw Problem(.badRequest, "the form names no list") }
        self = .move(list)
      case let word:
        guard let date = QuickDate(rawValue: word) else { throw Problem(.badRequest, "the form names no step") }
        self = .postpone(date)
      }
    }
  }

  private func change(_ request: Request, _ context: WebContext) async throws -> Response {
    let visitor = try context.signedIn()
    let sent = try await FormFields(request, upTo: FormFields.mostText)
    let (step, rows, back) = (try Step(sent), try sent.numbers("row"), try WayBack.path(sent, or: "/lists"))
    guard !rows.isEmpty else { return .leading(to: back) }
    guard rows.count <= Self.most else {
      throw Problem(.badRequest, "\(rows.count) items are too many at once", hint: "choose at most \(Self.most)")
    }
    let (edits, skipped, deed) = try await calls.read(for: visitor) { [settings = calls.belfry.settings] sight in
      // An item that was deleted elsewhere must not keep the others from their change.
      let present = try rows.filter { try sight.itemIfPresent($0) != nil }
      let chosen = try (present.isEmpty ? rows : present).map { try sight.item($0).item }
      let items = try chosen.filter { try step.concerns($0, sight.reading) }
      let skipped = Set(chosen.map(\.id)).subtracting(items.map(\.id))
      return (
        try items.map { (id: $0.id, edit: try step.edit(of: $0, sight, settings)) },
        SkippedItems(rows.filter(skipped.contains)), step.deed(of: items, sight.reading, settings)
      )
    }
    let ids = edits.map(\.id)
    guard let first = ids.first else { throw Problem(.conflict, "none of these items has rung yet") }
    let change = try await calls.markedChange(by: visitor) { sight in
      for (id, edit) in edits {
        _ = try sight.item(id)
        if let choice = edit.list { try sight.check(choice) }
      }
    } _: { belfry in
      switch step {
      case .check: _ = try belfry.setChecked(true, ids)
      case .snooze: _ = try belfry.snooze(ids, until: .after(Self.hour))
      case .delete: _ = try belfry.delete(ids)
      case .postpone, .move: _ = try belfry.edit(edits)
      }
    }
    return .leading(
      to: Notice.path(back, after: deed, item: first, count: ids.count, change: change.mark, skipped: skipped))
  }
}

extension SeveralRoutes.Step {
  // When the others are snoozed, items that have not rung stay as they are.
  fileprivate func concerns(_ item: Item, _ reading: Reading) throws -> Bool {
    if case .snooze = self { try reading.hasRung(item) } else { true }
  }

  fileprivate func deed(of items: [Item], _ reading: Reading, _ settings: Settings) -> Notice.Deed {
    switch self {
    case .check: .checked
    case .snooze: .snoozed
    case .delete: .deleted
    case .postpone(let date): date.deed(of: items, reading, settings)
    case .move: .moved
    }
  }

  fileprivate func edit(of item: Item, _ sight: Sight, _ settings: Settings) throws -> ItemEdit {
    switch self {
    case .check, .snooze, .delete: return ItemEdit()
    case .postpone(let date): return date.edit(of: item, sight.reading, settings)
    case .move(let list):
      var edit = ItemEdit()
      edit.list = .id(try sight.list(list).id)
      return edit
    }
  }
}

/// The buttons for the rows that are chosen, in the form of rows.
struct SeveralBar {
  let lists: [Checklist]
  /// The path of the page without the selection.
  let back: String

  func add(to body: inout HTML) {
    body.markup("<div class=\"several\">")
    let steps = [
      ("Check", "check"), ("Snooze 1 hour", "snooze"), ("Tomorrow", QuickDate.tomorrow.rawValue),
      ("Next week", QuickDate.nextWeek.rawValue), ("Delete", "delete"),
    ]
    for (name, word) in steps {
      body.element(
        "button", name,
        ["formaction": "/items/several", "name": "do", "value": word, "class": word == "delete" ? "danger" : "plain"])
    }
    if !lists.isEmpty {
      body.markup("<span class=\"until\"><select name=\"list\" aria-label=\"List\">")
      for list in lists { body.element("option", list.name, ["value": "\(list.id)", "dir": "auto"]) }
      body.markup("</select><button formaction=\"/items/several\" name=\"do\" value=\"move\">Move</button></span>")
    }
    body.element("a", "Cancel", ["class": "button", "href": back])
    body.markup("</div>\n")
  }
}
