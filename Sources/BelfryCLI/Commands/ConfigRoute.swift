import ArgumentParser
import BelfryEngine
import CivilTime
import ConfigKeys

extension ConfigCommand {
  struct Route: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "route", abstract: "Print the sinks of a reminder, and what selects them.",
      discussion: """
        belfry config route -l Work
        belfry config route -l Groceries --category shopping
        belfry config route -l Family --escalation     who is asked, and when
        belfry config route -l Family --json
        """)

    @Option(name: .shortAndLong, help: ArgumentHelp("The list.", valueName: "list"), completion: Completions.lists)
    var list: String

    @Option(
      name: .long, help: ArgumentHelp("The category.", valueName: "id"), completion: Completions.categories)
    var category: String?

    @Flag(name: .long, help: "Print the steps of its escalation, and who each would reach now.")
    var escalation = false

    @OptionGroup var options: DataOptions

    func run() throws {
      let session = try Session(options)
      let category = try category.map { name in try session.belfry.read { try session.entry($0).category(name) } }
      try reportUnknownList(session)
      let destinations = Destinations(session: session, viewpoint: try session.belfry.hindsight())
      let escalation = session.settings.escalation(forList: list, category: category)
      if options.json {
        return try session.console.print(.array([destinations.json(list: list, category: category, escalation)]))
      }
      if self.escalation {
        guard let escalation else {
          return session.console.report("No escalation: neither the category nor 'lists' names one.")
        }
        try session.console.print(destinations.table(escalation))
        report(escalation, session, category)
      } else {
        let found = destinations.places(of: session.firstNames(list: list, category: category))
        if !found.isEmpty { try session.console.print(found.joined(separator: "\n")) }
        if let escalation {
          let name = escalation.name
          session.console.report(
            "These are reached by the first step of escalation '\(name)': --escalation prints all steps.")
        } else {
          reportRoutes(destinations, session, category)
        }
        if found.isEmpty { session.console.report("Such a reminder goes to no sink.") }
      }
    }

    // A route may be asked for before its list is made.
    private func reportUnknownList(_ session: Session) throws {
      try session.belfry.read { reading in
        guard try reading.view.list(named: list) == nil else { return }
        let names = try reading.view.lists().map(\.name)
        session.console.warn("no list is called \(inQuotes(list)) yet\(Suggestion.text(for: list, among: names))")
      }
    }

    private func report(_ escalation: Escalation, _ session: Session, _ category: String?) {
      let owner =
        if let category, session.settings.category(category)?.escalation != nil {
          "category '\(category)'"
        } else {
          "list '\(list)'"
        }
      session.console.report("Escalation '\(escalation.name)' of the \(owner), until somebody answers.")
      guard let wait = escalation.againAfter else { return }
      let count = escalation.again == .once ? "once" : "each time"
      session.console.report("If it is acknowledged and stays open, it starts again after \(wait), \(count).")
    }

    private func reportRoutes(_ destinations: Destinations, _ session: Session, _ category: String?) {
      let routes = session.settings.routes
      let deciding = routes.deciding(list: list, category: category)
      for place in deciding {
        let line = session.assembly.configuration.position(ofRoute: place).map { ":\($0.line)" } ?? ""
        let notes = destinations.omissions(routes[place].sinks).map { "; \($0)" }.joined()
        session.console.report("Route \(place + 1) decides (\(session.configName)\(line))\(notes).")
      }
      if deciding.isEmpty {
        session.console.report(
          routes.isEmpty ? "No routes: every enabled sink." : "No route matches: every enabled sink.")
      }
    }
  }
}

/// The recipients that names of people and sinks reach now.
struct Destinations {
  let session: Session
  let viewpoint: Hindsight

  /// The sinks, each with its person's address if there is one. People may share an address.
  func places(of names: [String]) -> [String] {
    recipients(of: names).map(\.place).uniqued()
  }

  /// The sinks, each with the person that it reaches.
  func recipients(of names: [String]) -> [NamedRecipient] {
    session.recipients.recipients(of: names, at: viewpoint.now, in: viewpoint.planner.floatingZone)
  }

  /// The names that reach no recipient now, by the reason.
  func omissions(_ names: [String]) -> [String] {
    let away = absentees(names)
    let disabled = names.filter { !away.contains($0) && places(of: [$0]).isEmpty }
    return [("switched off", disabled), ("away", away)].filter { !$1.isEmpty }
      .map { "\($0): \($1.joined(separator: ", "))" }
  }

  /// The steps, with the people who are away.
  func table(_ escalation: Escalation) -> Table {
    var table = Table(
      [
        .init(title: "Step", isRightAligned: true), .init(title: "After"), .init(title: "To", isFlexible: true),
        .init(title: "Sinks", isFlexible: true), .init(title: "Rings"),
      ], wraps: true)
    let style = session.console.style
    for (index, step) in escalation.steps.enumerated() {
      let away = absentees(step.to)
      let names = step.to.map { away.contains($0) ? "\($0) (away)" : $0 }
      let places = places(of: step.to)
      let rings = step.every.flatMap { step.times > 1 ? "every \($0), \(step.times) times" : nil } ?? "once"
      table.append([
        Table.Cell("\(index + 1)", style.dim), Table.Cell("\(step.after)"),
        Table.Cell(names.joined(separator: ", ")),
        places.isEmpty ? Table.Cell("none", style.yellow) : Table.Cell(places.joined(separator: ", ")),
        Table.Cell(rings, style.dim),
      ])
    }
    return table
  }

  func absentees(_ names: [String]) -> [String] {
    session.recipients.absentees(among: names, at: viewpoint.now, in: viewpoint.planner.floatingZone).map(\.name)
  }
}

extension Session {
  /// The names of the people and sinks that a reminder of this list and category goes to at first, from the first step
  /// of its escalation, or else from its routes.
  func firstNames(list: String, category: String?) -> [String] {
    settings.escalation(forList: list, category: category)?.steps.first?.to
      ?? settings.routes.names(forList: list, category: category) ?? assembly.sinks.map(\.name)
  }
}

extension NamedRecipient {
  /// The sink, with the person's address in parentheses.
  var place: String { address.map { "\(sink) (\($0))" } ?? sink }
}
