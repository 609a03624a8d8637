import Foundation

/// The test inputs that others wrote: `BELFRY_CORPUS`, or `../shared/corpus` beside the checkout.
enum Corpus {
  static let root: URL = {
    if let path = ProcessInfo.processInfo.environment["BELFRY_CORPUS"] { return URL(filePath: path) }
    return URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../shared/corpus").standardized
  }()

  /// The names of the files of JSONTestSuite whose name starts so.
  static func names(_ prefix: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)) ?? []
    return names.filter { $0.hasPrefix(prefix) && $0.hasSuffix(".json") }.sorted()
  }

  static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: root.appending(path: folder).appending(path: name)))
  }

  private static let folder = "json/test_parsing"
}
