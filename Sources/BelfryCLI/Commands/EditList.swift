import ArgumentParser
import BelfryEngine
import BelfryModel

extension ListCommand {
  struct EditList: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "edit", abstract: "Change the colour, the icon and the place of a list.",
      discussion: """
        belfry list edit Work --list-color blue --icon \u{1F4BC}
        belfry list edit Work --list-color '#30a46c'
        belfry list edit Work --list-color none
        belfry list edit Work --before Groceries
        """)

    @Argument(help: ArgumentHelp("The list's name.", valueName: "name"), completion: Completions.lists)
    var name: String

    @Option(
      name: .long, help: ArgumentHelp("The colour: a name such as blue, #rrggbb, or none.", valueName: "color"),
      completion: .list(ListColor.named.map(\.name)))
    var listColor: String?

    @Option(name: .long, help: ArgumentHelp("The icon: one character, such as an emoji, or none.", valueName: "icon"))
    var icon: String?

    @Option(
      name: .long, help: ArgumentHelp("The list to put it before.", valueName: "list"),
      completion: Completions.lists)
    var before: String?

    @Option(
      name: .long, help: ArgumentHelp("The list to put it after.", valueName: "list"),
      completion: Completions.lists)
    var after: String?

    @Flag(name: .long, help: "Put it after all other lists.")
    var last = false

    @OptionGroup var options: DataOptions

    func validate() throws {
      let places = [before != nil, after != nil, last].count { $0 }
      if places > 1 { throw ValidationError("Give one of --before LIST, --after LIST and --last.") }
      if places == 0, listColor == nil, icon == nil {
        throw ValidationError("Give what to change: --list-color, --icon, --before, --after or --last.")
      }
    }

    func run() throws {
      let session = try Session(options)
      var edit = ListEdit()
      edit.color = try listColor.map { try $0 == "none" ? .clear : .set(ListColor(parsing: $0)) }
      edit.icon = try icon.map { try $0 == "none" ? .clear : .set(ListIcon(parsing: $0)) }
      edit.place =
        if let before {
          .before(try session.listID(before))
        } else if let after {
          .after(try session.listID(after))
        } else {
          last ? .end : nil
        }
      let summary = try session.belfry.editList(session.listID(name), edit)
      try session.finish("Changed the list '\(summary.list.name)'.", summary, options: options)
    }
  }
}
