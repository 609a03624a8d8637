import BelfryEngine
import BelfryModel
import CivilTime
import WebAccess

/// The deliveries, newest first, and the problems that keep reminders from ringing.
struct DeliveriesPage: Sendable {
  let filter: DeliveryFilter
  let cards: [DeliveryCard]
  let hasMore: Bool
  let troubles: Troubles
  /// The names of sinks and the lists to choose from.
  let sinks: [String]
  let lists: [Checklist]
  let people: [Int64: String]
  let time: PageTime
  let scope: AccessScope

  func add(to body: inout HTML) {
    body.live("deliveries") { body in
      troubles.add(to: &body, time)
      addViews(to: &body)
      addSteps(to: &body)
      if cards.isEmpty {
        body.paragraph(
          filter.path == "/deliveries" ? "Nothing has rung yet." : "There are no such deliveries.", ["class": "empty"])
      } else {
        body.markup("<ul class=\"rings card\">\n")
        for group in DeliveryGroup.all(cards) { group.add(to: &body, time, people, mayChange: scope.includes(.admin)) }
        body.markup("</ul>\n")
      }
      addPages(to: &body)
    }
    addFilter(to: &body)
  }

  private func addViews(to body: inout HTML) {
    body.markup("<nav class=\"views\" aria-label=\"States to show\">")
    for state in [nil] + Delivery.State.allCases.map(Optional.some) {
      let (name, path) = (state?.words.capitalizedFirst ?? "All", filter.path(in: state))
      body.element("a", name, state == filter.state ? ["href": path, "aria-current": "true"] : ["href": path])
    }
    body.markup("</nav>\n")
  }

  private func addSteps(to body: inout HTML) {
    guard let state = filter.state, cards.count > 1 || hasMore, scope.includes(.admin), filter.list == nil,
      filter.sink == nil, !DeliveryStep.all(for: state).isEmpty
    else { return }
    body.element("div", ["class": "actions"]) { body in
      for step in DeliveryStep.all(for: state) {
        let path = "/deliveries/\(step.rawValue)?all=\(state.name)"
        body.element("a", "\(step.name) every one…", ["class": "button", "href": path])
      }
    }
  }

  private func addPages(to body: inout HTML) {
    guard hasMore || filter.before != nil else { return }
    body.markup("<nav class=\"views\" aria-label=\"More deliveries\">")
    if filter.before != nil { body.element("a", "Newest", ["href": filter.path(before: nil), "rel": "first"]) }
    if hasMore, let last = cards.last?.delivery.id {
      body.element("a", "Older", ["href": filter.path(before: last), "rel": "next"])
    }
    body.markup("</nav>\n")
  }

  private func addFilter(to body: inout HTML) {
    body.element("form", ["class": "card filter", "action": "/deliveries"]) { body in
      if let state = filter.state { body.hidden("state", state.name) }
      body.markup("<div class=\"pair\">")
      var sink = Field("sink", "Channel", value: filter.sink ?? "")
      if !sinks.isEmpty { sink.control = .choice([("", "all")] + sinks.map { ($0, $0) }) }
      sink.add(to: &body)
      var list = Field("list", "List", value: filter.list.map { "\($0)" } ?? "")
      list.control = .choice([("", "all")] + lists.map { ("\($0.id)", $0.name) })
      list.add(to: &body)
      body.markup("</div><button>Show these</button>\n")
    }
  }
}

/// The counts of failed, failing and missed reminders, and the sinks with problems.
struct Troubles: Sendable {
  /// The number of dead deliveries, and that of pending ones with a failed attempt.
  var dead = 0
  var failing = 0
  /// True if there are more than were counted.
  var isCountCut = false
  var missed: [ItemListing] = []
  /// The number of reminders whose time has come and that have not rung.
  var waiting = 0
  /// The problems of sinks, one line each; also that there are no sinks.
  var sinks: [String] = []

  func add(to body: inout HTML, _ time: PageTime) {
    body.markup("<section class=\"card\"><h2>Why did it not ring?</h2>\n<ul class=\"reasons\">\n")
    for line in sinks { addBad(line, to: &body) }
    if waiting > 0 {
      addBad("\(counted(waiting, "reminder")) overdue: is belfryd running?", to: &body)
    }
    func deliveries(_ count: Int) -> String { isCountCut ? "\(count) or more deliveries" : counted(count, "delivery") }
    if dead > 0 {
      add("\(deliveries(dead)) given up", in: .dead, ": each shows its reason", to: &body)
    }
    if failing > 0 {
      add(
        "\(deliveries(failing)) failed so far", in: .pending,
        failing == 1 && !isCountCut ? ", and is tried again" : ", and are tried again", to: &body)
    }
    for listing in missed {
      body.element("li") { body in
        body.add("missed while belfryd was not running: ")
        body.element("a", listing.item.text, ["href": "/items/\(listing.item.id)", "class": "brief", "dir": "auto"])
      }
    }
    let isEmpty = sinks.isEmpty && waiting == 0 && dead == 0 && failing == 0 && missed.isEmpty
    body.element(
      "li",
      isEmpty
        ? "Nothing keeps reminders from ringing. The page of an item says why that one will ring or did not."
        : "The page of an item says why that one will ring or did not.")
    body.markup("</ul></section>\n")
  }

  private func add(_ link: String, in state: Delivery.State, _ rest: StaticString, to body: inout HTML) {
    body.element("li") { body in
      body.open("a", ["href": "/deliveries?state=\(state.name)"])
      body.add(link)
      body.markup("</a>")
      body.markup(rest)
    }
  }

  private func addBad(_ line: String, to body: inout HTML) {
    body.element("li") { $0.element("strong", line, ["class": "error", "dir": "auto"]) }
  }
}
