import Foundation
import TestSupport

/// The files of JSONTestSuite, where the corpus is there, and texts of our own.
enum JSONTestSuite {
  private static let folder = Corpus.file("json/test_parsing")

  /// The names of the files with this prefix.
  static func names(_ prefix: String) -> [String] {
    let published = Corpus.files(in: "json/test_parsing", ending: ".json").map(\.lastPathComponent)
    return (OwnJSON.named.keys.sorted() + published).filter { $0.hasPrefix(prefix) }
  }

  static func bytes(_ name: String) throws -> [UInt8] {
    try OwnJSON.named[name] ?? [UInt8](Data(contentsOf: folder.appending(path: name)))
  }
}
