import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import NaturalDates

extension HTML {
  /// Adds the due date of an item, its next ring, its priority and its tags on one line; overdue in red and in words.
  mutating func due(_ listing: ItemListing, at time: PageTime) {
    let item = listing.item
    let moment = time.moment(item.zone)
    if let due = item.due?.instant.date {
      let isOverdue = item.isOverdue(at: time.now)
      if isOverdue {
        markup("<strong>overdue by ")
        add(RelativeTime.span(time.now.timeIntervalSince(due)))
        markup("</strong> ")
      }
      markup("<span>")
      add(moment.short(due))
      if case .fixed(let name) = item.zone, time.planner.floatingZone.identifier != name {
        markup(" ")
        add(name)
      }
      markup("</span> ")
    }
    if !item.isChecked, let ring = listing.nextFireDate?.date, ring != item.due?.instant.date {
      markup("<span>rings ")
      add(moment.short(ring))
      markup("</span> ")
    } else if !item.isChecked, item.due != nil, !item.shouldRemind {
      markup("<span>silent</span> ")
    }
    if let recurrence = item.recurrence {
      markup("<span>")
      add(recurrence.rule.words)
      markup("</span> ")
    }
    if let nag = item.nag {
      markup("<span>again every ")
      add(nag.description)
      markup("</span> ")
    }
    if item.notes != nil { markup("<span>notes</span> ") }
    if let level = item.priority?.level { add(mark: "!\(level.rawValue)", "\(level.rawValue) priority") }
    for tag in item.tags.names { add(mark: "@\(tag)", "@\(tag)") }
  }

  /// Adds a mark of an item, which leads to the items that have it.
  private mutating func add(mark: String, _ words: String) {
    element("a", words, ["class": "tag", "dir": "auto", "href": "/search?q=\(FormFields.encoded(mark))"])
  }

  /// The end of a line such as `3 open, 1 overdue`.
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
