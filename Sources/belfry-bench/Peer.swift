import Foundation

/// A program that is measured, with the command lines for what all of them do.
protocol Peer {
  /// Its name in the table.
  var name: String { get }
  /// How it is set up, for the reader of the table.
  var settings: String { get }
  /// The command that starts, says its version, and ends.
  var startUp: Command { get }

  /// Its version alone.
  func version() throws -> String
  /// Fills an empty folder with items.
  func prepare(_ items: SampleItems, in folder: String) throws
  /// The command that adds one item with a due date.
  func addOne(in folder: String) -> Command
  /// The command that shows the 20 items due next.
  func showNext(in folder: String) -> Command
  /// How many items there are: what was measured was done.
  func count(in folder: String) throws -> Int
}

/// A peer as the report names it.
struct PeerDescription: Codable {
  var name: String
  var version: String
  var settings: String

  init(_ peer: any Peer) throws {
    name = peer.name
    version = try peer.version()
    settings = peer.settings
  }
}

/// The items that every peer starts with: each has a due date, a minute after the one before.
struct SampleItems {
  /// How many there are.
  let count: Int
  /// The due date of the first, in seconds since 1970: a full minute, tomorrow.
  let start = (Int(Clock.wall) / 60) * 60 + 86_400

  /// The text of an item.
  func text(_ index: Int) -> String { "Item \(index + 1)" }
  /// The due date of an item, in seconds since 1970.
  func due(_ index: Int) -> Int { start + index * 60 }

  /// The text of the item that is added.
  static let addedText = "Buy milk"
  /// Its due date.
  static let addedDue = Timestamp.text(4_070_908_800)
}

/// Instants as every peer reads them.
enum Timestamp {
  /// `2099-01-01T00:00:00Z`, from seconds since 1970.
  static func text(_ seconds: Int) -> String {
    var moment = time_t(seconds)
    var parts = tm()
    gmtime_r(&moment, &parts)
    let numbers = [parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec]
    let padded = numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }
    return "\(parts.tm_year + 1900)-\(padded[0])-\(padded[1])T\(padded[2]):\(padded[3]):\(padded[4])Z"
  }
}

/// What all peers find around them: the user's zone and nothing else of the user's.
enum Surroundings {
  /// The variables of a peer whose home is its folder.
  static func variables(home: String, _ more: [String: String] = [:]) -> [String: String] {
    let own = ProcessInfo.processInfo.environment.filter { ["PATH", "TZ", "TZDIR"].contains($0.key) }
    return own.merging(["HOME": home, "LC_ALL": "C.UTF-8"]) { $1 }.merging(more) { $1 }
  }

  /// The path of an installed program.
  static func program(_ name: String, package: String) throws -> String {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    let paths: [String] = folders.map { "\($0)/\(name)" }
    guard let path = paths.first(where: { access($0, X_OK) == 0 }) else {
      throw BenchmarkError("there is no '\(name)' here to compare with; install it: apt-get install \(package)")
    }
    return path
  }
}
