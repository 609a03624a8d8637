import CivilTime
import Foundation

/// Zones, times and folders for the tests of times.
package enum TimeTesting {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// The machine's zones, without its settings.
  package static let database = ZoneDatabase(environment: [:])

  /// The wall time of a text; throws if it is invalid.
  package static func wall(_ text: String) throws -> WallTime {
    guard let wall = WallTime(parsing: text) else { throw Failure(description: "\(text) is no wall time") }
    return wall
  }

  /// The instant of an RFC 3339 text; throws if it is invalid.
  package static func instant(_ text: String) throws -> Date {
    guard let instant = parseRFC3339(text) else { throw Failure(description: "\(text) is not RFC 3339") }
    return instant
  }

  /// Calls `body` with a new folder that is removed afterwards.
  package static func withFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "belfry-time-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder.path)
  }
}
