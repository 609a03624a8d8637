import Foundation
import OrderedJSON

/// Test inputs from other projects, in `BELFRY_CORPUS` or `../shared/corpus` beside the checkout.
package enum Corpus {
  private static let root =
    ProcessInfo.processInfo.environment["BELFRY_CORPUS"].map { URL(fileURLWithPath: $0) }
    ?? Checkout.root.deletingLastPathComponent().appending(path: "shared/corpus")

  /// A file or a folder.
  package static func file(_ path: String) -> URL { root.appending(path: path) }

  /// The files below a folder with one of these endings, in alphabetical order; empty where the folder does not exist.
  package static func files(in folder: String, ending endings: String...) -> [URL] {
    let folder = file(folder)
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return names.filter { name in endings.contains { name.hasSuffix($0) } }.sorted().map { folder.appending(path: $0) }
  }

  /// The values of a file with one JSON value on each line.
  package static func values(_ path: String) throws -> [JSONValue] {
    let text = try String(contentsOf: file(path), encoding: .utf8)
    return try text.split(separator: "\n").map { try JSONValue(parsing: $0.utf8) }
  }

  /// Texts that try to add a header field, a recipient or a command.
  package static func injections() throws -> [String] {
    try values("mime/header_injection_values.jsonl").compactMap { $0["value"]?.stringValue }
  }
}
