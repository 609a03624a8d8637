import BelfryEngine
import BelfryModel
import BelfryRuntime
import CivilTime
import ConfigKeys
import FoundationEssentials
import Glibc

/// A folder of calendars of other programs, for which `belfry init --vdir` writes a config.
struct CalendarFolder {
  /// The path, absolute and without a slash at its end.
  let path: String

  /// The number of reminders whose times are printed.
  private static let shown = 5

  /// The folder at a path.
  ///
  /// - Throws: ``BelfryError`` `.notFound` if there is none, with the folders that other programs name, `.badInput` if it
  ///   is the folder of one list.
  init(_ path: String, _ environment: ConfigEnvironment) throws {
    let folder = URL(fileURLWithPath: Self.absolute(path, environment)).standardizedFileURL.path
    guard Self.isFolder(folder) else {
      let known = Self.known(environment).map { "\($0.program) keeps lists in \($0.path)" }
      throw BelfryError(
        .notFound, "there is no folder \(path)",
        hint: known.isEmpty ? "name the folder that contains a folder for each list" : known.joined(separator: "; "))
    }
    self.path = folder
    guard isOneList else { return }
    throw BelfryError(
      .badInput, "\(path) holds to-dos itself: it is the folder of one list",
      hint:
        "name the folder above it: belfry init --vdir \(URL(fileURLWithPath: folder).deletingLastPathComponent().path.shellQuoted)"
    )
  }

  // True for a folder with calendars and without folders, which must be one list of several.
  private var isOneList: Bool {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { !$0.hasPrefix(".") }
    return names.contains { $0.lowercased().hasSuffix(".ics") } && !names.contains { Self.isFolder("\(path)/\($0)") }
  }

  /// The use that Belfry would make of the folder.
  struct Outlook {
    /// The reminders that it would ring, in lines for people.
    let lines: [String]
    /// The list for new items: one called Inbox, else the first with to-dos, else the first; `nil` if there is none.
    let defaultList: String?
  }

  /// Finds the use that Belfry would make of the folder. It writes nothing into the folder, since it reads the lists
  /// through links in a temporary folder.
  func outlook() throws -> Outlook {
    let base = FileManager.default.temporaryDirectory.path
    let draft = "\(base)/belfry-init-\(UUID().uuidString.lowercased())"
    defer { try? FileManager.default.removeItem(atPath: draft) }
    let events = try belfry(in: "\(draft)/events", readsEvents: true).read { reading in
      var events = 0
      try reading.view.forEachItem(ItemQuery(kind: .events)) { _ in events += 1 }
      return events
    }
    return try belfry(in: "\(draft)/to-dos", readsEvents: false).read { reading in
      let counts = try reading.view.counts()
      let rings = try reading.preview(
        from: reading.now, until: reading.now.addingTimeInterval(366 * 86_400), limit: Self.shown
      ).rings
      var overdue = 0
      try reading.view.forEachItem(ItemQuery(checked: .unchecked, dueBefore: reading.now)) { listing in
        if listing.item.shouldRemind { overdue += 1 }
      }
      let zone = reading.planner.floatingZone
      let size = "\(counted(counts.lists, "list")), \(counted(counts.items, "to-do"))"
      let lines =
        ["\(size), \(counts.unchecked) of them open"]
        + ["\(counted(counts.scheduled, "reminder")) would ring\(rings.isEmpty ? "" : ", the first of them:")"]
        + rings.map { "  \(zone.readable($0.fireDate.date))  \($0.text.visibleLine) (\($0.listName.visibleLine))" }
        + (overdue == 0 ? [] : ["\(counted(overdue, "overdue to-do")) would not ring"])
        + (events == 0
          ? [] : ["\(counted(events, "event")) with alarms would ring only with 'events: true' under 'store'"])
      return Outlook(lines: lines, defaultList: try Self.defaultList(reading))
    }
  }

  // Belfry over links to the lists in a new folder, with its state there.
  private func belfry(in draft: String, readsEvents: Bool) throws -> Belfry {
    try FileManager.default.createDirectory(
      atPath: "\(draft)/lists", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    for name in try FileManager.default.contentsOfDirectory(atPath: path)
    where !name.hasPrefix(".") && Self.isFolder("\(path)/\(name)") {
      try FileManager.default.createSymbolicLink(
        atPath: "\(draft)/lists/\(name)", withDestinationPath: "\(path)/\(name)")
    }
    let config = "\(draft)/config.yaml"
    try "store: { type: vdir, path: lists, state: state, events: \(readsEvents) }\n"
      .write(toFile: config, atomically: false, encoding: .utf8)
    let belfry = try Assembly(.file(config), time: SystemTimeSource()).belfry
    _ = try belfry.planEdits()
    return belfry
  }

  private static func defaultList(_ reading: Reading) throws -> String? {
    if let inbox = try reading.view.list(named: "Inbox") { return inbox.name }
    let lists = try reading.view.listSummaries(now: reading.now)
    return (lists.first { $0.items > 0 } ?? lists.first)?.list.name
  }

  /// The folders that the configs of vdirsyncer and todoman name.
  static func known(_ environment: ConfigEnvironment) -> [(program: String, path: String)] {
    guard let folder = environment.folder("XDG_CONFIG_HOME", orInHome: ".config") else { return [] }
    let configs = [("vdirsyncer", "\(folder)/vdirsyncer/config"), ("todoman", "\(folder)/todoman/config.py")]
    var known: [(program: String, path: String)] = []
    for (program, config) in configs {
      guard let bytes = FileManager.default.contents(atPath: config) else { continue }
      for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
        guard let path = Self.path(in: line).map({ absolute($0, environment) }), isFolder(path),
          !known.contains(where: { $0.path == path })
        else { continue }
        known.append((program, path))
      }
    }
    return known
  }

  /// The path that a config has for a key, absolute and without a slash at its end.
  static func value(of key: String, in config: Data, _ environment: ConfigEnvironment) -> String? {
    let lines = String(decoding: config, as: UTF8.self).split(separator: "\n")
    return lines.lazy.compactMap { path(in: $0, key: key) }.first.map { absolute($0, environment) }
  }

  // `path = "~/.calendars/"` of vdirsyncer, `path = "~/.calendars/*"` of todoman.
  private static func path(in line: Substring, key: String = "path") -> String? {
    let parts = line.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, parts[0].filter({ $0 != " " && $0 != "\t" }) == key else { return nil }
    var path = parts[1].filter { !"\"'\t\r".contains($0) }.drop { $0 == " " }
    while let last = path.last, last == "*" || last == "/" || last == " " { path.removeLast() }
    return path.isEmpty ? nil : String(path)
  }

  /// A path of a config, which may begin with `~/`.
  static func absolute(_ path: String, _ environment: ConfigEnvironment) -> String {
    if path.hasPrefix("/") { return path }
    guard path == "~" || path.hasPrefix("~/"), let home = environment.home else {
      return "\(environment.workingDirectory)/\(path)"
    }
    return home + path.dropFirst()
  }

  /// True if there is a folder at a path.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
