import ArgumentParser
import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import Interchange
import ItemEntry
import OrderedJSON

struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "show", abstract: "Show items, soonest first.",
    discussion: """
      belfry show                   all unchecked items
      belfry show milk              those with this word in text or notes
      belfry show -l Work --overdue
      belfry show --due-before 'next monday' -n 20
      belfry show --tag phone
      belfry show --watch           until Ctrl-C
      """)

  @Argument(help: ArgumentHelp("Words in the text or the notes; also #List, @tag, !high.", valueName: "text"))
  var text: [String] = []

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The list; every list without it.", valueName: "list"),
    completion: Completions.lists)
  var list: String?

  @Flag(name: .long, help: "Include checked items.")
  var all = false

  @Flag(name: .long, help: "Show only checked items.")
  var checked = false

  @Flag(name: .long, help: "Show only overdue items.")
  var overdue = false

  @Flag(name: .long, help: "Show the events of calendars instead of items.")
  var events = false

  @Option(name: .long, help: ArgumentHelp("The time before which items are due.", valueName: "when"))
  var dueBefore: String?

  @Option(name: .long, help: ArgumentHelp("A tag that the items have. Repeatable.", valueName: "tag"))
  var tag: [String] = []

  @Option(
    name: .long, help: ArgumentHelp("The priority: high, medium or low.", valueName: "level"),
    completion: .list(["high", "medium", "low"]))
  var priority: String?

  @Option(name: .short, help: ArgumentHelp("The maximum number of items.", valueName: "n"))
  var number: Int?

  @Flag(name: .long, help: "Follow every change until Ctrl-C.")
  var watch = false

  @OptionGroup var options: DataOptions

  func validate() throws {
    if watch && options.json { throw ValidationError("--watch and --json contradict each other.") }
    if all && checked { throw ValidationError("--all and --checked contradict each other.") }
    if overdue && checked { throw ValidationError("--overdue and --checked contradict each other.") }
    if let priority, ItemPriority.Level(rawValue: priority) == nil {
      throw ValidationError("--priority: '\(priority)' is not high, medium or low.")
    }
    try validate(limit: number)
  }

  func run() throws {
    if watch { return try LiveScreen.run { try watch($0) } }
    let session = try Session(options)
    try session.readPastFaults(plansEdits: true) { reading in
      let listings = try listings(reading, session)
      if options.json {
        try session.console.print(.array(listings.map(reading.json)))
      } else if listings.isEmpty {
        session.console.report(nothing)
      } else {
        try session.console.print(lines(listings, reading, session.console).joined(separator: "\n"))
      }
    }
  }

  private func watch(_ screen: LiveScreen) throws {
    let session = try Session(options)
    try screen.show(store: session.belfry.store, time: session.belfry.time) {
      // A warning would be written over the screen.
      try session.belfry.readPlanned(unplanned: { _ in }) { reading in
        let listings = try listings(reading, session)
        return listings.isEmpty ? [nothing] : lines(listings, reading, session.console)
      }
    }
  }

  private var nothing: String {
    let isWhole =
      text.isEmpty && list == nil && tag.isEmpty && priority == nil && dueBefore == nil && !checked && !overdue
      && !events
    return isWhole ? "Nothing to do. 'belfry add TEXT' adds an item." : "Nothing to show."
  }

  private func listings(_ reading: Reading, _ session: Session) throws -> [ItemListing] {
    let query = try query(
      reading, before: dueBefore.map { try session.entry(reading).instant($0, called: "--due-before") })
    let search =
      text.isEmpty ? nil : try WordSearch(text.joined(separator: " ")) { try reading.view.lists().map(\.name) }
    var listings: [ItemListing] = []
    try reading.view.visitItems(query) { listing in
      if search?.finds(listing) ?? true { listings.append(listing) }
      return listings.count == number ? .stop : .next
    }
    return listings
  }

  private func query(_ reading: Reading, before: Date?) throws -> ItemQuery {
    var query = ItemQuery(kind: events ? .events : .todos, checked: all ? .any : checked ? .checked : .unchecked)
    query.listID = try list.map { try reading.view.knownList(named: $0).id }
    query.dueBefore = before
    query.priority = priority.flatMap { ItemPriority.Level(rawValue: $0) }
    if !tag.isEmpty { query.tags = try ItemTags(written: tag) }
    if overdue {
      query.checked = .unchecked
      query.dueBefore = min(query.dueBefore ?? .distantFuture, reading.now)
    }
    return query
  }

  /// The least width for a column of dates.
  private static let tinyWidth = 32
  /// The least width for a column of lists.
  private static let smallWidth = 48
  /// The most levels of indentation of items below others.
  private static let deepest = 8
  /// The least width for dates with their zones.
  private static let narrowWidth = 60

  private func lines(_ listings: [ItemListing], _ reading: Reading, _ console: Console) -> [String] {
    let style = console.style
    let showsMarks = all || checked
    var columns: [Table.Column] = [.init(title: "ID", isRightAligned: true)]
    if showsMarks { columns.append(.init(title: "Done")) }
    let width = console.width ?? .max
    if width >= Self.tinyWidth { columns.append(.init(title: "Due", isFlexible: true, leastWidth: 16)) }
    columns.append(.init(title: "Item", isFlexible: true, isSubject: true))
    let showsList = list == nil && width >= Self.smallWidth
    if showsList { columns.append(.init(title: "List", isFlexible: true)) }
    var table = Table(columns)
    for outlined in ItemOutline(listings).rows {
      let (listing, item) = (outlined.listing, outlined.listing.item)
      let text = String(repeating: "  ", count: min(outlined.depth, Self.deepest)) + item.textAndMarks
      var row = [Table.Cell("\(item.id)", style.dim)]
      if showsMarks { row.append(Table.Cell(item.isChecked ? "[x]" : "[ ]")) }
      if width >= Self.tinyWidth {
        row += [Self.due(item, reading, style, isNarrow: width < Self.narrowWidth), Table.Cell(text)]
      } else {
        row.append(
          item.isOverdue(at: reading.now) ? Table.Cell("overdue \(item.textAndMarks)", style.red) : Table.Cell(text))
      }
      if showsList { row.append(Table.Cell(listing.listName, style.dim)) }
      table.append(row)
    }
    return table.lines(width: console.width, style: style)
  }

  private static func due(_ item: Item, _ reading: Reading, _ style: Style, isNarrow: Bool) -> Table.Cell {
    guard let due = item.due else { return Table.Cell("") }
    let moment = Moment(zone: reading.displayZone(item.zone), now: reading.now)
    let isElsewhere = moment.zone.identifier != reading.planner.floatingZone.identifier
    let zone = if !isNarrow, isElsewhere, case .fixed(let name) = item.zone { " \(name)" } else { "" }
    let text = moment.short(due.instant.date) + zone
    if item.isOverdue(at: reading.now) {
      // An overdue date that shows only a time is today's.
      return Table.Cell("overdue \(isNarrow ? text.replacing("today ", with: "") : text)", style.red)
    }
    let isSilent = !item.shouldRemind && !item.isChecked && !isNarrow
    return Table.Cell(isSilent ? "\(text) (silent)" : text)
  }
}

extension Item {
  fileprivate var textAndMarks: String {
    tags.names.reduce(text) { "\($0) @\($1)" } + (priority.map { " !\($0.level.rawValue)" } ?? "")
  }
}
