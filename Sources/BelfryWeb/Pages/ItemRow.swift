import BelfryEngine
import BelfryModel
import CivilTime
import WebAccess

/// One item in a list, inside ``HTML/rows(_:inFormBackTo:_:)``.
struct ItemRow {
  /// The deepest indentation that is shown.
  private static let deepest = 4

  private let listing: ItemListing
  private let time: PageTime
  private let scope: AccessScope
  /// The items above and below it, past which it can be moved; `nil` if it cannot.
  var above: Int64?
  var below: Int64?
  /// The first item that it can be moved before; `nil` if that is the item itself.
  var first: Int64?
  /// The number of items to which it is subordinate.
  var depth = 0
  /// True if it names its list.
  var showsList = false
  /// The path to which a change of it returns; `nil` for a row that can be selected, to change several items.
  let back: String?
  /// The heading above it, whose words it does not repeat.
  var heading = DueHeading.none

  init(_ listing: ItemListing, _ time: PageTime, _ scope: AccessScope, back: String?) {
    (self.listing, self.time, self.scope, self.back) = (listing, time, scope, back)
  }

  private var item: Item { listing.item }
  private var isChoice: Bool { back == nil }

  func add(to body: inout HTML) {
    body.markup("<li id=\"i")
    body.add(item.id)
    body.markup(item.isChecked ? "\" class=\"done\"" : item.recurrence == nil ? "\"" : "\" class=\"again\"")
    if depth > 0 {
      body.markup(" data-depth=\"")
      body.add(Int64(min(depth, Self.deepest)))
      body.markup("\"")
    }
    body.markup(">")
    // Each row has a form of its own: a browser goes through all buttons of a form whenever one is added.
    let hasForm = scope.includes(.answer) && !isChoice
    if hasForm, let back {
      body.markup("<form method=\"post\">")
      body.hidden("back", back)
    }
    addCheck(to: &body)
    // A press on the text chooses the row as well.
    body.markup(isChoice ? "<div class=\"what\"><label" : "<div class=\"what\"><a")
    body.markup(" dir=\"auto\" class=\"brief\" id=\"t")
    body.add(item.id)
    body.markup(isChoice ? "\" for=\"c" : "\" href=\"/items/")
    body.add(item.id)
    body.markup("\">")
    body.add(item.text)
    body.markup(isChoice ? "</label><p class=\"when\">" : "</a><p class=\"when\">")
    body.due(listing, at: time, under: heading)
    if showsList {
      body.markup("<a href=\"/lists/")
      body.add(item.listID)
      body.markup("\"><bdi>")
      body.add(listing.listName)
      body.markup("</bdi></a>")
    }
    if item.notes != nil {
      body.markup("<span class=\"aside\">")
      body.icon(.notes)
      body.markup("<span class=\"said\">notes</span></span>")
    }
    body.markup("</p></div>")
    if hasForm {
      addMore(to: &body)
      body.markup("</form>")
    }
    body.markup("</li>\n")
  }

  private func addCheck(to body: inout HTML) {
    guard !isChoice else {
      body.markup("<label class=\"choose\"><input type=\"checkbox\" name=\"row\" id=\"c")
      body.add(item.id)
      body.markup("\" value=\"")
      body.add(item.id)
      body.markup("\" aria-labelledby=\"t")
      body.add(item.id)
      return body.markup("\"></label>")
    }
    guard scope.includes(.answer) else {
      return body.markup(
        item.isChecked
          ? "<span class=\"check\" role=\"img\" aria-label=\"checked\"></span>"
          : "<span class=\"check\" role=\"img\" aria-label=\"open\"></span>")
    }
    body.markup("<button class=\"check\" formaction=\"/items/")
    body.add(item.id)
    body.markup(
      item.isChecked ? "/uncheck\" aria-labelledby=\"say-uncheck t" : "/check\" aria-labelledby=\"say-check t")
    body.add(item.id)
    body.markup("\"></button>")
  }

  // MARK: The menu

  // A browser closes it by Esc and by a press outside, without a script.
  private func addMore(to body: inout HTML) {
    let (mayEdit, canSnooze) = (scope.includes(.edit), !item.isChecked && item.due != nil && item.shouldRemind)
    guard mayEdit || canSnooze else { return }
    body.markup("<button type=\"button\" class=\"more\" popovertarget=\"m")
    body.add(item.id)
    body.markup("\" aria-labelledby=\"say-more t")
    body.add(item.id)
    body.markup("\">")
    body.icon(.more)
    body.markup("</button><div id=\"m")
    body.add(item.id)
    body.markup("\" class=\"menu\" popover>")
    if canSnooze { addStep("Snooze 1 hour", "snooze", "for", "1h", to: &body) }
    if mayEdit {
      if !item.isChecked {
        addStep("Tomorrow", "postpone", "to", QuickDate.tomorrow.rawValue, to: &body)
        addStep("Next week", "postpone", "to", QuickDate.nextWeek.rawValue, to: &body)
      }
      if let above { addStep("Up", "move", "before", "\(above)", to: &body) }
      if let below { addStep("Down", "move", "after", "\(below)", to: &body) }
      if let first, above != first { addStep("To the top", "move", "before", "\(first)", to: &body) }
      if below != nil { addStep("To the end", "move", "end", "1", to: &body) }
      addLink("To another list", "/list", to: &body)
      addLink("Edit", "#f-text", to: &body)
      addLink("Delete", "/delete", to: &body)
    }
    body.markup("</div>")
  }

  private func addStep(
    _ label: StaticString, _ step: StaticString, _ name: StaticString, _ value: String, to body: inout HTML
  ) {
    body.markup("<button formaction=\"/items/")
    body.add(item.id)
    body.markup("/")
    body.markup(step)
    body.markup("\" name=\"")
    body.markup(name)
    body.markup("\" value=\"")
    body.add(value)
    body.markup("\">")
    body.markup(label)
    body.markup("</button>")
  }

  private func addLink(_ label: StaticString, _ rest: StaticString, to body: inout HTML) {
    body.markup("<a href=\"/items/")
    body.add(item.id)
    body.markup(rest)
    body.markup("\">")
    body.markup(label)
    body.markup("</a>")
  }
}

extension HTML {
  /// The most overdue items that are not folded.
  static let overdueInView = 5

  /// Rows of items of several lists, each with the name of its list.
  ///
  /// - Parameter back: the path to which changes return; `nil` for rows that can be selected.
  mutating func items(
    _ listings: some Sequence<ItemListing>, at time: PageTime, _ scope: AccessScope, back: String?,
    under heading: DueHeading = .none
  ) {
    markup("<ul class=\"items\">\n")
    for listing in listings {
      var row = ItemRow(listing, time, scope, back: back)
      (row.showsList, row.heading) = (true, heading)
      row.add(to: &self)
    }
    markup("</ul>\n")
  }

  /// Overdue items: a few, and the others folded.
  ///
  /// - Parameters:
  ///   - back: the path to which changes return; `nil` for rows that can be selected.
  ///   - more: how many others there are, in words.
  ///   - end: adds what follows the others.
  mutating func overdue(
    _ listings: [ItemListing], more: String, at time: PageTime, _ scope: AccessScope, back: String?,
    _ end: (inout HTML) -> Void
  ) {
    guard !listings.isEmpty else { return }
    element("section", ["class": "late"]) { body in
      body.markup("<h2>Overdue</h2>\n")
      body.items(listings.prefix(Self.overdueInView), at: time, scope, back: back, under: .overdue)
      let rest = listings.dropFirst(Self.overdueInView)
      guard !rest.isEmpty else { return }
      body.element("details", ["class": "fold"]) { body in
        body.element("summary", more)
        body.items(rest, at: time, scope, back: back, under: .overdue)
        end(&body)
      }
    }
  }

  /// Rows, with the words that their buttons share.
  ///
  /// - Parameter back: the path to which their common form returns; `nil` if each row has a form of its own.
  mutating func rows(_ scope: AccessScope, inFormBackTo back: String? = nil, _ make: (inout HTML) -> Void) {
    guard scope.includes(.answer) else { return make(&self) }
    markup("<span hidden id=\"say-check\">Check</span><span hidden id=\"say-uncheck\">Uncheck</span>")
    markup("<span hidden id=\"say-more\">More for</span>\n")
    guard let back else { return element("div", ["class": "rows"], make) }
    element("form", ["method": "post", "class": "rows"]) { body in
      body.hidden("back", back)
      make(&body)
    }
  }
}
