import ArgumentParser
import BelfryEngine
import BelfryModel
import FoundationEssentials
import Glibc
import OrderedJSON

/// `belfry act`.
struct Act: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "act", abstract: "Carry out an action that a reminder's category offers.",
    discussion: """
      belfry act 7a4b5c0e-8d1f-5c7e-9a55-0d1f6f0b6c11 later

      The reminder's identity stands in every message (reminder_id) and in 'belfry pending --json'. Done twice, an
      action changes nothing the second time, so that a program may repeat it.
      """)

  @Argument(help: ArgumentHelp("The reminder's identity.", valueName: "reminder"))
  var reminder: String

  @Argument(help: ArgumentHelp("The action's identifier in the config.", valueName: "action"))
  var action: String

  @Flag(name: .long, help: "Do not ask before what destroys something.")
  var force = false

  @OptionGroup var options: DataOptions

  func run() throws {
    guard let id = UUID(uuidString: reminder) else {
      throw BelfryError(
        .usage, "'\(reminder)' is not a reminder's identity", hint: "'belfry pending --json' shows them")
    }
    let session = try Session(options)
    let chosen = try session.belfry.action(action, of: id)
    if chosen.isDestructive {
      let consequence = try session.belfry.consequence(of: chosen, on: id).map { "\($0) " } ?? ""
      try session.confirm("\(consequence)\(chosen.title)?", isForced: force)
    }
    // The owner is a user whose own permissions let them write the store.
    let actor: Actor = access(session.belfry.store.location, W_OK) == 0 ? .owner : .stranger
    let result = try session.belfry.act(action, on: id, by: actor)
    if options.json {
      try session.console.print(
        .array([
          [
            "reminder_id": .string(id.uuidString.lowercased()), "action": .string(result.action.identifier),
            "done": result.done.map { .string($0) } ?? .null,
          ]
        ]))
      return
    }
    switch result.toEdit {
    case .item(let id): session.console.report("'belfry edit \(id)' with what is to change edits it.")
    case .list: session.console.report("'belfry show -l LIST' shows the list, 'belfry edit ID' edits an item.")
    case nil: session.console.report(result.done.map { "\(result.action.title): \($0)." } ?? "Nothing was left to do.")
    }
  }
}
