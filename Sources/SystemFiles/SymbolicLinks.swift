import FoundationEssentials
import Glibc

package enum SymbolicLinks {
  /// The path with its last component's symbolic links resolved, whether or not a file exists there; `nil` for a cycle.
  ///
  /// The store needs the real path of a file that it replaces or puts other files next to. Links in the folders above
  /// it need no resolving.
  package static func end(of path: String) -> String? {
    var path = path
    var links = 0
    while let target = target(of: path) {
      links += 1
      guard links <= 40 else { return nil }
      path = target.hasPrefix("/") ? target : "\(folder(of: path))/\(target)"
    }
    return path
  }

  /// The folder of a path; `.` for a path without one.
  package static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func target(of path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
  }
}
