import ArgumentParser
import BelfryEngine
import BelfryModel
import FoundationEssentials

struct Edit: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "edit", abstract: "Change an item.",
    discussion: """
      belfry edit 3                            the whole item in $EDITOR
      belfry edit 3 --due none --repeat none   removes both
      """)

  @Argument(help: ArgumentHelp("The item's number.", valueName: "id"), completion: Completions.items)
  var id: Int64

  @Option(name: .long, help: ArgumentHelp("The new text.", valueName: "text"))
  var text: String?

  @Flag(name: .long, help: "Remind of the due date again, after --no-remind.")
  var remind = false

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The list to move it to.", valueName: "list"), completion: Completions.lists
  )
  var list: String?

  @Flag(name: .long, help: "Create the list if it does not exist.")
  var create = false

  @OptionGroup var fields: ItemFields
  @OptionGroup var options: DataOptions

  func validate() throws {
    if remind && fields.noRemind { throw ValidationError("--remind and --no-remind contradict each other.") }
  }

  func run() throws {
    let session = try Session(options)
    let edit = try edit(session)
    if edit != ItemEdit() {
      try session.finish("Changed", [try session.belfry.edit(id, edit)], options: options, asObject: true)
    } else if let editor = TextEditor(environment: ProcessInfo.processInfo.environment) {
      try editForm(session, editor)
    } else {
      _ = try session.belfry.read { try $0.item(id) }
      throw BelfryError(
        .usage, "nothing to change",
        hint: "'belfry help edit' shows the options; with $EDITOR set, 'belfry edit \(id)' opens the item in it")
    }
  }

  private func editForm(_ session: Session, _ editor: TextEditor) throws {
    if let change = try FormEditing(session: session, editor: editor).edit(id) {
      try session.finish("Changed", [change], options: options, asObject: true)
      return
    }
    session.console.report("Nothing was changed.")
    guard options.json else { return }
    try session.belfry.read { try session.console.print($0.json($0.item(id))) }
  }

  private func edit(_ session: Session) throws -> ItemEdit {
    var edit = try fields.edit(session) { try $0.item(id) }
    edit.text = text
    edit.list = list.map { session.settings.listChoice($0, createsMissing: create) }
    if remind { edit.shouldRemind = true }
    return edit
  }
}
