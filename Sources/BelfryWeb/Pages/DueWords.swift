import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import NaturalDates

/// The heading over an item, which says part of its due date.
enum DueHeading: Equatable {
  case none
  /// The items that are overdue.
  case overdue
  /// The items of a day.
  case day(CivilDate)
}

extension HTML {
  /// Adds the due date of an item, its next ring, its priority and its tags on one line; overdue in red and, if no
  /// heading says so, in words.
  mutating func due(_ listing: ItemListing, at time: PageTime, under heading: DueHeading = .none) {
    let item = listing.item
    let moment = time.moment(item.zone)
    if let due = item.due?.instant.date {
      let isOverdue = item.isOverdue(at: time.now)
      markup(isOverdue ? "<strong>" : "<span>")
      if isOverdue, heading != .overdue { markup("overdue since ") }
      if item.isChecked { markup("due ") }
      add(moment.words(due, under: heading))
      if case .fixed(let name) = item.zone, time.planner.floatingZone.identifier != name {
        markup(" ")
        add(name)
      }
      markup(isOverdue ? "</strong> " : "</span> ")
    }
    if let ring = ring(of: listing, at: time.now) {
      markup("<span>")
      icon(.bell)
      markup("rings ")
      let day = (item.due?.instant.date).map { moment.zone.wallTime(at: $0).date }
      add(moment.words(ring, under: day.map { .day($0) } ?? heading))
      markup("</span> ")
    } else if !item.isChecked, item.due != nil, !item.shouldRemind {
      markup("<span>silent</span> ")
    }
    if let recurrence = item.recurrence {
      markup("<span>")
      icon(.repeat)
      add(recurrence.rule.words)
      markup("</span> ")
    }
    if let nag = item.nag {
      markup("<span>")
      icon(.bell)
      markup("again every ")
      add(nag.description)
      markup("</span> ")
    }
    if let level = item.priority?.level { add(mark: "!\(level.rawValue)", "\(level.rawValue) priority") }
    for tag in item.tags.names { add(mark: "@\(tag)", "@\(tag)") }
  }

  /// Adds a mark of an item, which links to the items with that mark.
  private mutating func add(mark: String, _ words: String) {
    open("a", ["class": "tag", "href": "/search?q=\(FormFields.encoded(mark))"])
    markup("<bdi>")
    add(words)
    markup("</bdi></a>\n")
  }

  // The next ring, unless it is at the due date, or the item is overdue, repeats and rings more than a day from now.
  private func ring(of listing: ItemListing, at now: Date) -> Date? {
    guard !listing.item.isChecked, let ring = listing.nextFireDate?.date, ring != listing.item.due?.instant.date
    else { return nil }
    let isOfRepeat = listing.item.recurrence != nil && ring.timeIntervalSince(now) > 86_400
    return isOfRepeat && listing.item.isOverdue(at: now) ? nil : ring
  }

  /// Adds counts such as `3 open, 1 overdue`.
  mutating func counts(_ summary: ListSummary) {
    markup("<span>")
    add(Int64(summary.remaining))
    markup(" open</span> ")
    if summary.overdue > 0 {
      markup("<strong>")
      add(Int64(summary.overdue))
      markup(" overdue</strong>")
    }
  }
}

extension Moment {
  /// An instant without the part that a heading says.
  fileprivate func words(_ instant: Date, under heading: DueHeading) -> String {
    let wall = zone.wallTime(at: instant)
    return heading == .day(wall.date) ? "\(wall.time)" : short(instant)
  }
}
