import ArgumentParser
import BelfryEngine
import BelfryModel
import BelfryRuntime
import CivilTime
import FoundationEssentials
import OrderedJSON
import WebAccess

extension AccessScope: ExpressibleByArgument {}

struct AccessCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "access", abstract: "Manage access to the web face.",
    discussion: """
      belfry access link                         sign in with a browser
      belfry access add laptop --scope edit      a token for a program
      belfry access add phone --scope feed       the URL of a calendar feed
      """,
    subcommands: [Link.self, Add.self, List.self, Revoke.self])

  struct Link: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "link", abstract: "Create a sign-in link that works once, within 5 minutes.",
      discussion: """
        belfry access link
        belfry access link --scope answer --person anna
        belfry access link --scope edit -l Groceries        for one list alone
        """)

    @Option(
      name: .long, help: ArgumentHelp("The person who uses it.", valueName: "name"), completion: Completions.people)
    var person: String?

    @Option(name: .long, help: ArgumentHelp("The scope: read, answer, edit or admin.", valueName: "scope"))
    var scope = AccessScope.admin

    @Option(
      name: .shortAndLong, help: ArgumentHelp("A list to limit the session to; may be repeated.", valueName: "list"),
      completion: Completions.lists)
    var list: [String] = []

    @OptionGroup var options: DataOptions

    func run() throws {
      let session = try Session(options)
      guard scope != .feed else {
        throw BelfryError(
          .usage, "a sign-in link cannot have the scope 'feed'", hint: "'belfry access add' makes a token for it")
      }
      let origin = try session.webOrigin()
      let lists = try session.listIdentities(list)
      let secret = try session.access().makeLink(
        for: Access.Grant(
          person: try AccessNames.checked(person, among: session.settings.people.map(\.name)), scope: scope,
          lists: lists),
        at: session.belfry.time.now)
      let url = "\(origin)/sign-in/\(secret)"
      if options.json { return try session.console.print(.array([["url": .string(url)]])) }
      try session.console.print(url)
    }
  }

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Create a token for a program, and print it once.",
      discussion: """
        belfry access add laptop --scope edit
        belfry access add phone --scope feed -l Family      the URL of a feed
        """)

    @Argument(help: ArgumentHelp("The name of the token.", valueName: "name"))
    var name: String

    @Option(
      name: .long, help: ArgumentHelp("The person who uses it.", valueName: "name"), completion: Completions.people)
    var person: String?

    @Option(name: .long, help: ArgumentHelp("The scope: read, answer, edit, admin or feed.", valueName: "scope"))
    var scope = AccessScope.read

    @Option(
      name: .shortAndLong, help: ArgumentHelp("A list to limit the token to; may be repeated.", valueName: "list"))
    var list: [String] = []

    @OptionGroup var options: DataOptions

    func run() throws {
      let session = try Session(options)
      try AccessNames.check(token: name)
      let lists = try session.listIdentities(list)
      let token = try session.access().addToken(
        name,
        for: Access.Grant(
          person: try AccessNames.checked(person, among: session.settings.people.map(\.name)), scope: scope,
          lists: lists),
        at: session.belfry.time.now)
      let url = scope == .feed ? session.webAddress.map { $0 + FeedPath.path(token) } : nil
      if options.json {
        return try session.console.print(
          .array([["name": .string(name), "token": .string(token), "url": url.map { .string($0) } ?? .null]]))
      }
      try session.console.print(url ?? token)
      guard scope != .feed else { return session.console.report(session.feedWords(hasURL: url != nil)) }
      session.console.report("It is shown only once. A program signs in with the header 'Authorization: Bearer TOKEN'.")
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Show tokens, sessions and passkeys, with their last use.",
      discussion: """
        belfry access list
        """)

    @OptionGroup var options: DataOptions

    func run() throws {
      let session = try Session(options)
      let found = try session.access().list(at: session.belfry.time.now)
      try session.belfry.read { reading in
        let zone = reading.planner.floatingZone
        let lists = try reading.view.lists()
        let names = { (access: Access) in
          access.grant.lists.map { id in lists.first { $0.uuid == id }?.name ?? id.uuidString.lowercased() }
        }
        if options.json {
          return try session.console.print(.array(found.map { Self.json($0, names($0), zone) }))
        }
        guard !found.isEmpty else { return session.console.report("No access to show.") }
        var table = Table([
          .init(title: "Name", isSubject: true), .init(title: "Label", isFlexible: true), .init(title: "Scope"),
          .init(title: "Person", isFlexible: true), .init(title: "Lists", isFlexible: true), .init(title: "Last used"),
        ])
        let moment = Moment(zone: zone, now: reading.now)
        for access in found {
          table.append([
            Table.Cell(access.name), Table.Cell(access.label ?? ""), Table.Cell(access.grant.scope.rawValue),
            Table.Cell(access.grant.person ?? ""), Table.Cell(names(access).joined(separator: ", ")),
            Table.Cell(access.lastUsedAt.map(moment.past) ?? "never", session.console.style.dim),
          ])
        }
        try session.console.print(table)
      }
    }

    private static func json(_ access: Access, _ lists: [String], _ zone: Zone) -> JSONValue {
      [
        "name": .string(access.name),
        "label": access.label.map { .string($0) } ?? .null,
        "kind": .string(access.kind.rawValue),
        "person": access.grant.person.map { .string($0) } ?? .null,
        "scope": .string(access.grant.scope.rawValue),
        "lists": .array(lists.map { .string($0) }),
        "made_at": .string(zone.rfc3339(access.madeAt)),
        "last_used_at": access.lastUsedAt.map { .string(zone.rfc3339($0)) } ?? .null,
        "expires_at": access.expiresAt.map { .string(zone.rfc3339($0)) } ?? .null,
      ]
    }
  }

  struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "revoke", abstract: "Revoke a token, a session or a passkey.",
      discussion: """
        belfry access revoke laptop

        The sessions that it opened end too, and their browsers get no more reminders.
        """)

    @Argument(help: ArgumentHelp("The name shown by 'belfry access list'.", valueName: "name"))
    var name: String

    @OptionGroup var options: DataOptions

    func run() throws {
      let session = try Session(options)
      let files = session.assembly.configuration.sinks.subscriptionFiles
      let browsers = try session.access().revoke(name, subscriptionsIn: Array(files))
      if options.json { return try session.console.print(.array([["name": .string(name)]])) }
      session.console.report("Revoked '\(name)'.")
      guard !browsers.isEmpty else { return }
      session.console.report("These browsers show no more reminders: \(browsers.sorted().joined(separator: ", ")).")
    }
  }
}

extension Session {
  /// The identities of the lists to which access is limited.
  ///
  /// - Throws: ``BelfryError`` `.notFound`.
  fileprivate func listIdentities(_ names: [String]) throws -> [UUID] {
    try belfry.read { reading in try names.map { try reading.view.knownList(named: $0).uuid } }
  }

  /// The tokens and sessions of the store, for a user who may write the store.
  ///
  /// - Throws: ``BelfryError`` `.noPermission`.
  fileprivate func access() throws -> AccessStore {
    let access = try AccessStore(of: belfry.store)
    try access.checkOwner()
    return access
  }

  /// The beginning of the web face's URLs; `nil` if it is unknown.
  fileprivate var webAddress: String? { settings.web.origin(at: settings.web.listen) }

  fileprivate func feedWords(hasURL: Bool) -> String {
    guard hasURL else {
      return "It is shown only once. A calendar program subscribes to \(FeedPath.path("TOKEN")) of the web face; "
        + "set web.public_url to see the whole URL."
    }
    let words = "It is shown only once: a calendar program subscribes to it, and whoever knows it sees the calendar."
    return settings.web.publicURL == nil ? "\(words) Without web.public_url it works on this machine alone." : words
  }

  /// The beginning of the web face's URLs.
  ///
  /// - Throws: ``BelfryError`` `.badConfig` if it is unknown.
  fileprivate func webOrigin() throws -> String {
    if let webAddress { return webAddress }
    throw BelfryError(
      .badConfig, "the config does not say by which URL browsers reach the web face", hint: "set web.public_url")
  }
}
