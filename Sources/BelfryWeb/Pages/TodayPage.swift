import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import WebAccess

/// The start page: what is overdue, due today and due tomorrow, what rings next, and what went wrong.
struct TodayPage: Sendable {
  /// The most items of each part.
  static let most = 100

  /// The items of a part, of which the first are shown.
  struct Part: Sendable {
    var items: [ItemListing] = []
    var count = 0

    mutating func add(_ listing: ItemListing) {
      count += 1
      if items.count < TodayPage.most { items.append(listing) }
    }
  }

  let today: CivilDate
  var overdue = Part()
  var due = Part()
  var tomorrow = Part()
  /// The reminder that rings next.
  var next: PendingReminder?
  /// The reasons why reminders do not ring or arrive, each in a sentence with the page that shows details.
  var troubles: [(words: String, path: String)] = []
  /// True if no list that the visitor may see has an item.
  var isEmpty = false
  let time: PageTime
  let visitor: Access
  /// The lists to which the rows that are chosen can be moved; `nil` on a page without rows to choose.
  var choices: [Checklist]?
  /// The line that was typed for a new item, and its error.
  var typed: (line: String, error: String?) = ("", nil)

  private var scope: AccessScope { visitor.grant.scope }
  private var back: String? { choices == nil ? "/" : nil }

  func add(to body: inout HTML) {
    if scope.includes(.edit), choices == nil { QuickLine(action: "/items", back: "/", typed: typed).add(to: &body) }
    body.live("today") { body in
      addTroubles(to: &body)
      guard !isEmpty else { return addWelcome(to: &body) }
      body.rows(scope, inFormBackTo: choices == nil ? nil : "/") { body in
        if let choices { SeveralBar(lists: choices, back: "/").add(to: &body) }
        addOverdue(to: &body)
        add("Today", today, due, to: &body)
        add("Tomorrow", today.adding(days: 1), tomorrow, to: &body)
      }
      if choices == nil, scope.includes(.edit), overdue.count + due.count + tomorrow.count > 1 {
        body.markup("<nav class=\"views\" aria-label=\"Several items\">")
        body.markup("<a href=\"/?choose=several\">Choose</a></nav>\n")
      }
      addNext(to: &body)
    }
  }

  private func add(_ items: some Sequence<ItemListing>, under heading: DueHeading, to body: inout HTML) {
    body.items(items, at: time, scope, back: back, under: heading)
  }

  private func addTroubles(to body: inout HTML) {
    for (words, path) in troubles {
      body.element("p", ["class": "trouble"]) { body in
        body.element("a", words, ["href": path, "dir": "auto"])
      }
    }
  }

  // MARK: Items

  private func addOverdue(to body: inout HTML) {
    let more = "\(overdue.count - HTML.overdueInView) more"
    body.overdue(overdue.items, more: more, at: time, scope, back: back) { body in
      guard overdue.count > overdue.items.count else { return }
      body.element("p") { body in
        body.element("a", "and \(overdue.count - overdue.items.count) more", ["href": "/search?only=overdue"])
      }
    }
  }

  private func add(_ name: StaticString, _ date: CivilDate, _ part: Part, to body: inout HTML) {
    guard part.count > 0 else {
      // A day without items is mentioned only if it is today, as good news.
      guard date == today else { return }
      return body.paragraph(
        overdue.count > 0 ? "Nothing else is due today." : "Nothing is due today.", ["class": "empty"])
    }
    body.element("section") { body in
      body.markup("<h2>")
      body.markup(name)
      body.markup(" ")
      body.element("small", AgendaSpan(.day, around: date, today: today).heading)
      body.markup("</h2>\n")
      add(part.items, under: .day(date), to: &body)
      if part.count > part.items.count {
        body.element("p") { body in
          body.element("a", "and \(part.count - part.items.count) more", ["href": AgendaSpan.path(.day, date)])
        }
      }
    }
  }

  private func addNext(to body: inout HTML) {
    guard let next else { return }
    body.element("p", ["class": "ahead"]) { body in
      body.icon(.bell)
      body.markup("<span>Next: ")
      body.open("a", ["href": next.owner.path, "class": "brief", "dir": "auto"])
      body.add(next.text)
      body.markup("</a>, ")
      body.add(time.moment(next.zone).short(next.fireDate.date))
      body.markup("</span>")
    }
  }

  // MARK: The first visit

  private func addWelcome(to body: inout HTML) {
    body.element("section", ["class": "welcome"]) { body in
      body.markup(
        """
        <h2>Welcome</h2>
        <p>Belfry keeps your lists, and rings when something is due.</p>
        <p>Write what and when in one line: Belfry understands a time, a repeat and a list at its end.</p>
        <p>It rings on this machine, by mail or on your phone, until you have answered.</p>

        """)
      guard scope.includes(.edit), visitor.grant.isForAllLists else { return }
      body.markup("<div class=\"actions\">")
      body.form(
        action: "/items", button: "Add “Water the plants in 5 minutes”", style: "main",
        fields: ["line": "Water the plants in 5 minutes", "seen": "yes", "back": "/"])
      body.markup("<a class=\"button\" href=\"/sinks\">Where shall it ring?</a></div>\n")
    }
  }
}
