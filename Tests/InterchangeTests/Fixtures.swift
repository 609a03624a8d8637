import Foundation
import TestSupport
import Testing

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

  /// Archives of other apps: our own, and those that Apple platforms wrote where the corpus is there.
  static let foreign: [Archive] = {
    let own = contents.filter { $0.key.hasPrefix("foreign-") }.map { Archive(name: $0.key, data: $0.value) }
    let written = Corpus.files(in: "plist/keyedarchiver-corelibs", ending: ".plist", ".archive").compactMap { file in
      (try? Data(contentsOf: file)).map { Archive(name: file.lastPathComponent, data: $0) }
    }
    return own.sorted { $0.name < $1.name } + written
  }()

  struct Archive: CustomTestStringConvertible {
    let name: String
    let data: Data

    var testDescription: String { name }
  }
}
