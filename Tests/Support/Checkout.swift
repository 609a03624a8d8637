import Foundation

/// The checkout that the tests were built from, with symbolic links resolved.
package enum Checkout {
  /// The folder of `Package.swift`.
  package static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// A file by its path in the checkout.
  package static func file(_ path: String) -> URL { root.appending(path: path) }

  /// The text of a file by its path in the checkout.
  package static func text(_ path: String) throws -> String { try String(contentsOf: file(path), encoding: .utf8) }
}
