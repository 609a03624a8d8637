import Foundation
import TestSupport

/// The files of JSONTestSuite.
enum JSONTestSuite {
  private static let folder = Corpus.file("json/test_parsing")

  /// The names of the files with this prefix.
  static func names(_ prefix: String) -> [String] {
    Corpus.files(in: "json/test_parsing", ending: ".json").map(\.lastPathComponent).filter { $0.hasPrefix(prefix) }
  }

  static func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: folder.appending(path: name))) }
}
