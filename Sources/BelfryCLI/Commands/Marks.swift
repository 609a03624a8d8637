import ArgumentParser

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "check", abstract: "Mark items as done; they no longer ring.",
    discussion: """
      belfry check 3
      belfry check 3 5 8
      belfry check --key nas           of 'belfry add --key nas …'

      A repeating item moves on to its next date and stays unchecked.
      """)

  @Argument(help: ArgumentHelp("The items' numbers.", valueName: "id"), completion: Completions.unchecked)
  var ids: [Int64] = []

  @Option(
    name: .long, help: ArgumentHelp("The item that was added under this key.", valueName: "name"),
    completion: Completions.keys)
  var key: String?

  @OptionGroup var options: DataOptions

  func validate() throws {
    if ids.isEmpty == (key == nil) { throw ValidationError("Give the numbers of items, or the --key of one.") }
  }

  func run() throws {
    let session = try Session(options)
    let changes = try key.map(session.belfry.check) ?? session.belfry.setChecked(true, ids)
    try session.finish("Checked", changes, options: options, asObject: false)
  }
}

struct Uncheck: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "uncheck", abstract: "Mark items as not done; they ring again.",
    discussion: """
      belfry uncheck 3

      A repeating item returns to the date that was checked last.
      """)

  @Argument(help: ArgumentHelp("The items' numbers.", valueName: "id"), completion: Completions.checked)
  var ids: [Int64]

  @OptionGroup var options: DataOptions

  func run() throws {
    let session = try Session(options)
    try session.finish("Unchecked", session.belfry.setChecked(false, ids), options: options, asObject: false)
  }
}

struct Delete: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "delete", abstract: "Delete items and their reminders.",
    discussion: """
      belfry delete 3
      belfry delete 3 5 8
      """)

  @Argument(help: ArgumentHelp("The items' numbers.", valueName: "id"), completion: Completions.items)
  var ids: [Int64]

  @OptionGroup var options: DataOptions

  func run() throws {
    let session = try Session(options)
    let listings = try session.belfry.delete(ids)
    if options.json {
      try session.console.print(.array(listings.map(session.belfry.hindsight().json)))
    } else {
      for listing in listings {
        session.console.report("Deleted \(listing.item.id) (\(listing.listName)): \(listing.item.text)")
      }
    }
  }
}
