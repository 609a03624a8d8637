import SystemFiles

extension ZoneDatabase {
  /// The machine's current zone. Looked up at each call, which takes two system calls if nothing changed.
  ///
  /// In this order: the variable `TZ` (an IANA name, a POSIX rule such as `CET-1CEST,M3.5.0,M10.5.0/3`, or the path of
  /// a zone file; each also after a colon; empty means UTC), the target name of the link `/etc/localtime`, the file
  /// `/etc/localtime` itself, the name in `/etc/timezone`, UTC. Unusable sources are skipped. If `/etc/localtime` is a
  /// copy, `/etc/timezone` gives its name if both agree.
  public func localZone() -> Zone {
    environmentZone() ?? linkedZone() ?? copiedZone() ?? namedZone() ?? .utc
  }

  /// The zone with an identifier that `localZone` returned earlier: an IANA name, a POSIX rule or the path of a zone
  /// file; `nil` if it can no longer be read.
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
    // Distributions use one or two links; the limit ends a loop.
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

  /// The zone in a file, named after the part of its path after `zoneinfo/` if that is a valid name.
  private func zone(atPath path: String) -> Zone? {
    guard let name = name(inPath: path) else {
      guard case .success(let rules) = rules(at: path) else { return nil }
      return Zone(identifier: path, rules: rules)
    }
    if let zone = try? zone(name) { return zone }
    guard case .success(let rules) = rules(at: path) else { return nil }
    return Zone(identifier: name, rules: rules)
  }

  // Cached, since every change asks for the machine's zone, usually at the same path.
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
