import FoundationEssentials
import Synchronization
import SystemFiles

/// The zones of this machine, read from its compiled zone files (TZif).
///
/// The folders are `$TZDIR`, `/usr/share/zoneinfo`, `/usr/lib/zoneinfo` and `/usr/share/lib/zoneinfo`; the first that
/// has a zone wins. Zones are cached until their files change, so asking again is cheap and follows updates.
public final class ZoneDatabase: Sendable {
  let environment: [String: String]
  let root: String
  let folders: [String]
  private let cache = Mutex(Cache())
  /// The last path whose zone name was looked up, with that name.
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
    /// The number of files that were read again after they had been replaced.
    var replacements = 0
  }

  private struct CachedRules {
    let stamp: FileStamp
    let rules: Result<ZoneRules, TZifError>
  }

  /// The zones for a program with these environment variables.
  ///
  /// - Parameter root: the folder that takes the place of `/`, for tests; paths in `TZDIR` and `TZ` stay as they are.
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

  /// The zone with an IANA name, in upper or lower case; its identifier is the canonical spelling.
  ///
  /// `UTC` is known even without zone files.
  ///
  /// - Throws: `UnknownZone` if no file has that name, or the file is damaged.
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

  /// The zone as from ``zone(_:)``, or `nil` if that throws, without the costly search for similar names.
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

  /// The rules in a zone file, read again only if it changed; `nil` if there is no such file.
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

  /// The number of zone files that were replaced since they were first read, by an update of the system's zone data for
  /// example.
  ///
  /// Checks every file read so far, at one system call each, and the folders' `tzdata.zi`, which changes with any zone.
  public func replacements() -> Int {
    let known = cache.withLock { Array($0.files.keys) }
    for path in Set(known).union(folders.map { "\($0)/tzdata.zi" }) { _ = rules(at: path) }
    return cache.withLock { $0.replacements }
  }

  /// The names most similar to an unknown one, best first: at most a third of the letters differ, in the whole name or
  /// in the part after its last slash.
  public func nearestNames(to identifier: String, limit: Int = 3) -> [String] {
    guard limit > 0, (1...40).contains(identifier.utf8.count) else { return [] }
    return NearestNames.nearest(to: identifier, among: Array(names.values), limit: limit)
  }

  /// The names of all zones, by their lower-case forms. Read once, when a name is first misspelt.
  var names: [String: String] {
    foundNames.withLock { found in
      let names = found ?? findNames()
      found = names
      return names
    }
  }
}

/// An error about a zone that is unknown or cannot be read.
public struct UnknownZone: Error, Hashable, CustomStringConvertible {
  /// The name that was asked for and that no zone has.
  public let identifier: String
  /// The most similar names, best first; empty if none is similar.
  public let nearest: [String]
  /// The fault of the zone's file; `nil` if there is no file.
  public let reason: String?

  /// An error about a zone.
  init(identifier: String, nearest: [String], reason: String? = nil) {
    self.identifier = identifier
    self.nearest = nearest
    self.reason = reason
  }

  /// A sentence fragment for the user, such as `'Europe/Zurch' is not a known time zone: did you mean Europe/Zurich?`
  public var description: String {
    if let reason { return "the time zone \(inQuotes(identifier)) cannot be read: \(reason)" }
    let problem = "\(inQuotes(identifier)) is not a known time zone"
    guard let best = nearest.first else { return "\(problem): write an IANA name such as Europe/Zurich" }
    return "\(problem): did you mean \(([best] + nearest.dropFirst()).joined(separator: " or "))?"
  }
}
