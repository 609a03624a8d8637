import ArgumentParser
import BelfryEngine
import BelfryModel
import FoundationEssentials
import Glibc
import OrderedJSON

struct Act: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "act", abstract: "Answer a reminder with one of its actions.",
    discussion: """
      belfry act 7a4b5c0e-8d1f-5c7e-9a55-0d1f6f0b6c11 later

      The reminder's id is in every message (reminder_id), in 'belfry deliveries --json' and 'belfry pending --json'. A
      repeated action changes nothing, so a program may retry it.
      """)

  @Argument(help: ArgumentHelp("The reminder's id.", valueName: "reminder"))
  var reminder: String

  @Argument(help: ArgumentHelp("The action's identifier.", valueName: "action"))
  var action: String

  @Flag(name: .long, help: "Skip the confirmation of a destructive action.")
  var force = false

  @OptionGroup var options: DataOptions

  func run() throws {
    guard let id = UUID(uuidString: reminder) else {
      throw BelfryError(
        .usage, "'\(reminder)' is not a reminder's id", hint: "'belfry deliveries --json' shows those that rang")
    }
    let session = try Session(options)
    let chosen = try session.belfry.action(.identifier(action), of: id)
    if chosen.isDestructive {
      let consequence = try session.belfry.consequence(of: chosen, on: id).map { "\($0) " } ?? ""
      try session.confirm("\(consequence)\(chosen.title)?", isForced: force)
    }
    // The owner is a user whose own permissions let them write the store; on a server, a user who can read its URL.
    let isOnServer = session.assembly.configuration.store.isOnServer
    let isOwner = isOnServer || access(session.belfry.store.location, W_OK) == 0
    let press = Press(
      reminder: id, choice: .identifier(action), channel: .cli, isAuthenticated: isOwner, command: "act")
    try session.finish(try session.belfry.answer(press), action: chosen, on: id, options: options)
  }
}

extension Session {
  /// Reports the result of a press of an action.
  ///
  /// - Throws: ``BelfryError`` `.badInput` if the item is gone or the press was used, `.noPermission` if it is refused.
  func finish(
    _ result: PressResult, action: CategoryAction, on reminder: UUID, options: DataOptions
  ) throws {
    switch result {
    case .answered(let answer, _):
      switch answer.effect {
      case .gone: throw BelfryError(.badInput, "\(answer.reply): nothing was changed")
      case .refused: throw BelfryError(.noPermission, answer.reply, hint: "run the command as the store's owner")
      case .done, .already: break
      }
      guard options.json else {
        let isDone = answer.effect == .done
        return console.report(isDone ? "\(action.title): \(answer.reply)." : "Nothing was changed: \(answer.reply).")
      }
      let hindsight = try belfry.hindsight()
      try console.print(.array([hindsight.json(given: answer, people: hindsight.people)]))
    case .spent(_, let reply): throw BelfryError(.badInput, reply)
    case .edit(let owner):
      guard options.json else { return try open(owner, options) }
      try console.print(
        .array([
          [
            "reminder_id": .string(reminder.uuidString.lowercased()), "action": .string(action.identifier),
            "done": .null,
          ]
        ]))
    }
  }

  // On a terminal an item's form opens in the user's editor; otherwise the command is named.
  private func open(_ owner: ReminderOwner, _ options: DataOptions) throws {
    if case .list(let id) = owner, let list = try belfry.read({ try $0.view.list(id: id) }) {
      let name = list.name.shellQuoted
      return console.report(
        "A list as a whole does not open in an editor: 'belfry show -l \(name)' shows its items, 'belfry edit ID' "
          + "edits one, 'belfry add TEXT -l \(name)' adds one.")
    }
    guard case .item(let id) = owner, isatty(STDIN_FILENO) == 1,
      let editor = TextEditor(environment: ProcessInfo.processInfo.environment)
    else { return console.report("\(owner.editingHint).") }
    guard let change = try FormEditing(session: self, editor: editor).edit(id) else {
      return console.report("Nothing was changed.")
    }
    try finish("Changed", [change], options: options, asObject: true)
  }
}
