import ArgumentParser
import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import ItemEntry
import OrderedJSON

struct Lists: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "lists", abstract: "Show the lists with their counts.",
    discussion: """
      belfry lists
      belfry lists --json
      """)

  @OptionGroup var options: DataOptions

  func run() throws {
    let session = try Session(options)
    try session.read(plansEdits: true) { reading in
      let summaries = try reading.view.listSummaries(now: reading.now)
      if options.json {
        try session.console.print(.array(summaries.map { reading.json($0) }))
      } else if summaries.isEmpty {
        session.console.report("No lists yet. 'belfry add TEXT' makes the first one.")
      } else {
        try print(summaries, reading, session.console)
      }
    }
  }

  private func print(_ summaries: [ListSummary], _ reading: Reading, _ console: Console) throws {
    let style = console.style
    var table = Table([
      .init(title: "List", isFlexible: true), .init(title: "To do", isRightAligned: true),
      .init(title: "All", isRightAligned: true), .init(title: "Overdue"), .init(title: "Next"),
    ])
    let moment = Moment(zone: reading.planner.floatingZone, now: reading.now)
    for summary in summaries {
      table.append([
        Table.Cell(summary.list.icon.map { "\($0.text) \(summary.list.name)" } ?? summary.list.name),
        Table.Cell("\(summary.remaining)"), Table.Cell("\(summary.items)", style.dim),
        Table.Cell(summary.overdue > 0 ? "\(summary.overdue) overdue" : "", style.red),
        Table.Cell(summary.nextFireDate.map { moment.short($0.date) } ?? ""),
      ])
    }
    try console.print(table)
  }
}

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "list", abstract: "Manage a list and its reminder.",
    discussion: """
      belfry list create Work
      belfry list edit Work --list-color blue --icon \u{1F4BC}
      belfry list remind Work --at 'mon 8:30' --repeat weekly
      """,
    subcommands: [Create.self, Rename.self, EditList.self, DeleteList.self, Clear.self, Remind.self])

  struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "create", abstract: "Create an empty list.",
      discussion: """
        belfry list create Work
        """)

    @Argument(help: ArgumentHelp("The list's name.", valueName: "name"))
    var name: String

    @OptionGroup var options: DataOptions

    func run() throws {
      let session = try Session(options)
      let summary = try session.belfry.createList(name)
      try session.finish(
        "Made the list '\(summary.list.name)'. To put an item on it: belfry add TEXT -l \(summary.list.name.shellQuoted)",
        summary, options: options)
    }
  }

  struct Rename: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rename", abstract: "Rename a list.",
      discussion: """
        belfry list rename Work 'Day job'
        """)

    @Argument(help: ArgumentHelp("The list's name.", valueName: "name"), completion: Completions.lists)
    var name: String

    @Argument(help: ArgumentHelp("The new name.", valueName: "new"))
    var new: String

    @OptionGroup var options: DataOptions

    func run() throws {
      let session = try Session(options)
      let summary = try session.belfry.renameList(session.listID(name), to: new)
      try session.finish("The list '\(name)' is called '\(summary.list.name)' now.", summary, options: options)
    }
  }

  struct DeleteList: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "delete", abstract: "Delete a list with its items and their reminders.",
      discussion: """
        belfry list delete Work
        belfry list delete Work --force      without confirmation
        """)

    @Argument(help: ArgumentHelp("The list's name.", valueName: "name"), completion: Completions.lists)
    var name: String

    @Flag(name: .long, help: "Skip the confirmation.")
    var force = false

    @OptionGroup var options: DataOptions

    func run() throws {
      let session = try Session(options)
      let id = try session.listID(name)
      try session.confirm("Delete the list '\(name)' and all its items?", isForced: force)
      let summary = try session.belfry.deleteList(id)
      try session.finish(
        "Deleted the list '\(summary.list.name)' with \(counted(summary.items, "item")).", summary, options: options)
    }
  }

  struct Clear: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "clear", abstract: "Delete every item of a list, but not the list.",
      discussion: """
        belfry list clear Groceries
        """)

    @Argument(help: ArgumentHelp("The list's name.", valueName: "name"), completion: Completions.lists)
    var name: String

    @Flag(name: .long, help: "Skip the confirmation.")
    var force = false

    @OptionGroup var options: DataOptions

    func run() throws {
      let session = try Session(options)
      let id = try session.listID(name)
      try session.confirm("Delete all items of the list '\(name)'?", isForced: force)
      let summary = try session.belfry.clearList(id)
      try session.finish(
        "Deleted \(counted(summary.items, "item")) of the list '\(summary.list.name)'.", summary, options: options)
    }
  }

  struct Remind: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remind", abstract: "Set a reminder of a list, which names its unchecked items.",
      discussion: """
        belfry list remind Groceries --at 'sat 9am' --message 'Time to shop'
        belfry list remind Work --at 'mon 8:30' --repeat weekly
        belfry list remind Groceries --off
        """)

    @Argument(help: ArgumentHelp("The list's name.", valueName: "name"), completion: Completions.lists)
    var name: String

    @Option(name: .long, help: ArgumentHelp("The time: 'sat 9am', 18:30, …", valueName: "when"))
    var at: String?

    @Option(name: .long, help: ArgumentHelp("The text; by default, how many items are open.", valueName: "text"))
    var message: String?

    @Option(name: .long, help: ArgumentHelp("The repeat: daily, 'every 2 weeks' or an RRULE.", valueName: "rule"))
    var `repeat`: String?

    @Option(name: .long, help: ArgumentHelp("The IANA time zone, or floating for the local one.", valueName: "zone"))
    var timeZone: String?

    @Option(
      name: .long, help: ArgumentHelp("The category.", valueName: "id"), completion: Completions.categories)
    var category: String?

    @Flag(name: .long, help: "Remove the reminder.")
    var off = false

    @OptionGroup var options: DataOptions

    func validate() throws {
      if off == (at != nil) { throw ValidationError("Give either --at WHEN or --off.") }
    }

    func run() throws {
      let session = try Session(options)
      let draft = try at.map { text in try session.belfry.read { try reminder(at: text, session.entry($0)) } }
      let change = try session.belfry.remindList(session.listID(name), draft)
      let hindsight = try session.belfry.hindsight()
      if options.json {
        try session.console.print(.array([hindsight.json(change.summary)]))
      } else {
        let next = try? session.belfry.read { try $0.bell(of: change.summary.list)?.next }
        describe(change.summary, next: next, hindsight, session.console)
      }
    }

    private func reminder(at text: String, _ entry: EntryReader) throws -> ListReminderDraft {
      let zone = try timeZone.map(entry.zone) ?? .floating
      return ListReminderDraft(
        at: try entry.wallTime(text, in: zone, called: "--at"), zone: zone, rule: try `repeat`.map(entry.rule),
        message: message, category: try category.map(entry.category))
    }

    private func describe(
      _ summary: ListSummary, next: Date?, _ viewpoint: some Viewpoint, _ console: Console
    ) {
      let list = summary.list
      guard let ring = summary.ringWords(next: next, viewpoint) else {
        return console.report("The list '\(list.name)' has no reminder of its own.")
      }
      if ring.doesRing {
        console.report("'\(list.name)' \(ring.words).")
      } else {
        console.warn("'\(list.name)' \(ring.words)")
      }
    }
  }
}
