import ArgumentParser
import BelfryEngine
import BelfryModel
import CivilTime
import OrderedJSON

struct Undo: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "undo", abstract: "Undo the last changes of items and lists, within a day.",
    discussion: """
      belfry undo
      belfry undo && belfry undo       the change before it too, up to \(UndoRecord.mostKept) of them
      belfry undo --redo               redo what was undone last

      A deleted item returns under its number and rings again, but no reminder rings twice. Messages that were
      sent stay sent. If an item or list of the change was changed again since, nothing is undone.
      """)

  @Flag(name: .long, help: "Redo what was undone last.")
  var redo = false

  @OptionGroup var options: DataOptions

  func run() throws {
    let session = try Session(options)
    let undone = try redo ? session.belfry.redo() : session.belfry.undo()
    let hindsight = try session.belfry.hindsight()
    if options.json {
      let summaries = try? session.belfry.read { try $0.view.listSummaries(now: $0.now) }
      try session.console.print(hindsight.json(undone, lists: summaries ?? []))
    } else {
      describe(undone, hindsight, session)
    }
  }

  private func describe(_ undone: UndoneChange, _ hindsight: Hindsight, _ session: Session) {
    let console = session.console
    let seconds = hindsight.now.timeIntervalSince(undone.date)
    let age = seconds < 60 ? "just now" : "\(RelativeTime.span(seconds)) ago"
    console.report(
      redo
        ? "Redid 'belfry \(undone.command)', undone \(age)." : "Undid 'belfry \(undone.command)', made \(age)."
    )
    Report(console: console, settings: session.settings, viewpoint: hindsight).print(undone)
    console.report(redo ? "'belfry undo' undoes it." : "'belfry undo --redo' redoes it.")
  }
}

extension Report {
  /// The most items and lists printed one by one.
  private static let mostListed = 10

  /// Prints the result of taking back a change.
  func print(_ undone: UndoneChange) {
    for list in undone.lists.prefix(Self.mostListed) { print(list) }
    for item in undone.items.prefix(Self.mostListed) {
      let listing = item.change.listing
      if item.fate == .removed {
        console.report("\(item.fate.verb) \(listing.item.id) (\(listing.listName)): \(listing.item.text)")
      } else {
        print(item.fate.verb, item.change)
      }
    }
    let more = [undone.lists.count, undone.items.count].reduce(0) { $0 + max(0, $1 - Self.mostListed) }
    if more > 0 { console.report("… and \(more) more") }
    if undone.resumedCount > 0 { console.report("\(counted(undone.resumedCount, "delivery")) pending again.") }
    if undone.deliveredCount > 0 {
      console.report("\(counted(undone.deliveredCount, "delivery")) sent since cannot be recalled.")
    }
  }

  private func print(_ list: UndoneChange.List) {
    console.report("\(list.fate.verb) the list '\(list.list.name)'")
    guard list.fate != .removed, let reminder = list.list.reminder else { return }
    let moment = Moment(zone: viewpoint.displayZone(reminder.zone), now: viewpoint.now)
    let due = reminder.due.instant.date
    if let recurrence = reminder.recurrence {
      return console.report("  has a reminder of its own, \(recurrence.rule.words)")
    }
    console.report(
      due > viewpoint.now
        ? "  has a reminder of its own for \(moment.full(due))"
        : "  has a reminder of its own that is past: \(moment.zone.readable(due))")
  }
}

extension UndoneChange.Fate {
  /// The verb of its message.
  fileprivate var verb: String {
    switch self {
    case .removed: "Removed"
    case .restored: "Brought back"
    case .reverted: "Restored"
    }
  }
}
