import Foundation

/// A measured program, with its command lines for the compared operations.
protocol Peer {
  /// Its name in the table.
  var name: String { get }
  /// Its set-up, for the reader of the table.
  var settings: String { get }
  /// The largest number of items to measure it with.
  var mostItems: Int { get }
  /// A command that does almost nothing, to measure the start-up.
  var startUp: Command? { get }

  func version() throws -> String
  /// Fills an empty folder with items.
  func prepare(_ items: SampleItems, in folder: String) throws
  /// The command that adds one item with a due date, if there is one.
  func addOne(in folder: String) -> Command?
  /// The command that shows the 20 items due next.
  func showNext(in folder: String) -> Command?
  /// The command that marks an item done, by its number from 1.
  func checkOne(_ number: Int, in folder: String) -> Command?
  /// The number of items, done ones included, to check that the measured work was done.
  func count(in folder: String) throws -> Int
}

/// A peer as described in the report.
struct PeerDescription: Codable, Hashable {
  var name: String
  var version: String
  var settings: String

  init(_ peer: any Peer) throws {
    self.init(peer.name, version: try peer.version(), peer.settings)
  }

  init(_ name: String, version: String, _ settings: String) {
    self.name = name
    self.version = version
    self.settings = settings
  }
}

/// The initial items of every peer; each is due a minute after the one before.
struct SampleItems {
  let count: Int
  /// The due date of the first, in seconds since 1970: a full minute, tomorrow.
  let start = (Int(Clock.wall) / 60) * 60 + 86_400

  func text(_ index: Int) -> String { "Item \(index + 1)" }
  /// The due date of an item, in seconds since 1970.
  func due(_ index: Int) -> Int { start + index * 60 }

  /// The text of the added item.
  static let addedText = "Buy milk"
  /// Its due date, in seconds since 1970, after those of all others.
  static let addedInstant = 2_145_916_800
  /// Its due date in the notation of most peers.
  static let addedDue = Timestamp.text(addedInstant)
}

/// Formats instants for peers.
enum Timestamp {
  /// `2099-01-01T00:00:00Z`, from seconds since 1970.
  static func text(_ seconds: Int) -> String { format(seconds, "%Y-%m-%dT%H:%M:%SZ", isLocal: false) }

  /// An instant formatted by `strftime`, in the machine's zone or in UTC.
  static func format(_ seconds: Int, _ pattern: String, isLocal: Bool = true) -> String {
    var moment = time_t(seconds)
    var parts = tm()
    if isLocal { localtime_r(&moment, &parts) } else { gmtime_r(&moment, &parts) }
    let bytes = [CChar](unsafeUninitializedCapacity: 80) { buffer, count in
      count = strftime(buffer.baseAddress, buffer.count, pattern, &parts)
    }
    return String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// The environment of all peers: the user's zone, and nothing else of the user's.
enum Surroundings {
  /// The variables of a peer whose home folder is given.
  static func variables(home: String, _ more: [String: String] = [:]) -> [String: String] {
    let own = ProcessInfo.processInfo.environment.filter { ["PATH", "TZ", "TZDIR"].contains($0.key) }
    return own.merging(["HOME": home, "LC_ALL": "C.UTF-8"]) { $1 }.merging(more) { $1 }
  }

  /// The path of an installed program.
  static func program(_ name: String, package: String) throws -> String {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    let paths: [String] = (folders.map(String.init) + ["/usr/sbin"]).map { "\($0)/\(name)" }
    guard let path = paths.first(where: { access($0, X_OK) == 0 }) else {
      throw BenchmarkError("there is no '\(name)' here to compare with; install it: apt-get install \(package)")
    }
    return path
  }

  /// The version of an installed Debian package.
  static func packageVersion(_ package: String) throws -> String {
    let query = Command(
      program: try program("dpkg-query", package: "dpkg"), arguments: ["-W", "-f", "${Version}", package],
      environment: variables(home: "/nonexistent"))
    return try query.output().split(separator: "-").first.map(String.init) ?? ""
  }
}
