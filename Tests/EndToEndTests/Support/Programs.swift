import Foundation
import TestSupport

/// The built programs that these tests run, and what they need from the system.
enum Programs {
  /// `belfry`.
  static var belfry: String { get throws { try built("belfry") } }
  /// `belfryd`.
  static var belfryd: String { get throws { try built("belfryd") } }

  static let python = "/usr/bin/python3"
  static let shell = "/bin/bash"
  static let env = "/usr/bin/env"
  static let setpriv = "/usr/bin/setpriv"

  /// The folder of the programs: `BELFRY_BIN`, or where `swift build` puts them.
  static let folder: URL =
    ProcessInfo.processInfo.environment["BELFRY_BIN"].map { URL(fileURLWithPath: $0) }
    ?? Checkout.file(".build/debug")

  /// A file beside the tests that is not Swift.
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

/// Something that the tests need is not there.
struct Missing: Error, CustomStringConvertible {
  let what: String
  let remedy: String

  var description: String { "\(what) is missing: \(remedy)" }
}
