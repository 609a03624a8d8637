import Foundation
import TestSupport

/// The built programs under test, and the programs that the tests need.
enum Programs {
  static var belfry: String { get throws { try built("belfry") } }
  static var belfryWeb: String { get throws { try built("belfry-web") } }
  static var belfryd: String { get throws { try built("belfryd") } }
  static var trialDaemon: String { get throws { try built("belfryd-trial") } }

  static let python = "/usr/bin/python3"
  static let shell = "/bin/bash"
  static let env = "/usr/bin/env"
  static let setpriv = "/usr/bin/setpriv"

  /// The folder of the programs: `BELFRY_BIN`, or the one of `swift build`.
  static let folder: URL =
    ProcessInfo.processInfo.environment["BELFRY_BIN"].map { URL(fileURLWithPath: $0) }
    ?? Checkout.file(".build/debug")

  /// The path of a fixture beside the tests.
  static func fixture(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Fixtures").appendingPathComponent(name).path
  }

  private static func built(_ name: String) throws -> String {
    let path = folder.appendingPathComponent(name).path
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw Missing(what: path, remedy: "build it with 'swift build', or name its folder in BELFRY_BIN")
    }
    return path
  }
}

/// The error of a missing requirement.
struct Missing: Error, CustomStringConvertible {
  let what: String
  let remedy: String

  var description: String { "\(what) is missing: \(remedy)" }
}
