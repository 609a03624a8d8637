import ArgumentParser

/// The page of `belfry --help`: every command, grouped by purpose.
enum CommandOverview {
  /// Commands described in one line.
  struct Line {
    let commands: [any ParsableCommand.Type]
    let words: String
  }

  struct Group {
    let title: String
    let lines: [Line]
  }

  /// The groups, in the order in which a beginner needs them. They are the only list of commands.
  static let groups = [
    Group(
      title: "Every day",
      lines: [
        Line(commands: [Add.self, Edit.self, Move.self, Delete.self], words: "Add, change, move, delete items."),
        Line(commands: [Show.self], words: "Show items, soonest first."),
        Line(commands: [Check.self, Uncheck.self], words: "Mark items as done or not done."),
        Line(commands: [Snooze.self], words: "Ring an item again later."),
        Line(commands: [Undo.self], words: "Undo the last changes, or redo."),
      ]),
    Group(
      title: "Lists",
      lines: [
        Line(commands: [Lists.self], words: "Show the lists with their counts."),
        Line(commands: [ListCommand.self], words: "Manage one list, its look and reminder."),
        Line(commands: [Import.self, Export.self], words: "Import items from a file; export them."),
      ]),
    Group(
      title: "Reminders",
      lines: [
        Line(commands: [Agenda.self, Plan.self, Pending.self], words: "Show upcoming reminders."),
        Line(commands: [Explain.self], words: "Explain why an item rings or does not."),
      ]),
    Group(
      title: "Delivery",
      lines: [
        Line(commands: [Run.self, Service.self], words: "Run the daemon, here or as a service."),
        Line(commands: [Deliveries.self], words: "Show, retry or discard deliveries."),
        Line(commands: [Sinks.self, People.self], words: "Show sinks and people; send a test."),
        Line(commands: [Act.self, AnswerCommand.self], words: "Answer a reminder by id or by token."),
        Line(commands: [Answers.self, TakeBack.self], words: "Show answers; take one back."),
      ]),
    Group(
      title: "Set-up",
      lines: [
        Line(commands: [Initialize.self, ConfigCommand.self], words: "Create a config; check or show it."),
        Line(commands: [Store.self, Doctor.self], words: "Inspect the store; diagnose problems."),
        Line(commands: [Web.self, AccessCommand.self, Keys.self], words: "Run the web face; manage access and keys."),
      ]),
  ]

  static let commands = groups.flatMap(\.lines).flatMap(\.commands) + [Manual.self]

  /// The lines of the page: at most 24 at 80 columns, the smallest usual size of a terminal.
  static func lines(width: Int, style: Style) -> [String] {
    let names = groups.map { group in group.lines.map { line in line.commands.map(name).joined(separator: ", ") } }
    let nameWidth = names.joined().map(\.displayWidth).max() ?? 0
    let titleWidth = groups.map(\.title.displayWidth).max() ?? 0
    var lines = ["Checklists that ring. A start:", ""]
    lines += ["  belfry add Buy milk --due 'tomorrow 9am' && belfry show && belfry run", ""]
    let isWide = titleWidth + nameWidth + 30 <= width
    for (group, names) in zip(groups, names) {
      let rows = zip(names, group.lines).map { (label: $0.padded(to: nameWidth), words: $1.words) }
      let title = style.bold(group.title)
      guard isWide else {
        lines += [title] + HelpRows(rows, widestLabel: nameWidth).lines(width: width)
        continue
      }
      let margin = title + String(repeating: " ", count: titleWidth - group.title.displayWidth)
      let described = HelpRows(rows, widestLabel: nameWidth).lines(width: width - titleWidth)
      lines += described.enumerated().map { index, line in
        (index == 0 ? margin : String(repeating: " ", count: titleWidth)) + line
      }
    }
    return lines + [""] + "'belfry COMMAND --help' has examples. Also --version, --help.".wrapped(to: width)
  }

  private static func name(_ command: any ParsableCommand.Type) -> String { command.configuration.commandName ?? "" }
}
