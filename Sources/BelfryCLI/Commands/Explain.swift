import ArgumentParser
import BelfryEngine
import BelfryModel
import BelfryRuntime
import CivilTime

struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "explain",
    abstract: "Explain why an item or a list's own reminder rings or does not, with every attempt.",
    discussion: """
      belfry explain 3
      belfry explain -l Groceries     the reminder of the list itself
      belfry explain 3 --now 'tomorrow 9am'
      belfry explain 3 --if-unanswered     who is asked, step by step
      """)

  @Argument(help: ArgumentHelp("The item's number.", valueName: "id"), completion: Completions.items)
  var id: Int64?

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The list whose own reminder to explain.", valueName: "list"),
    completion: Completions.lists)
  var list: String?

  @Option(name: .long, help: ArgumentHelp("The time to assume instead of now.", valueName: "when"))
  var now: String?

  @Flag(name: .long, help: "Show the steps of its escalation until somebody answers.")
  var ifUnanswered = false

  @OptionGroup var options: DataOptions

  func validate() throws {
    if (id == nil) == (list == nil) { throw ValidationError("Give either the number of an item or -l LIST.") }
  }

  func run() throws {
    let session = try Session(options)
    let (settings, sinks) = (session.settings, session.assembly.sinks)
    try session.read(now: now, plansEdits: true) { reading in
      let explanation =
        if let id {
          try reading.explain(id, settings: settings, sinks: sinks)
        } else {
          try reading.explain(reading.view.knownList(named: list ?? ""), settings: settings, sinks: sinks)
        }
      if options.json {
        try session.console.print(reading.json(explanation))
      } else {
        let console = session.console
        let body = ifUnanswered ? EscalationText(explanation, reading).lines : lines(explanation, reading)
        let lines = ([explanation.heading] + body).map(\.visibleLine).map { line in
          console.width.map { line.wrappedKeepingIndent(to: $0) } ?? line
        }
        try console.print(([console.style.bold(lines.first ?? "")] + lines.dropFirst()).joined(separator: "\n"))
      }
    }
  }

  private func lines(_ explanation: Explanation, _ reading: Reading) -> [String] {
    var lines = [explanation.verdict] + explanation.reasons.map { "  \($0)" }
    let zone = reading.displayZone(explanation.subject.zone)
    for explained in explanation.reminders {
      lines.append("  \(Self.line(explained, zone))")
      for delivery in explained.deliveries {
        lines.append("    \(Self.line(delivery, zone))")
        lines += delivery.attempts.map { "      \(Self.line($0, delivery.delivery, zone))" }
      }
      if let words = explained.step?.obstacleWords { lines.append("    \(words)") }
      lines += explained.answers.map { "    \(reading.words($0, in: zone, people: explanation.people))" }
    }
    return lines
  }

  private static func line(_ explained: ExplainedReminder, _ zone: Zone) -> String {
    let (reminder, occurrence) = (explained.reminder, explained.reminder.occurrence)
    let lead = occurrence.lead == .zero ? "" : ", \(occurrence.lead) before"
    let kind = occurrence.kind == .planned || occurrence.kind.isEscalation ? nil : occurrence.kind.name
    let notes = [kind, explained.step?.words].compactMap(\.self).joined(separator: ", ")
    let note = notes.isEmpty ? "" : " (\(notes))"
    return "\(zone.readable(reminder.fireDate.date))\(lead)\(note): \(reminder.state.name)"
  }

  private static func line(_ explained: ExplainedDelivery, _ zone: Zone) -> String {
    let delivery = explained.delivery
    let subject = explained.message.heading.map { ", telling '\($0)'" } ?? ""
    var parts = ["delivery \(delivery.id) to \(delivery.place)\(subject): \(explained.stateWords)"]
    if delivery.attempts > 0 { parts.append(counted(delivery.attempts, "attempt")) }
    if let last = delivery.lastAttemptAt { parts.append("last \(zone.readable(last))") }
    if let next = delivery.nextAttemptAt, delivery.state == .pending { parts.append("next \(zone.readable(next))") }
    if let error = delivery.lastError { parts.append(error) }
    return parts.joined(separator: ", ")
  }

  private static func line(_ attempt: AttemptRecord, _ delivery: Delivery, _ zone: Zone) -> String {
    let when = zone.readable(attempt.startedAt, withSeconds: true)
    return "\(when) to \(delivery.place): \(attempt.outcome.words)" + (attempt.words.map { ", \($0)" } ?? "")
  }
}

extension Explanation {
  /// The item with its number and list, or the list with its message.
  fileprivate var heading: String {
    switch subject {
    case .item(let listing): "\(listing.item.id) (\(listing.listName)): \(listing.item.text)"
    case .list(let summary):
      "The list '\(summary.list.name)'" + (summary.list.reminder?.message.map { ": \($0)" } ?? "")
    }
  }
}
