import FoundationEssentials
import Synchronization
import SystemFiles

/// The zones of this machine, read from its compiled zone files (TZif).
///
/// The folders are `$TZDIR`, `/usr/share/zoneinfo`, `/usr/lib/zoneinfo` and `/usr/share/lib/zoneinfo`, first come first
/// served. What was read is kept for as long as its file stays the same, so asking again is cheap and follows updates.
public final class ZoneDatabase: Sendable {
  let environment: [String: String]
  let root: String
  let folders: [String]
  private let cache = Mutex(Cache())
  /// The path whose zone's name was asked for last, with that name.
  let namedPath = Mutex<(path: String, name: String?)>(("", nil))
  private let foundNames = Mutex<[String: String]?>(nil)

  private let zones = Mutex<[String: KnownZone]>([:])

  private struct KnownZone {
    let path: String
    let stamp: FileStamp
    let zone: Zone
  }

  private struct Cache {
    var files: [String: CachedRules] = [:]
    /// How many files were read anew since they had been replaced.
    var replacements = 0
  }

  private struct CachedRules {
    let stamp: FileStamp
    let rules: Result<ZoneRules, TZifError>
  }

  /// The zones that a program with these environment variables sees.
  ///
  /// - Parameter root: The folder that takes the place of `/`, for tests; paths in `TZDIR` and `TZ` stay as they are.
  public init(environment: [String: String], root: String = "/") {
    self.environment = environment
    self.root = root.hasSuffix("/") ? String(root.dropLast()) : root
    var folders: [String] = []
    if let folder = environment["TZDIR"], folder.hasPrefix("/") { folders.append(folder) }
    for folder in ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo"] {
      folders.append(self.root + folder)
    }
    self.folders = folders
  }

  /// The zone with an IANA name, which is matched without regard to case and given back in its right spelling.
  ///
  /// `UTC` is known even where there are no zone files.
  ///
  /// - Throws: `UnknownZone` where no file has that name, and where the file is damaged.
  public func zone(_ identifier: String) throws(UnknownZone) -> Zone {
    guard let (path, found) = find(identifier) else {
      throw UnknownZone(identifier: identifier, nearest: nearestNames(to: identifier))
    }
    switch found {
    case .success(let zone): return zone
    case .failure(let error):
      throw UnknownZone(identifier: identifier, nearest: [], reason: "\(path): \(error.reason)")
    }
  }

  /// The zone that ``zone(_:)`` has; `nil` where that throws, without the time that looking for names like it takes.
  public func zone(ifKnown identifier: String) -> Zone? { try? find(identifier)?.zone.get() }

  private func find(_ identifier: String) -> (path: String, zone: Result<Zone, TZifError>)? {
    if identifier.utf8.count == 3, identifier.uppercased() == "UTC" { return ("", .success(.utc)) }
    if let known = zones.withLock({ $0[identifier] }), known.stamp == FileStamp(path: known.path) {
      return (known.path, .success(known.zone))
    }
    guard ZoneDatabase.isName(identifier), let (name, path) = locate(identifier), let stamp = FileStamp(path: path),
      let rules = rules(at: path)
    else { return nil }
    let zone = rules.map { Zone(identifier: name, rules: $0) }
    if case .success(let zone) = zone {
      zones.withLock { $0[name] = KnownZone(path: path, stamp: stamp, zone: zone) }
    }
    return (path, zone)
  }

  /// The rules in a zone file, read anew only where it changed; `nil` where there is no such file.
  func rules(at path: String) -> Result<ZoneRules, TZifError>? {
    guard let stamp = FileStamp(path: path) else { return nil }
    if let cached = cache.withLock({ $0.files[path] }), cached.stamp == stamp { return cached.rules }
    guard let bytes = SmallFile.bytes(path: path) else { return nil }
    let rules = Result { () throws(TZifError) in try TZif.rules(from: bytes) }
    cache.withLock { cache in
      let old = cache.files.updateValue(CachedRules(stamp: stamp, rules: rules), forKey: path)
      if let old, old.stamp != stamp { cache.replacements += 1 }
    }
    return rules
  }

  /// How many zone files have been replaced since they were first read, by an update of the system's zone data for one.
  ///
  /// Looks at every file read so far, at the cost of a system call each, and at the folders' `tzdata.zi`, which changes
  /// with any zone.
  public func replacements() -> Int {
    let known = cache.withLock { Array($0.files.keys) }
    for path in Set(known).union(folders.map { "\($0)/tzdata.zi" }) { _ = rules(at: path) }
    return cache.withLock { $0.replacements }
  }

  /// The names nearest to one that is not known, best first: those with at most a few letters changed, also where only
  /// the part behind the last slash was given.
  public func nearestNames(to identifier: String, limit: Int = 3) -> [String] {
    guard limit > 0, (1...40).contains(identifier.utf8.count) else { return [] }
    return NearestNames.nearest(to: identifier, among: Array(names.values), limit: limit)
  }

  /// The names of all zones under themselves in lower case, looked for once, when a name is first misspelt.
  var names: [String: String] {
    foundNames.withLock { found in
      let names = found ?? findNames()
      found = names
      return names
    }
  }
}
