import ArgumentParser
import BelfryEngine
import BelfryModel
import BelfryPlugins
import CivilTime

/// `belfry explain`.
struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain", abstract: "Explain why an item rings or does not, with every attempt.",
    discussion: """
      belfry explain 3
      belfry explain 3 --now 'tomorrow 9am'
      """)

  @Argument(help: ArgumentHelp("The item's number.", valueName: "id"), completion: Completions.items)
  var id: Int64

  @Option(name: .long, help: ArgumentHelp("The time to assume instead of now.", valueName: "when"))
  var now: String?

  @OptionGroup var options: DataOptions

  func run() throws {
    let session = try Session(options)
    try session.read(now: now) { reading in
      let listing = try reading.item(id)
      let names = session.sinks(
        list: listing.listName, category: listing.item.category, at: reading.now, reading)
      let sinks = session.assembly.sinks.filter { names.contains($0.name) }
      let explanation = try reading.explain(id, sinks: sinks)
      if options.json {
        try session.console.print(reading.json(explanation))
      } else {
        let console = session.console
        let lines = lines(explanation, reading).map(\.visibleLine).map { line in
          console.width.map { line.wrappedKeepingIndent(to: $0) } ?? line
        }
        try console.print(([console.style.bold(lines.first ?? "")] + lines.dropFirst()).joined(separator: "\n"))
      }
    }
  }

  private func lines(_ explanation: Explanation, _ reading: Reading) -> [String] {
    let item = explanation.listing.item
    var lines = ["\(item.id) (\(explanation.listing.listName)): \(item.text)", explanation.verdict]
    lines += explanation.reasons.map { "  \($0)" }
    let zone = reading.displayZone(item.zone)
    for (reminder, deliveries, answers) in explanation.reminders {
      let occurrence = reminder.occurrence
      let kind = occurrence.kind == .planned ? "" : " (\(occurrence.kind.name))"
      let lead = occurrence.lead == .zero ? "" : ", \(occurrence.lead) before"
      lines.append("  \(zone.readable(reminder.fireDate.date))\(lead)\(kind): \(reminder.state.name)")
      for explained in deliveries {
        lines.append("    \(Self.line(explained.delivery, explained.message, zone))")
        lines += explained.attempts.map { "      \(Self.line($0, explained.delivery, zone))" }
      }
      lines += answers.map { "    \(reading.words($0, in: zone))" }
    }
    return lines
  }

  private static func line(_ delivery: Delivery, _ message: Message, _ zone: Zone) -> String {
    let subject = message.heading.map { ", telling '\($0)'" } ?? ""
    var parts = ["delivery \(delivery.id) to \(delivery.place)\(subject): \(delivery.state.name)"]
    if delivery.attempts > 0 { parts.append("\(delivery.attempts) attempt(s)") }
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

extension Delivery {
  /// The sink and the recipient, where there are several.
  fileprivate var place: String { recipient.map { "\(sink) (\($0))" } ?? sink }
}

extension AttemptRecord.Outcome {
  /// The outcome as a person reads it.
  fileprivate var words: String {
    switch self {
    case .delivered: "delivered"
    case .later: "put off"
    case .refused: "refused"
    case .unknown: "outcome unknown"
    }
  }
}
