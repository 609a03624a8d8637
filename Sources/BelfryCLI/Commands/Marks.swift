import ArgumentParser
import BelfryCore

/// `belfry check`.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Mark items as done; they no longer ring.")

  @Argument(help: ArgumentHelp("The items' numbers.", valueName: "id"), completion: Completions.unchecked)
  var ids: [Int64]

  @OptionGroup var options: DataOptions

  func run() throws {
    let session = try Session(options.common)
    try session.finish("Checked", session.belfry.setChecked(true, ids), options: options, asObject: false)
  }
}

/// `belfry uncheck`.
struct Uncheck: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "uncheck", abstract: "Mark items as still to do; they ring again.")

  @Argument(help: ArgumentHelp("The items' numbers.", valueName: "id"), completion: Completions.checked)
  var ids: [Int64]

  @OptionGroup var options: DataOptions

  func run() throws {
    let session = try Session(options.common)
    try session.finish("Unchecked", session.belfry.setChecked(false, ids), options: options, asObject: false)
  }
}

/// `belfry delete`.
struct Delete: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "delete", abstract: "Delete items and their reminders.")

  @Argument(help: ArgumentHelp("The items' numbers.", valueName: "id"), completion: Completions.items)
  var ids: [Int64]

  @OptionGroup var options: DataOptions

  func run() throws {
    let session = try Session(options.common)
    let listings = try session.belfry.delete(ids)
    if options.json {
      try session.belfry.read { reading in try session.console.print(.array(listings.map(reading.json))) }
    } else {
      for listing in listings {
        session.console.tell("Deleted \(listing.item.id) (\(listing.listName)): \(listing.item.text)")
      }
    }
  }
}
