import ArgumentParser
import BelfryEngine
import BelfryModel
import CivilTime
import OrderedJSON

struct Answers: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "answers", abstract: "Show answers to reminders, newest first.",
    discussion: """
      belfry answers -n 5
      belfry answers 3                 of one item
      belfry take-back 7               undo answer 7
      """)

  @Argument(
    help: ArgumentHelp("The number of an item; every item without it.", valueName: "item"),
    completion: Completions.items)
  var item: Int64?

  @Option(name: .short, help: ArgumentHelp("The maximum number of answers.", valueName: "n"))
  var number: Int?

  @OptionGroup var options: DataOptions

  func validate() throws { try validate(limit: number) }

  func run() throws {
    let session = try Session(options)
    try session.belfry.read { reading in
      let answers = try self.answers(in: reading)
      let people = try reading.view.personNames()
      if options.json { return try session.console.print(.array(answers.map { reading.json($0, people: people) })) }
      guard !answers.isEmpty else { return session.console.report("No answers to show.") }
      try session.console.print(table(answers, people, reading, session.console.style))
    }
  }

  private func answers(in reading: Reading) throws -> [Answer] {
    guard let item else {
      var answers: [Answer] = []
      try reading.view.forEachAnswer(limit: number) { answers.append($0) }
      return answers
    }
    let answers = try reading.view.answers(of: .item(item))
    // Answers outlive their item, so a missing item is an error only if it has none.
    if answers.isEmpty { _ = try reading.item(item) }
    return Array(answers.reversed().prefix(number ?? .max))
  }

  private func table(
    _ answers: [Answer], _ people: [Int64: String], _ reading: Reading, _ style: Style
  ) -> Table {
    var table = Table([
      .init(title: "ID", isRightAligned: true), .init(title: "At"), .init(title: "Item", isFlexible: true),
      .init(title: "List", isFlexible: true), .init(title: "Action"), .init(title: "By"), .init(title: "Effect"),
      .init(title: "Note", isFlexible: true),
    ])
    let moment = Moment(zone: reading.planner.floatingZone, now: reading.now)
    for answer in answers {
      let takenBack = answer.takenBackAt.map { "taken back \(moment.short($0))" }
      table.append([
        Table.Cell("\(answer.id)", style.dim), Table.Cell(moment.short(answer.date)), Table.Cell(answer.text),
        Table.Cell(answer.listName, style.dim), Table.Cell(answer.action),
        Table.Cell(answer.channel.giver(people[answer.person])), Table.Cell(answer.effect.name),
        Table.Cell(takenBack ?? answer.reply),
      ])
    }
    return table
  }
}

struct TakeBack: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "take-back", abstract: "Undo an answer, within a day.",
    discussion: """
      belfry take-back 7

      Undoes the change that the answer made, so that its reminders ring again. Answers can be undone in any order.
      If the item or list was changed since, nothing is undone.
      """)

  @Argument(help: ArgumentHelp("The answer's number.", valueName: "id"))
  var id: Int64

  @OptionGroup var options: DataOptions

  func run() throws {
    let session = try Session(options)
    let takenBack = try session.belfry.takeBack(id)
    let hindsight = try session.belfry.hindsight()
    let answer = takenBack.answer
    guard !options.json else {
      return try session.console.print(.array([hindsight.json(answer, people: hindsight.people)]))
    }
    guard !takenBack.isRepetition else {
      return session.console.report("Answer \(id) was taken back already.")
    }
    session.console.report("Took back answer \(id), '\(answer.action)': \(answer.text)")
    Report(console: session.console, settings: session.settings, viewpoint: hindsight).print(takenBack.undone)
  }
}
