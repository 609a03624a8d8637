import Foundation
import TestSupport

/// The files written by `Fixtures/make_archives.py`, once in a test run.
enum Fixtures {
  static let formats = ["xml", "bin"]

  private static let contents: [String: Data] = {
    let folder = FileManager.default.temporaryDirectory.appending(path: "belfry-archives-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try? Python.run(script: Checkout.file("Tests/InterchangeTests/Fixtures/make_archives.py"), [folder.path])
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let pairs = names.compactMap { name in
      (try? Data(contentsOf: folder.appending(path: name))).map { (name, $0) }
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }()

  /// The names of the files with this prefix, without their extensions.
  static func names(_ prefix: String) -> [String] {
    contents.keys.filter { $0.hasPrefix(prefix) && $0.hasSuffix(".xml.plist") }.map { String($0.dropLast(10)) }.sorted()
  }

  static func data(_ name: String, _ format: String) throws -> Data {
    guard let data = contents["\(name).\(format).plist"] else { throw Missing(name: name) }
    return data
  }

  struct Missing: Error {
    let name: String
  }

  /// Archives written on Apple platforms.
  static let corpus = Corpus.files(in: "plist/keyedarchiver-corelibs", ending: ".plist", ".archive")
}
