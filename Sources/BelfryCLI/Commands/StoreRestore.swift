import ArgumentParser
import BelfryEngine
import BelfryModel
import BelfryPlugins
import OrderedJSON

extension Store {
  /// `belfry store restore`.
  struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "restore", abstract: "Go back to the last good copy, or to another one.",
      discussion: """
        belfry store restore
        belfry store restore lists.json.bak

        The copy is checked first, and stays. What it replaces is kept beside it, under the name FILE.replaced. Stop
        the daemon first; --force also replaces a store that is in order. Changes made since the copy are not in it,
        and what came due since then rings late.
        """)

    @Argument(help: ArgumentHelp("The copy; the last good one beside the store without it.", valueName: "file"))
    var file: String?

    @Flag(name: .long, help: "Replace a store that is in order without confirmation.")
    var force = false

    @OptionGroup var options: DataOptions

    func run() throws {
      let session = try Session(options)
      let location = session.belfry.store.location
      guard let store = session.belfry.store as? any RestorableStore else {
        let type = session.assembly.configuration.store.type
        throw BelfryError(
          .usage, "a store of type \(type) is not restored from a file",
          hint: "of a server, pg_restore brings back a dump; of a folder, what keeps it in step")
      }
      if let daemon = RunningDaemon(store: store) {
        throw BelfryError(
          .tryAgain, "belfryd (process \(daemon.process)) rings from \(location)",
          hint: "stop it first: systemctl --user stop belfry")
      }
      if try isInOrder(session) {
        try session.confirm(
          "\(location) is in order. Replace it by \(file ?? "the last good copy")?", isForced: force)
      }
      let done = try store.restore(from: file)
      let counts = try store.read { try $0.counts() }
      if options.json {
        try session.console.print([
          "path": .string(location), "copy": .string(done.copy),
          "replaced": done.replaced.map { .string($0) } ?? .null,
          "lists": .integer(Int64(counts.lists)), "items": .integer(Int64(counts.items)),
        ])
      } else {
        let kept = done.replaced.map { "What was there is kept as \($0)." } ?? "There was nothing to keep."
        session.console.report(
          "Restored \(counts.items) item(s) on \(counts.lists) list(s) from \(done.copy). \(kept)")
      }
    }

    // A store that was never made is nothing to lose, like one that is damaged.
    private func isInOrder(_ session: Session) throws -> Bool {
      do {
        return try session.belfry.store.info().version != nil && session.belfry.checkStore().isEmpty
      } catch let error as BelfryError where error.kind == .storeFailed {
        return false
      }
    }
  }
}
