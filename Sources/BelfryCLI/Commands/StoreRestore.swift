import ArgumentParser
import BelfryEngine
import BelfryModel
import BelfryRuntime
import Glibc
import OrderedJSON

extension Store {
  struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "restore", abstract: "Go back to the last good copy, or to another one.",
      discussion: """
        belfry store restore
        belfry store restore lists.json.bak

        The copy is checked first, and stays. What it replaces is kept beside it, under the name FILE.replaced. Stop
        the daemon first; --force also replaces a store that is in order. Changes made since the copy are not in it.
        Numbers continue from those of the replaced store, and what rang there does not ring again. If the damage hides
        them, the numbers given after the copy was made may be given again, and the command says so; so with what rang.
        What came due since and did not ring rings late.
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
          .usage, "a store of type \(type) cannot be restored from a file",
          hint: "restore a server from a dump with pg_restore, and a folder with the program that syncs it")
      }
      if let daemon = RunningDaemon(store: store) {
        throw BelfryError(
          .tryAgain, "belfryd (process \(daemon.process)) rings from \(location)",
          hint: "stop it first: \(daemon.stopCommand(Assembly.environment.variables))")
      }
      if let file, access(file, F_OK) != 0 { throw Restoration.noCopy(file, of: location) }
      if try isInOrder(session) {
        try session.confirm(
          "\(location) is in order. Replace it by \(file ?? "the last good copy")?", isForced: force)
      }
      let done = try session.belfry.restore(store, from: file)
      let (counts, nextID) = try store.read { try ($0.counts(), max(1, $0.counters().nextItemID)) }
      if options.json {
        try session.console.print([
          "path": .string(location), "copy": .string(done.copy),
          "replaced": done.replaced.map { .string($0) } ?? .null,
          "lists": .integer(Int64(counts.lists)), "items": .integer(Int64(counts.items)), "next_id": .integer(nextID),
          "reminders_fired_since": .integer(Int64(done.rung)), "numbers_known": .bool(done.hasNumbers),
          "reminders_known": .bool(done.hasReminders),
        ])
      } else {
        let kept = done.replaced.map { "What was there is kept as \($0)." } ?? "There was nothing to keep."
        session.console.report(
          "Restored \(counted(counts.items, "item")) on \(counted(counts.lists, "list")) from \(done.copy). \(kept)")
        session.console.report("The next item is number \(nextID).\(Self.words(of: done))")
      }
    }

    private static func words(of done: Restoration) -> String {
      var sentences: [String] = []
      if done.rung > 0 {
        sentences.append("\(counted(done.rung, "reminder")) that rang after the copy will not ring again.")
      }
      if !done.hasNumbers {
        sentences.append("The numbers given after the copy was made cannot be read: they may be given again.")
      }
      if !done.hasReminders {
        sentences.append(
          "What rang after the copy was made cannot be read: whatever the copy has scheduled rings again.")
      }
      return sentences.map { " \($0)" }.joined()
    }

    // A store that does not exist or is damaged has no data to lose.
    private func isInOrder(_ session: Session) throws -> Bool {
      do {
        return try session.belfry.store.info().version != nil && session.belfry.checkStore().isEmpty
      } catch let error as BelfryError where error.kind == .storeFailed {
        return false
      }
    }
  }
}
