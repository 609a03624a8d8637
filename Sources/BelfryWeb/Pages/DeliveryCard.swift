import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import MessageText

/// One delivery with its course, from the plan to the answer.
struct DeliveryCard: Sendable {
  /// The bytes of a title after which it is cut; the whole text is on its own page.
  private static let longestTitle = 240

  let delivery: Delivery
  let message: Message
  let attempts: [AttemptRecord]
  let answers: [Answer]
  /// True if the item or list of its first reminder still exists.
  let hasOwner: Bool

  func add(to body: inout HTML, _ time: PageTime, _ people: [Int64: String], mayChange: Bool) {
    let zone = time.planner.floatingZone
    body.markup("<li id=\"d")
    body.add(delivery.id)
    body.markup("\"><p>")
    addTitle(to: &body)
    body.markup(" ")
    body.element("span", delivery.state.words, ["class": delivery.state == .dead ? "state bad" : "state"])
    body.markup("</p>\n<p class=\"when\">")
    body.element("span", time.moment(.floating).short(delivery.fireDate.date))
    body.element("span", "to \(delivery.place)", ["dir": "auto"])
    if let list = message.contents.first?.listName { body.element("span", list, ["dir": "auto"]) }
    let note = delivery.note(time.moment(.floating)).inBrief
    if !note.isEmpty { body.element(delivery.state == .dead ? "strong" : "span", note, ["dir": "auto"]) }
    body.markup("</p>\n")
    addCourse(zone, people, to: &body)
    if mayChange, !DeliveryStep.all(for: delivery.state).isEmpty { addSteps(to: &body) }
    body.markup("</li>\n")
  }

  private func addTitle(to body: inout HTML) {
    let title = message.title.bounded(toBytes: Self.longestTitle)
    guard hasOwner, let owner = message.contents.first?.owner else {
      return body.element("span", title, ["class": "brief", "dir": "auto"])
    }
    body.element("a", title, ["href": owner.path, "class": "brief", "dir": "auto"])
  }

  private func addCourse(_ zone: Zone, _ people: [Int64: String], to body: inout HTML) {
    let isOpen = delivery.state == .dead || delivery.state == .pending
    body.markup(isOpen ? "<details class=\"sub\" open><summary>" : "<details class=\"sub\"><summary>")
    let words = counted(attempts.count, "attempt")
    body.add(answers.isEmpty ? "History: \(words)" : "History: \(words), answered")
    body.markup("</summary><ol>\n")
    for step in course(zone) + answered(zone, people) { body.element("li", step, ["dir": "auto"]) }
    body.markup("</ol></details>\n")
  }

  private func course(_ zone: Zone) -> [String] {
    var steps = [
      "planned for \(zone.readable(delivery.fireDate.date))",
      "claimed \(zone.readable(message.createdAt, withSeconds: true))",
    ]
    if delivery.permittedFrom > max(message.createdAt, delivery.fireDate.date) {
      steps.append("held until \(zone.readable(delivery.permittedFrom))")
    }
    steps += attempts.runs(where: { $0.isLike($1) }).map { $0.words(zone) }
    let closed = delivery.closedAt.map { " \(zone.readable($0, withSeconds: true))" } ?? ""
    let reason = delivery.lastError.map { ": \($0)" } ?? ""
    switch delivery.state {
    case .pending:
      steps.append(delivery.nextAttemptAt.map { "next attempt \(zone.readable($0, withSeconds: true))" } ?? "waits")
    case .delivered: steps.append("delivered\(closed)")
    case .dead: steps.append("given up\(closed)\(reason)")
    // A delivery that was given up and then discarded keeps the time at which it was given up, which is not shown as
    // the time of the discard.
    case .discarded: steps.append("discarded\(delivery.lastError == nil ? closed : reason)")
    }
    return steps
  }

  private func answered(_ zone: Zone, _ people: [Int64: String]) -> [String] {
    answers.map { answer in
      let effect = answer.takenBackAt == nil ? answer.effect.name : "taken back"
      let giver = answer.channel.giver(people[answer.person])
      return "answered '\(answer.action)' by \(giver) \(zone.readable(answer.date)): \(effect)"
    }
  }

  private func addSteps(to body: inout HTML) {
    body.element("div", ["class": "actions"]) { body in
      for step in DeliveryStep.all(for: delivery.state) {
        body.element(
          "a", "\(step.name)…",
          [
            "class": "button", "href": "/deliveries/\(delivery.id)/\(step.rawValue)",
            "aria-label": "\(step.name) \(message.title), to \(delivery.place)",
          ])
      }
    }
  }
}

extension AttemptRecord {
  fileprivate func isLike(_ other: AttemptRecord) -> Bool {
    outcome == other.outcome && words?.withoutSpans == other.words?.withoutSpans
  }
}

extension ArraySlice<AttemptRecord> {
  /// Attempts with the same outcome, in one line.
  fileprivate func words(_ zone: Zone) -> String {
    guard let first, let last else { return "" }
    let reply = (count > 1 ? first.words?.withoutSpans : first.words).map { ": \($0)" } ?? ""
    let result = "\(first.outcome.words)\(reply)"
    guard count > 1 else { return "tried \(zone.readable(first.startedAt, withSeconds: true)), \(result)" }
    let (start, end) = (zone.wallTime(at: first.startedAt), zone.wallTime(at: last.startedAt))
    let until = start.date == end.date ? "\(end.time)" : zone.readable(last.startedAt)
    return "tried \(count) times, \(zone.readable(first.startedAt)) to \(until), \(result)"
  }
}

extension Array {
  /// The longest runs of neighbours that belong together, in order.
  fileprivate func runs(where belong: (Element, Element) -> Bool) -> [ArraySlice<Element>] {
    var runs: [ArraySlice<Element>] = []
    var start = startIndex
    for end in indices.dropFirst() + [endIndex] where end == endIndex || !belong(self[end - 1], self[end]) {
      if start < end { runs.append(self[start..<end]) }
      start = end
    }
    return runs
  }
}

extension Delivery.State {
  /// The state in words for people.
  var words: String {
    switch self {
    case .pending: "waiting"
    case .delivered: "delivered"
    case .dead: "given up"
    case .discarded: "discarded"
    }
  }
}

/// A change of a delivery that a person can ask for.
enum DeliveryStep: String {
  case retry, discard

  /// The steps that a state permits.
  static func all(for state: Delivery.State) -> [DeliveryStep] {
    switch state {
    case .dead: [.retry, .discard]
    case .pending: [.discard]
    case .delivered, .discarded: []
    }
  }

  /// Its name on a button.
  var name: String { rawValue.capitalizedFirst }

  /// The states that permit it.
  var states: [Delivery.State] { Delivery.State.allCases.filter { Self.all(for: $0).contains(self) } }
}

/// The deliveries of a page to the same place that failed for the same reason, which are shown as one.
struct DeliveryGroup: Sendable {
  private(set) var cards: [DeliveryCard]

  /// Deliveries in groups, each in the place of its first.
  static func all(_ cards: [DeliveryCard]) -> [DeliveryGroup] {
    var (groups, places) = ([DeliveryGroup](), [DeliveryCard.Failure: Int]())
    for card in cards {
      if let failure = card.failure, let place = places[failure] {
        groups[place].cards.append(card)
      } else {
        if let failure = card.failure { places[failure] = groups.count }
        groups.append(DeliveryGroup(cards: [card]))
      }
    }
    return groups
  }

  func add(to body: inout HTML, _ time: PageTime, _ people: [Int64: String], mayChange: Bool) {
    guard let first = cards.first?.delivery, cards.count > 1 else {
      return cards.forEach { $0.add(to: &body, time, people, mayChange: mayChange) }
    }
    body.element("li", ["class": "many"]) { body in
      body.element("p") { body in
        body.element("span", "\(counted(cards.count, "delivery")) to \(first.place)", ["dir": "auto"])
        body.markup(" ")
        body.element("span", first.state.words, ["class": first.state == .dead ? "state bad" : "state"])
      }
      body.element("p", ["class": "when"]) { body in
        if let reason = first.lastError { body.element("strong", reason.inBrief, ["dir": "auto"]) }
      }
      body.element("details", ["class": "sub"]) { body in
        body.markup("<summary>Each of them</summary>\n<ul class=\"rings\">\n")
        for card in cards { card.add(to: &body, time, people, mayChange: mayChange) }
        body.markup("</ul>\n")
      }
      guard mayChange else { return }
      let ids = cards.map { "id=\($0.delivery.id)" }.joined(separator: "&")
      body.element("div", ["class": "actions"]) { body in
        for step in DeliveryStep.all(for: first.state) {
          body.element(
            "a", "\(step.name) all \(cards.count)…", ["class": "button", "href": "/deliveries/\(step.rawValue)?\(ids)"])
        }
      }
    }
  }
}

extension DeliveryCard {
  fileprivate struct Failure: Hashable {
    let state: Delivery.State
    let place: String
    let reason: String
  }

  /// Its failure, if it has one and a person can retry or discard it; otherwise `nil`.
  fileprivate var failure: Failure? {
    guard !DeliveryStep.all(for: delivery.state).isEmpty, let reason = delivery.lastError else { return nil }
    return Failure(state: delivery.state, place: delivery.place, reason: reason.inBrief)
  }
}

extension String {
  /// A reason without the time that an attempt took, such as `after 5 ms`, which differs between equal failures.
  fileprivate var withoutSpans: String {
    var words = split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    for place in words.indices.dropLast(2).reversed() {
      // A span that was removed before may have reached up to here.
      guard place > 0, place + 2 < words.count, words[place] == "after" else { continue }
      let unit = words[place + 2].prefix { $0.isLetter }
      guard ["ms", "milliseconds"].contains(unit), words[place + 1].allSatisfy(\.isNumber) else { continue }
      words[place - 1] += words[place + 2].dropFirst(unit.count)
      words.removeSubrange(place...place + 2)
    }
    return words.joined(separator: " ")
  }

  /// A reason without the further words of a server, which the history shows.
  fileprivate var inBrief: String {
    let words = withoutSpans.prefix { $0 != "{" && $0 != "<" && !$0.isNewline }.prefix(160)
    let brief = words.trimmingPrefix { $0 == " " }.reversed().drop { " :(".contains($0) }.reversed()
    return brief.isEmpty ? String(prefix(160)) : String(brief)
  }
}
