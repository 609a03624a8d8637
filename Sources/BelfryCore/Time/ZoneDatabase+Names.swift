import Foundation

extension ZoneDatabase {
  /// Whether a text could be a zone's name: no path tricks, nothing unprintable, nothing long.
  static func isName(_ text: String) -> Bool {
    guard (1...60).contains(text.utf8.count) else { return false }
    return text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty && part.allSatisfy { isAbbreviationByte($0) || $0 == UInt8(ascii: "_") }
    }
  }

  /// The right spelling of a zone's name and the path of its file; the name has passed `isName`.
  func locate(_ name: String) -> (name: String, path: String)? {
    for folder in folders {
      if ZoneDatabase.isListed(name), FileStamp(path: "\(folder)/\(name)") != nil { return (name, "\(folder)/\(name)") }
    }
    for folder in folders {
      guard let spelt = spelling(of: name, in: folder), ZoneDatabase.isListed(spelt),
        FileStamp(path: "\(folder)/\(spelt)") != nil
      else { continue }
      return (spelt, "\(folder)/\(spelt)")
    }
    return nil
  }

  /// All names for which there seem to be files, in alphabetical order.
  func allNames() -> [String] {
    var found: Set<String> = []
    for folder in folders { collect(folder, prefix: "", depth: 0, into: &found) }
    return found.sorted()
  }

  /// Beside the zones the folders hold tables, and other copies of all zones in `posix` and `right`; a zone's name
  /// starts with a capital letter.
  private static func isListed(_ name: String) -> Bool {
    name.utf8.first.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ?? false
  }

  private func spelling(of name: String, in folder: String) -> String? {
    var spelt = ""
    for part in name.split(separator: "/") {
      let wanted = part.lowercased()
      guard let entry = entries(of: "\(folder)/\(spelt)").first(where: { $0.lowercased() == wanted }) else {
        return nil
      }
      spelt += spelt.isEmpty ? entry : "/\(entry)"
    }
    return spelt
  }

  private func collect(_ folder: String, prefix: String, depth: Int, into found: inout Set<String>) {
    for entry in entries(of: folder) where ZoneDatabase.isName(entry) {
      let name = prefix + entry
      let path = "\(folder)/\(entry)"
      guard ZoneDatabase.isListed(name) else { continue }
      if FileStamp(path: path) != nil {
        found.insert(name)
      } else if depth < 3 {
        collect(path, prefix: "\(name)/", depth: depth + 1, into: &found)
      }
    }
  }

  private func entries(of folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? []
  }
}
