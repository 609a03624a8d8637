import FoundationEssentials
import SystemFiles

extension ZoneDatabase {
  /// True if a text is valid as a zone's name: no relative paths, nothing unprintable, nothing long.
  static func isName(_ text: String) -> Bool {
    guard (1...60).contains(text.utf8.count) else { return false }
    return text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty && part.allSatisfy { isAbbreviationByte($0) || $0 == UInt8(ascii: "_") }
    }
  }

  /// The canonical spelling of a zone's name and the path of its file; `name` has passed `isName`.
  func locate(_ name: String) -> (name: String, path: String)? {
    if let path = path(of: name) { return (name, path) }
    guard let spelt = names[name.lowercased()], let path = path(of: spelt) else { return nil }
    return (spelt, path)
  }

  private func path(of name: String) -> String? {
    guard ZoneDatabase.isListed(name) else { return nil }
    return folders.lazy.map { "\($0)/\(name)" }.first { FileStamp(path: $0) != nil }
  }

  /// The names of all zones, in alphabetical order.
  package var sortedNames: [String] { names.values.sorted() }

  /// The names of all zone files, by their lower-case forms.
  func findNames() -> [String: String] {
    var found: [String: String] = [:]
    for folder in folders { collect(folder, prefix: "", depth: 0, into: &found) }
    return found
  }

  /// Zone names start with a capital letter; the folders also hold tables, and copies of all zones in `posix` and
  /// `right`.
  private static func isListed(_ name: String) -> Bool {
    name.utf8.first.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ?? false
  }

  private func collect(_ folder: String, prefix: String, depth: Int, into found: inout [String: String]) {
    for entry in entries(of: folder) where ZoneDatabase.isName(entry) {
      let name = prefix + entry
      let path = "\(folder)/\(entry)"
      guard ZoneDatabase.isListed(name) else { continue }
      if FileStamp(path: path) != nil {
        found[name.lowercased()] = name
      } else if depth < 3 {
        collect(path, prefix: "\(name)/", depth: depth + 1, into: &found)
      }
    }
  }

  private func entries(of folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }
}
