import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import ItemEntry
import OrderedJSON

/// Messages about what a command has changed.
struct Report {
  let console: Console
  let settings: Settings
  let viewpoint: any Viewpoint

  /// Prints an item after a change and when it rings now.
  func print(_ verb: String, _ change: ItemChange) {
    let item = change.listing.item
    console.report("\(verb) \(item.id) (\(change.listing.listName)): \(item.text)")
    let moment = Moment(zone: viewpoint.displayZone(item.zone), now: viewpoint.now)
    for past in change.schedule.past where item.shouldRemind && !item.isChecked {
      console.warn("  does not ring: \(moment.zone.readable(past.date)) is already past")
    }
    if let next = change.listing.nextFireDate {
      let others = change.schedule.scheduled.filter { $0 != next }
      // The full date, so that a misunderstood WHEN shows at once.
      if let due = item.due?.instant, due.date > viewpoint.now, due != next, !others.contains(due) {
        console.report("  due \(moment.full(due.date))")
      }
      console.report("  rings \(moment.full(next.date))")
      for other in others { console.report("  and \(moment.full(other.date))") }
      if let rule = item.recurrence?.rule { console.report("  repeats \(rule.words)") }
      for remark in viewpoint.planner.repeatRemarks(of: item, moment) { console.report("  \(remark)") }
      if let nag = item.nag, nag != .zero {
        let isEscalated = settings.escalation(forList: change.listing.listName, category: item.category) != nil
        let ignored = "  its nag every \(nag) is ignored: the escalation replaces it"
        console.report(isEscalated ? ignored : "  rings again every \(nag) until it is checked")
      }
    } else if let due = item.due, !item.isChecked, !item.shouldRemind {
      console.report("  due \(moment.full(due.instant.date)), silently")
    } else if item.due == nil, item.shouldRemind || item.nag != nil || item.alerts != [.zero], !item.isChecked {
      console.report("  does not ring: it has no due date; belfry edit \(item.id) --due WHEN gives it one")
    } else if change.schedule.cancelled > 0 {
      console.report("  its reminder is cancelled")
    }
    if let due = item.due, case .gap(let minutes) = moment.zone.instant(of: due.local).resolution {
      console.report("  the clocks skip \(due.local.time) that day: it counts as \(minutes) minutes later")
    }
  }
}

extension Session {
  /// Prints items as one JSON document or as messages.
  func finish(_ verb: String, _ changes: [ItemChange], options: DataOptions, asObject: Bool) throws {
    let hindsight = try belfry.hindsight()
    if options.json {
      let items = changes.map { hindsight.json($0.listing) }
      try console.print(asObject && items.count == 1 ? items[0] : .array(items))
    } else {
      let report = Report(console: console, settings: settings, viewpoint: hindsight)
      for change in changes { report.print(verb, change) }
      noteZone(hindsight.planner.floatingZone, changes.map(\.listing.item))
    }
  }

  // Only the daemon plans in another zone, so that a command under another TZ moves no reminders.
  private func noteZone(_ planned: Zone, _ items: [Item]) {
    guard items.contains(where: { $0.due != nil && !$0.isChecked && $0.zone == .floating }),
      let zone = try? belfry.configuredZone(), zone.identifier != planned.identifier, !zone.hasSameRules(as: planned)
    else { return }
    console.warn(
      "times are in \(planned.identifier), the zone in which the store was planned, not in \(zone.identifier): "
        + "only belfryd changes it, to its own zone")
  }

  /// Prints the item of a key and what happened to it, as JSON or as a message.
  func finish(_ keyed: KeyedChange, options: DataOptions) throws {
    let hindsight = try belfry.hindsight()
    if options.json {
      var item = hindsight.json(keyed.change.listing).objectValue ?? [:]
      item.append("effect", .string(keyed.effect.rawValue))
      try console.print(.object(item))
    } else {
      Report(console: console, settings: settings, viewpoint: hindsight).print(keyed.effect.verb, keyed.change)
      noteZone(hindsight.planner.floatingZone, [keyed.change.listing.item])
    }
  }

  /// Prints a list as one JSON document or as a message.
  func finish(_ message: String, _ summary: ListSummary, options: DataOptions) throws {
    if options.json {
      try console.print(.array([belfry.hindsight().json(summary)]))
    } else {
      console.report(message)
    }
  }
}

extension KeyedChange.Effect {
  /// The verb of its message.
  fileprivate var verb: String {
    switch self {
    case .added: "Added"
    case .changed: "Changed"
    case .opened: "Opened again"
    case .unchanged: "Unchanged"
    }
  }
}
