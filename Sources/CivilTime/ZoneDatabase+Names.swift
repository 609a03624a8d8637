import FoundationEssentials
import SystemFiles

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
    if let path = path(of: name) { return (name, path) }
    guard let spelt = names[name.lowercased()], let path = path(of: spelt) else { return nil }
    return (spelt, path)
  }

  private func path(of name: String) -> String? {
    guard ZoneDatabase.isListed(name) else { return nil }
    return folders.lazy.map { "\($0)/\(name)" }.first { FileStamp(path: $0) != nil }
  }

  /// All names for which there seem to be files, each under itself in lower case.
  func findNames() -> [String: String] {
    var found: [String: String] = [:]
    for folder in folders { collect(folder, prefix: "", depth: 0, into: &found) }
    return found
  }

  /// Beside the zones the folders hold tables, and other copies of all zones in `posix` and `right`; a zone's name
  /// starts with a capital letter.
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
