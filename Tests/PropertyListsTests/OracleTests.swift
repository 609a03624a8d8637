import Foundation
import PropertyLists
import Testing
import TestSupport

/// Comparison with Python's plistlib, in a canonical form that both sides print.
@Suite("Agreement with plistlib")
struct OracleTests {
  @Test("random property lists of both formats are read alike")
  func randomFiles() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "belfry-plists-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = try python("write_plists.py", [folder.path, "400"])
    #expect(files.count == 800)
    for (path, expected) in files {
      let value = try PropertyList(parsing: Data(contentsOf: URL(filePath: path)))
      #expect(canonical(value) == expected, "\(path)")
    }
  }

  @Test("archives are read alike: our own, and those that Apple platforms wrote")
  func archives() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "belfry-archives-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try Python.run(script: Checkout.file("Tests/InterchangeTests/Fixtures/make_archives.py"), [folder.path])
    let own = try FileManager.default.contentsOfDirectory(atPath: folder.path).map { folder.appending(path: $0) }
    #expect(own.count >= 80)
    let written = Corpus.files(in: "plist/keyedarchiver-corelibs", ending: ".plist", ".archive")
    #expect(written.count == (Corpus.isThere ? 46 : 0))
    let files = try python("print_plists.py", (own + written).map(\.path))
    #expect(files.count == own.count + written.count)
    for (path, expected) in files {
      let value = try PropertyList(parsing: Data(contentsOf: URL(filePath: path)))
      #expect(canonical(value) == expected, "\(path)")
    }
  }

  /// The lines printed by a script of Fixtures: path, tab, canonical form.
  private func python(_ script: String, _ arguments: [String]) throws -> [(path: String, form: String)] {
    let text = try Python.run(script: Checkout.file("Tests/PropertyListsTests/Fixtures/\(script)"), arguments)
    return text.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "\t", maxSplits: 1)
      return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
  }

  private func canonical(_ value: PropertyList) -> String {
    switch value {
    case .string(let text): "s" + hex(text.utf8)
    case .integer(let number): "i\(number)"
    case .largeInteger(let number): "i\(number)"
    case .real(let number): "r" + (number.isNaN ? "nan" : String(number.bitPattern, radix: 16))
    case .bool(let flag): flag ? "t" : "f"
    case .date(let date): "d\(Int64(date.timeIntervalSinceReferenceDate.rounded(.down)))"
    case .data(let bytes): "b" + hex(bytes)
    case .uid(let number): "u\(number)"
    case .array(let elements): "[" + elements.map(canonical).joined(separator: ",") + "]"
    case .dictionary(let dictionary):
      "{" + dictionary.entries.map { hex($0.key.utf8) + ":" + canonical($0.value) }.joined(separator: ",") + "}"
    }
  }

  private func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
