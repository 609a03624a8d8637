import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials

/// The part of an item's page that says why it will ring or did not, where its messages went, and what was answered.
struct ExplanationSection {
  let explanation: Explanation
  let time: PageTime

  private var zone: Zone { time.displayZone(explanation.subject.zone) }

  func add(to body: inout HTML) {
    body.markup("<section class=\"card\"><h2>When it rings</h2>\n")
    body.paragraph(explanation.verdict, ["class": "lead"])
    body.element("details", ["class": "folded"]) { body in
      body.markup("<summary>Why</summary>\n<ul class=\"reasons\">\n")
      for reason in explanation.reasons { body.element("li", reason, ["dir": "auto"]) }
      body.markup("</ul>\n")
    }
    addEscalations(to: &body)
    body.markup("</section>\n")
    addReminders(to: &body)
  }

  private func addEscalations(to body: inout HTML) {
    guard let steps = explanation.escalation?.escalation.steps.count else { return }
    for unanswered in explanation.unanswered {
      body.markup("<h3>If nobody answers</h3>\n<ul class=\"reasons\">\n")
      for ring in unanswered.rings {
        let again = ring.place.ring > 1 ? ", ring \(ring.place.ring)" : ""
        let to = ring.receivers.map { receiver in
          receiver.person.map { "\($0) by \(receiver.sink)" } ?? receiver.sink
        }
        let words = to.isEmpty ? "nobody is reached" : to.inSentence
        body.element(
          "li", "\(zone.readable(ring.fireDate.date)): step \(ring.place.step) of \(steps)\(again): \(words)",
          ["dir": "auto"])
      }
      body.markup("</ul>\n")
    }
  }

  private func addReminders(to body: inout HTML) {
    guard !explanation.reminders.isEmpty else { return }
    body.markup("<section class=\"card\"><h2>Reminders, deliveries and answers</h2>\n<ul class=\"rings\">\n")
    for explained in explanation.reminders {
      body.markup("<li>")
      add(explained, to: &body)
      body.markup("</li>\n")
    }
    body.markup("</ul></section>\n")
  }

  private func add(_ explained: ExplainedReminder, to body: inout HTML) {
    let (reminder, occurrence) = (explained.reminder, explained.reminder.occurrence)
    let notes = [
      occurrence.lead == .zero ? nil : "\(occurrence.lead) before",
      occurrence.kind == .planned || occurrence.kind.isEscalation ? nil : occurrence.kind.name,
      explained.step?.words,
    ].compactMap(\.self)
    body.markup("<p>")
    body.add(([zone.readable(reminder.fireDate.date)] + notes).joined(separator: ", "))
    body.markup(" ")
    body.element(
      "span", reminder.state.name, ["class": reminder.state == .missed ? "state bad" : "state"])
    body.markup("</p>\n")
    if let words = explained.step?.obstacleWords { body.paragraph(words, ["class": "sub", "dir": "auto"]) }
    for delivery in explained.deliveries { add(delivery, to: &body) }
    for answer in explained.answers {
      body.paragraph(
        time.words(answer, in: zone, people: explanation.people), ["class": "sub", "dir": "auto"])
    }
  }

  private func add(_ explained: ExplainedDelivery, to body: inout HTML) {
    let delivery = explained.delivery
    let place = delivery.recipient.map { "\(delivery.sink) (\($0))" } ?? delivery.sink
    body.markup("<div class=\"sub\">")
    body.element("p") { body in
      let subject = explained.message.heading.map { ", telling '\($0)'" } ?? ""
      body.element("span", "to \(place)\(subject)", ["dir": "auto"])
      body.markup(" ")
      let state = delivery.state.words + explained.addition
      body.element("span", state, ["class": delivery.state == .dead ? "state bad" : "state"])
      if let next = delivery.nextAttemptAt, delivery.state == .pending {
        body.add(" next attempt \(zone.readable(next))")
      }
    }
    if !explained.attempts.isEmpty {
      body.element("details") { body in
        body.element("summary", counted(explained.attempts.count, "attempt"))
        body.element("ol") { body in
          for attempt in explained.attempts {
            let words = attempt.words.map { ": \($0)" } ?? ""
            body.element(
              "li", "\(zone.readable(attempt.startedAt, withSeconds: true)), \(attempt.outcome.words)\(words)",
              ["dir": "auto"])
          }
        }
      }
    }
    body.markup("</div>\n")
  }
}
