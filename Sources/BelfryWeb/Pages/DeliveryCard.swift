import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials

/// One delivery with its course, from the plan to the answer.
struct DeliveryCard: Sendable {
  let delivery: Delivery
  let message: Message
  let attempts: [AttemptRecord]
  let answers: [Answer]
  /// True if the item or list of its first reminder is still there.
  let hasOwner: Bool

  func add(to body: inout HTML, _ time: PageTime, _ people: [Int64: String], mayChange: Bool) {
    let zone = time.planner.floatingZone
    body.markup("<li id=\"d")
    body.add(delivery.id)
    body.markup("\"><p>")
    addTitle(to: &body)
    body.markup(" ")
    body.element("span", delivery.state.name, ["class": delivery.state == .dead ? "state bad" : "state"])
    body.markup("</p>\n<p class=\"when\"><span>")
    body.add("\(delivery.id)")
    body.markup("</span> ")
    body.element("span", time.moment(.floating).short(delivery.fireDate.date))
    body.element("span", "to \(delivery.place)", ["dir": "auto"])
    if let list = message.contents.first?.listName { body.element("span", list, ["dir": "auto"]) }
    let note = delivery.note(time.moment(.floating))
    if !note.isEmpty { body.element(delivery.state == .dead ? "strong" : "span", note, ["dir": "auto"]) }
    body.markup("</p>\n")
    addCourse(zone, people, to: &body)
    if mayChange { addStep(to: &body) }
    body.markup("</li>\n")
  }

  private func addTitle(to body: inout HTML) {
    guard hasOwner, let owner = message.contents.first?.owner else {
      return body.element("span", message.title, ["class": "brief", "dir": "auto"])
    }
    body.element("a", message.title, ["href": owner.path, "class": "brief", "dir": "auto"])
  }

  private func addCourse(_ zone: Zone, _ people: [Int64: String], to body: inout HTML) {
    let isOpen = delivery.state == .dead || delivery.state == .pending
    body.markup(isOpen ? "<details class=\"sub\" open><summary>" : "<details class=\"sub\"><summary>")
    let words = counted(attempts.count, "attempt")
    body.add(answers.isEmpty ? "Its course: \(words)" : "Its course: \(words), answered")
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
    steps += attempts.map { attempt in
      let reply = attempt.words.map { ": \($0)" } ?? ""
      return "tried \(zone.readable(attempt.startedAt, withSeconds: true)), \(attempt.outcome.words)\(reply)"
    }
    let closed = delivery.closedAt.map { " \(zone.readable($0, withSeconds: true))" } ?? ""
    let reason = delivery.lastError.map { ": \($0)" } ?? ""
    switch delivery.state {
    case .pending:
      steps.append(delivery.nextAttemptAt.map { "next attempt \(zone.readable($0, withSeconds: true))" } ?? "waits")
    case .delivered: steps.append("delivered\(closed)")
    case .dead: steps.append("given up\(closed)\(reason)")
    case .discarded: steps.append("discarded\(closed)\(reason)")
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

  private func addStep(to body: inout HTML) {
    let step: (word: String, name: String)? =
      switch delivery.state {
      case .dead: ("retry", "Retry")
      case .pending: ("discard", "Discard")
      case .delivered, .discarded: nil
      }
    guard let step else { return }
    body.element("p") { body in
      body.element(
        "a", "\(step.name)…",
        [
          "class": "button", "href": "/deliveries/\(delivery.id)/\(step.word)",
          "aria-label": "\(step.name) delivery \(delivery.id)",
        ])
    }
  }
}
