import ArgumentParser
import BelfryEngine
import BelfryModel
import BelfryRuntime
import CivilTime
import FoundationEssentials
import OrderedJSON

struct Store: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "store", abstract: "Show, check, restore or copy the store.",
    discussion: """
      belfry store info
      belfry store copy --to other.yaml
      """,
    subcommands: [Info.self, Check.self, Restore.self, Copy.self])

  struct Info: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "info", abstract: "Show the content, size and last write of the store.",
      discussion: """
        belfry store info
        """)

    @OptionGroup var options: DataOptions

    func run() throws {
      let session = try Session(options)
      let store = session.belfry.store
      let info = try store.info()
      try session.belfry.read { reading in
        let counts = try reading.view.counts()
        let zone = try reading.view.plannedZone()
        let nextID = try max(1, reading.view.counters().nextItemID)
        let type = session.assembly.configuration.store.type
        if options.json {
          try session.console.print(json(type, store, info, counts, zone, nextID, reading))
        } else {
          try session.console.print(text(type, store, info, counts, zone, nextID, reading).visibleLines)
        }
      }
    }

    private func json(
      _ type: String, _ store: any ItemStore, _ info: StoreInfo, _ counts: StoreCounts, _ zone: String?,
      _ nextID: Int64, _ reading: Reading
    ) -> JSONValue {
      [
        "type": .string(type),
        "path": .string(store.location),
        "state": store.state.map { .string($0) } ?? .null,
        "version": info.version.map { .integer(Int64($0)) } ?? .null,
        "size_bytes": .integer(info.sizeBytes),
        "last_write": info.lastWrite.map { .string(reading.planner.floatingZone.rfc3339($0)) } ?? .null,
        "backup": info.backup.map { .string($0) } ?? .null,
        "time_zone": zone.map { .string($0) } ?? .null,
        "next_id": .integer(nextID),
        "lists": .integer(Int64(counts.lists)),
        "items": .integer(Int64(counts.items)),
        "unchecked": .integer(Int64(counts.unchecked)),
        "scheduled": .integer(Int64(counts.scheduled)),
        "pending": .integer(Int64(counts.deliveries[.pending] ?? 0)),
        "delivered": .integer(Int64(counts.deliveries[.delivered] ?? 0)),
        "discarded": .integer(Int64(counts.deliveries[.discarded] ?? 0)),
        "dead": .integer(Int64(counts.deliveries[.dead] ?? 0)),
      ]
    }

    private func text(
      _ type: String, _ store: any ItemStore, _ info: StoreInfo, _ counts: StoreCounts, _ zone: String?,
      _ nextID: Int64, _ reading: Reading
    ) -> String {
      let moment = Moment(zone: reading.planner.floatingZone, now: reading.now)
      let deliveries = Delivery.State.allCases.map { "\(counts.deliveries[$0] ?? 0) \($0.name)" }
      var rows: [(String, String)] = [
        ("Store", "\(type), version \(info.version.map(String.init) ?? "none yet")"),
        ("Path", store.location),
        ("Size", ByteCount.words(info.sizeBytes)),
        ("Last write", info.lastWrite.map(moment.past) ?? "never"),
        ("Last copy", info.backup ?? "none"),
        ("Lists", "\(counts.lists)"),
        ("Items", "\(counts.items), \(counts.unchecked) of them unchecked; the next item gets number \(nextID)"),
        ("Reminders", "\(counts.scheduled) scheduled, planned in \(zone ?? "no zone yet")"),
        ("Deliveries", deliveries.joined(separator: ", ")),
      ]
      if let state = store.state { rows.insert(("State", state), at: 2) }
      if let advice = info.advice(items: counts.items) { rows.append(("Advice", advice)) }
      return rows.map { "\($0.0.padded(to: 12))\($0.1)" }.joined(separator: "\n")
    }
  }

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check", abstract: "Check the whole store without changing it.",
      discussion: """
        belfry store check

        A store of type vdir is a folder of calendars, with a state that is kept elsewhere. If one of them is lost,
        --adopt continues with the other: a folder without its marker is tied to its state again, and one without its
        state starts over with new numbers. To-dos whose files vanished together with many others ring for one more
        day; --accept-deletions deletes them at once.
        """)

    @Flag(name: .long, help: "Continue with a folder that has lost its state or its marker.")
    var adopt = false

    @Flag(name: .long, help: "Delete at once the items whose files vanished from a folder.")
    var acceptDeletions = false

    @OptionGroup var options: DataOptions

    func run() throws {
      let session = try Session(options)
      let path = session.belfry.store.location
      if adopt { try adoptStore(session) }
      if acceptDeletions { try deleteVanished(session) }
      let findings = try session.belfry.checkStore()
      if options.json {
        try session.console.print(["path": .string(path), "findings": .array(findings.map { .string($0) })])
      } else {
        for finding in findings { try session.console.print(finding.visibleLine) }
      }
      guard findings.isEmpty else {
        let store = session.belfry.store
        let advice = Restoration.advice(try store.info().backup)
        throw BelfryError(
          .storeFailed, "\(path): found \(counted(findings.count, "fault"))",
          hint: store.state == nil
            ? "the file was left as it is; \(advice)"
            : "its files were left as they are: correct, move or remove those that are named")
      }
      if !options.json { session.console.report("\(path) is in order.") }
    }

    private func deleteVanished(_ session: Session) throws {
      let count = try tiedStore(of: session, for: "--accept-deletions").acceptDeletions()
      _ = try session.belfry.planEdits()
      session.console.report(
        count == 0
          ? "No file has vanished."
          : "Deleted \(counted(count, "item")) whose files vanished.")
    }

    private func tiedStore(of session: Session, for option: String) throws -> any TiedStore {
      guard let store = session.belfry.store as? any TiedStore else {
        let type = session.assembly.configuration.store.type
        throw BelfryError(
          .usage, "\(option) is for a store of type vdir, but this one is of type \(type)",
          hint: "leave it out to check the store")
      }
      return store
    }

    private func adoptStore(_ session: Session) throws {
      guard let done = try tiedStore(of: session, for: "--adopt").adopt() else { return }
      _ = try session.belfry.planEdits()
      session.console.report("\(done).")
    }
  }

  struct Copy: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "copy",
      abstract: "Copy everything, with its numbers, to the store of another config.",
      discussion: """
        belfry store copy --to other.yaml

        The other store must be empty; --force replaces its content. Stop the daemon first, and start it with the
        other config afterwards: two daemons on two copies would ring twice. While a daemon of this store runs, --force
        is needed too.
        """)

    @Option(name: .long, help: ArgumentHelp("The config of the other store.", valueName: "file.yaml"))
    var to: String

    @Flag(
      name: .long, help: "Replace the content of the other store, or copy while a daemon runs, without confirmation.")
    var force = false

    @OptionGroup var options: DataOptions

    func run() throws {
      let session = try Session(options)
      let other = try Assembly(.file(to), time: SystemTimeSource())
      try ServerStores.handOver(other)
      let copy = try StoreCopy(from: session.belfry.store, to: other.belfry.store)
      let daemons = try Self.daemons(of: session.belfry.store)
      if !daemons.isEmpty {
        let (verb, them, they) = daemons.count == 1 ? ("rings", "it", "it rings") : ("ring", "them", "they ring")
        try session.confirm(
          "\(daemons.joined(separator: ", ")) \(verb) from \(session.belfry.store.location): stop \(them) first, or "
            + "whatever \(they) from now on rings a second time from the copy. Copy anyway?",
          isForced: force)
      }
      let present = try copy.targetDigest()
      // An emptied store still has history and counters, which need no confirmation.
      if present.items + present.lists > 0 {
        let size = "\(counted(present.items, "item")) on \(counted(present.lists, "list"))"
        try session.confirm("\(other.belfry.store.location) holds \(size). Replace them?", isForced: force)
      }
      // Hand edits are planned before the copy, so that they ring from either store.
      _ = try session.belfry.planEdits()
      var bar = ProgressBar(label: "copying", console: session.console)
      let digest = try copy.run(replacing: !present.isEmpty) { bar.show($0, of: $1) }
      bar.finish()
      if options.json {
        try session.console.print([
          "from": .string(session.belfry.store.location), "to": .string(other.belfry.store.location),
          "lists": .integer(Int64(digest.lists)), "items": .integer(Int64(digest.items)),
          "reminders": .integer(Int64(digest.reminders)), "messages": .integer(Int64(digest.messages)),
          "deliveries": .integer(Int64(digest.deliveries)),
        ])
      } else {
        session.console.report(
          "Copied \(counted(digest.items, "item")) on \(counted(digest.lists, "list")), "
            + "\(counted(digest.reminders, "reminder")) and \(counted(digest.deliveries, "delivery record")) to "
            + "\(other.belfry.store.location).")
        session.console.report(nextSteps(daemons))
      }
    }

    // The daemons that ring from a store: those that share it, or the one of this machine that has it alone.
    private static func daemons(of store: any ItemStore) throws -> [String] {
      let shared = try store.daemons().map { "belfryd on \($0.host) (process \($0.process))" }
      guard shared.isEmpty, let daemon = RunningDaemon(store: store) else { return shared }
      return ["belfryd (process \(daemon.process))"]
    }

    // The next steps for the user, so that only one daemon runs, on the copy.
    private func nextSteps(_ daemons: [String]) -> String {
      let stop =
        daemons.isEmpty
        ? "stop the daemon of the old store, if one runs" : "stop \(daemons.joined(separator: ", "))"
      return "Next: \(stop), go on with '--config \(to)', and start 'belfry run --config \(to)': "
        + "two daemons on two copies would ring twice."
    }
  }
}

extension ItemStore {
  /// The file for data that the folders' files cannot hold; `nil` if the store is not in folders.
  fileprivate var state: String? { watchedFolders.isEmpty ? nil : watchedFile }
}
