import ArgumentParser
import BelfryCore
import OrderedJSON

/// `belfry undo`.
struct Undo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Take back the last change of items and lists, for a day.",
    discussion: """
      belfry undo
      belfry undo && belfry undo       done again: the second takes back the first

      What is deleted comes back under its number and rings again by the rules, but nothing rings twice. What
      was sent in the meantime stays sent. Anything that was changed since is left alone: then nothing is taken back.
      """)

  /// How many items and lists are told of one by one.
  private static let toldAtMost = 10

  @OptionGroup var options: DataOptions

  func run() throws {
    let session = try Session(options)
    let undone = try session.belfry.undo()
    try session.belfry.read { reading in
      if options.json {
        try session.console.print(json(undone, reading))
      } else {
        tell(undone, reading, session.console)
      }
    }
  }

  private func tell(_ undone: UndoneChange, _ reading: Reading, _ console: Console) {
    let age =
      reading.now.timeIntervalSince(undone.date) < 60
      ? "just now" : RelativeTime.words(from: reading.now, to: undone.date)
    console.tell("Took back 'belfry \(undone.command)', made \(age).")
    let report = Report(console: console, reading: reading)
    for list in undone.lists.prefix(Self.toldAtMost) {
      tell(list, reading, console)
    }
    for item in undone.items.prefix(Self.toldAtMost) {
      let listing = item.change.listing
      if item.fate == .removed {
        console.tell("\(item.fate.verb) \(listing.item.id) (\(listing.listName)): \(listing.item.text)")
      } else {
        report.tell(item.fate.verb, item.change)
      }
    }
    let more = [undone.lists.count, undone.items.count].reduce(0) { $0 + max(0, $1 - Self.toldAtMost) }
    if more > 0 { console.tell("… and \(more) more") }
    if undone.resumedCount > 0 { console.tell("Deliveries that wait again: \(undone.resumedCount).") }
    if undone.deliveredCount > 0 {
      console.tell("What was sent since stays sent: \(undone.deliveredCount) delivery(ies).")
    }
    console.tell("'belfry undo' once more does it again.")
  }

  private func tell(_ list: UndoneChange.List, _ reading: Reading, _ console: Console) {
    console.tell("\(list.fate.verb) the list '\(list.list.name)'")
    guard list.fate != .removed, let reminder = list.list.reminder else { return }
    let moment = Moment(zone: reading.displayZone(reminder.zone), now: reading.now)
    let due = reminder.due.instant.date
    console.tell(
      due > reading.now
        ? "  has a reminder of its own for \(moment.full(due))"
        : "  has a reminder of its own that is past: \(moment.zone.readable(due))")
  }

  private func json(_ undone: UndoneChange, _ reading: Reading) -> JSONValue {
    func entry(_ fate: UndoneChange.Fate, item: JSONValue = .null, list: JSONValue = .null) -> JSONValue {
      [
        "command": .string(undone.command), "changed_at": .string(reading.planner.floatingZone.rfc3339(undone.date)),
        "fate": .string(fate.rawValue), "item": item, "list": list,
      ]
    }
    let summaries = (try? reading.view.listSummaries(now: reading.now)) ?? []
    let lists = undone.lists.map { list in
      let now = summaries.first { $0.list.id == list.list.id }
      let gone = ListSummary(list: list.list, items: 0, remaining: 0, overdue: 0, nextFireDate: nil)
      return entry(list.fate, list: reading.json(now ?? gone))
    }
    return .array(lists + undone.items.map { entry($0.fate, item: reading.json($0.change.listing)) })
  }
}

extension UndoneChange.Fate {
  /// What is told of it.
  fileprivate var verb: String {
    switch self {
    case .removed: "Removed"
    case .restored: "Brought back"
    case .reverted: "Restored"
    }
  }
}
