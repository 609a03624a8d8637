import ArgumentParser
import BelfryEngine

struct Move: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "move", abstract: "Move an item to another place on its list.",
    discussion: """
      belfry move 3 --before 5
      belfry move 3 --after 5
      belfry move 3 --last

      'belfry edit 3 -l Work' moves it to another list. Items with a due date are shown first, by date.
      """)

  @Argument(help: ArgumentHelp("The item's number.", valueName: "id"), completion: Completions.items)
  var id: Int64

  @Option(
    name: .long, help: ArgumentHelp("The item to put it before.", valueName: "id"),
    completion: Completions.items)
  var before: Int64?

  @Option(
    name: .long, help: ArgumentHelp("The item to put it after.", valueName: "id"),
    completion: Completions.items)
  var after: Int64?

  @Flag(name: .long, help: "Put it after all other items.")
  var last = false

  @OptionGroup var options: DataOptions

  private var places: [ItemPlace] {
    [before.map(ItemPlace.before), after.map(ItemPlace.after), last ? .end : nil].compactMap(\.self)
  }

  func validate() throws {
    if places.count != 1 { throw ValidationError("Give one of --before ID, --after ID and --last.") }
  }

  func run() throws {
    let session = try Session(options)
    let changes = try places.map { try session.belfry.move(id, to: $0) }
    try session.finish("Moved", changes, options: options, asObject: true)
  }
}
