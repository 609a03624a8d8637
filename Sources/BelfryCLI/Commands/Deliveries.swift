import ArgumentParser
import BelfryEngine
import BelfryModel
import CivilTime
import OrderedJSON

struct Deliveries: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "deliveries", abstract: "Show, retry or discard deliveries.",
    discussion: """
      belfry deliveries --state pending        waiting, with the reason
      belfry deliveries retry --dead           retry all that were given up
      belfry deliveries discard 7              cancel it, or put a dead one away
      """,
    subcommands: [ListDeliveries.self, Retry.self, Discard.self], defaultSubcommand: ListDeliveries.self)

  /// `belfry deliveries` without a subcommand.
  struct ListDeliveries: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Show deliveries, newest first.",
      discussion: """
        belfry deliveries --state dead
        """)

    @Option(name: .long, help: "The state: pending, delivered, dead or discarded.")
    var state: Delivery.State?

    @Option(name: .short, help: ArgumentHelp("The maximum number of deliveries.", valueName: "n"))
    var number: Int?

    @OptionGroup var options: DataOptions

    func validate() throws { try validate(limit: number) }

    func run() throws {
      let session = try Session(options)
      try session.belfry.read { reading in
        var deliveries: [(Delivery, Message)] = []
        try reading.view.forEachDelivery(state: state, limit: number) { deliveries.append(($0, $1)) }
        try session.show(deliveries, reading, options: options)
      }
    }
  }

  struct Retry: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "retry", abstract: "Retry dead deliveries, within a minute.",
      discussion: """
        belfry deliveries retry 7
        belfry deliveries retry --dead
        """)

    @Argument(help: ArgumentHelp("The deliveries' numbers.", valueName: "id"))
    var ids: [Int64] = []

    @Flag(name: .long, help: "Retry every dead delivery whose reminder is not done or answered.")
    var dead = false

    @OptionGroup var options: DataOptions

    func validate() throws {
      if dead != ids.isEmpty { throw ValidationError("Give either numbers or --dead.") }
    }

    func run() throws {
      let session = try Session(options)
      let deliveries = try session.belfry.retryDeliveries(dead ? nil : ids)
      try session.finish("will be tried again within a minute", deliveries, options: options)
      let known = Set(session.assembly.sinks.map(\.name))
      for sink in Set(deliveries.map(\.0.sink)).subtracting(known).sorted() {
        session.console.warn(
          "the sink '\(sink)' is switched off or not in the config: its deliveries will fail again")
      }
    }
  }

  struct Discard: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "discard", abstract: "Cancel pending deliveries, and put dead ones away.",
      discussion: """
        belfry deliveries discard 7 8 --force
        belfry deliveries discard --dead --force
        """)

    @Argument(help: ArgumentHelp("The deliveries' numbers.", valueName: "id"))
    var ids: [Int64] = []

    @Flag(name: .long, help: "Discard every dead delivery.")
    var dead = false

    @Flag(name: .long, help: "Skip the confirmation.")
    var force = false

    @OptionGroup var options: DataOptions

    func validate() throws {
      if dead != ids.isEmpty { throw ValidationError("Give either numbers or --dead.") }
    }

    func run() throws {
      let session = try Session(options)
      // No confirmation is asked for a delivery that does not exist.
      try session.belfry.read { reading in
        for id in ids where try reading.view.delivery(id: id) == nil { throw BelfryError.noDelivery(id) }
      }
      let what = dead ? "every dead delivery" : counted(ids.count, "delivery")
      try session.confirm("Discard \(what)?", isForced: force)
      let deliveries = try session.belfry.discardDeliveries(dead ? nil : ids)
      try session.finish("is discarded", deliveries, options: options)
    }
  }
}

extension Delivery.State: ExpressibleByArgument {
  /// The states as they are typed, for help and completions.
  public static var allValueStrings: [String] { allCases.map(\.name) }

  /// A state by its name.
  public init?(argument: String) {
    guard let state = Delivery.State.allCases.first(where: { $0.name == argument }) else { return nil }
    self = state
  }
}

extension Session {
  fileprivate func show(_ deliveries: [(Delivery, Message)], _ reading: Reading, options: DataOptions) throws {
    let people = try reading.view.personNames()
    if options.json {
      try console.print(
        .array(
          deliveries.map { reading.json($0, of: $1, answers: try reading.view.answers(to: $1), people: people) }))
      return
    }
    guard !deliveries.isEmpty else { return console.report("No deliveries to show.") }
    let style = console.style
    var table = Table([
      .init(title: "ID", isRightAligned: true), .init(title: "Fired"), .init(title: "State"),
      .init(title: "Sink"), .init(title: "Item", isFlexible: true), .init(title: "List", isFlexible: true),
      .init(title: "Note", isFlexible: true),
    ])
    let moment = Moment(zone: reading.planner.floatingZone, now: reading.now)
    for (delivery, message) in deliveries {
      let content = message.contents.first
      table.append([
        Table.Cell("\(delivery.id)", style.dim), Table.Cell(moment.short(delivery.fireDate.date)),
        Table.Cell(delivery.state.name, delivery.state == .dead ? style.red : nil),
        Table.Cell([delivery.sink, delivery.recipient].compactMap { $0 }.joined(separator: " ")),
        Table.Cell(message.title), Table.Cell(content?.listName ?? "", style.dim),
        Table.Cell(try note(delivery, message, reading, people, moment)),
      ])
    }
    try console.print(table)
  }

  fileprivate func finish(_ what: String, _ deliveries: [(Delivery, Message)], options: DataOptions) throws {
    if options.json {
      let hindsight = try belfry.hindsight()
      try console.print(.array(deliveries.map { hindsight.json($0, of: $1) }))
    } else if deliveries.isEmpty {
      console.report("No such deliveries: nothing was changed.")
    } else {
      for (delivery, message) in deliveries {
        console.report("Delivery \(delivery.id) to \(delivery.sink) \(what): \(message.title)")
      }
    }
  }

  private func note(
    _ delivery: Delivery, _ message: Message, _ reading: Reading, _ people: [Int64: String], _ moment: Moment
  ) throws -> String {
    let answers = try reading.view.answers(to: message).map { answer in
      let effect = answer.takenBackAt == nil ? answer.effect.name : "taken back"
      let giver = answer.channel.giver(people[answer.person])
      return "'\(answer.action)' by \(giver) \(moment.short(answer.date)): \(effect)"
    }
    return ([delivery.note(moment)].filter { !$0.isEmpty } + answers).joined(separator: "; ")
  }
}
