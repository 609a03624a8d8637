import SystemFiles

extension ZoneDatabase {
  /// The machine's zone now; looked up at each call, at the cost of two system calls where nothing changed.
  ///
  /// In this order: the variable `TZ` (an IANA name, a POSIX rule such as `CET-1CEST,M3.5.0,M10.5.0/3`, the path of a
  /// zone file; each also behind a colon; empty means UTC), the name that the link `/etc/localtime` ends in, the file
  /// `/etc/localtime` itself, the name in `/etc/timezone`, UTC. What cannot be used is passed over. Where
  /// `/etc/localtime` is a copy, `/etc/timezone` gives its name if both agree.
  public func localZone() -> Zone {
    environmentZone() ?? linkedZone() ?? copiedZone() ?? namedZone() ?? .utc
  }

  /// The zone that `localZone` once gave, from the identifier that was recorded then: an IANA name, a POSIX rule or the
  /// path of a zone file; `nil` where it can no longer be read.
  public func zone(recordedAs identifier: String) -> Zone? {
    if identifier.hasPrefix("/") { return zone(atPath: identifier) }
    if let zone = try? zone(identifier) { return zone }
    return PosixZoneRule(parsing: identifier).map { Zone(identifier: identifier, rules: ZoneRules($0)) }
  }

  private func environmentZone() -> Zone? {
    guard var value = environment["TZ"] else { return nil }
    if value.hasPrefix(":") { value.removeFirst() }
    guard !value.isEmpty else { return .utc }
    return zone(recordedAs: value)
  }

  private func linkedZone() -> Zone? {
    var path = localtimePath
    // Distributions put one or two links in between; a loop must end.
    for _ in 0..<8 {
      guard let target = SmallFile.linkTarget(path: path) else { return nil }
      path =
        target.hasPrefix("/")
        ? root + target : path.prefix(through: path.lastIndex(of: "/") ?? path.startIndex) + target
      if let zone = zone(atPath: path), zone.identifier != path { return zone }
    }
    return nil
  }

  private func copiedZone() -> Zone? {
    guard case .success(let rules) = rules(at: localtimePath) else { return nil }
    let zone = Zone(identifier: localtimePath, rules: rules)
    if let named = namedZone(), named.hasSameRules(as: zone) { return named }
    return zone
  }

  private func namedZone() -> Zone? {
    guard let bytes = SmallFile.bytes(path: "\(root)/etc/timezone") else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split { $0.isWhitespace }
    return lines.first.flatMap { try? zone(String($0)) }
  }

  private var localtimePath: String { "\(root)/etc/localtime" }

  /// The zone in a file, named after what follows `zoneinfo/` in its path where that is a zone's name.
  private func zone(atPath path: String) -> Zone? {
    guard let name = name(inPath: path) else {
      guard case .success(let rules) = rules(at: path) else { return nil }
      return Zone(identifier: path, rules: rules)
    }
    if let zone = try? zone(name) { return zone }
    guard case .success(let rules) = rules(at: path) else { return nil }
    return Zone(identifier: name, rules: rules)
  }

  // Every change asks for the machine's zone, and so for the name in the same path again and again.
  private func name(inPath path: String) -> String? {
    namedPath.withLock { known in
      if known.path != path { known = (path, Self.name(inPath: path)) }
      return known.name
    }
  }

  private static func name(inPath path: String) -> String? {
    let parts = path.split(separator: "/")
    guard let folder = parts.lastIndex(of: "zoneinfo") else { return nil }
    var rest = parts[(folder + 1)...]
    if rest.first == "posix" || rest.first == "right" { rest = rest.dropFirst() }
    guard let area = rest.first else { return nil }
    let name = rest.dropFirst().reduce(String(area)) { "\($0)/\($1)" }
    return isName(name) ? name : nil
  }
}
