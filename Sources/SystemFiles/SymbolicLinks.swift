import FoundationEssentials
import Glibc

/// Where symbolic links lead.
public enum SymbolicLinks {
  /// The path behind all symbolic links at a path, also where nothing is there yet; `nil` where they lead in a circle.
  ///
  /// Only the last part is followed: a store in a file that is replaced, or has files beside it, must know where that
  /// file really is; the folders on the way to it may be links.
  public static func end(of path: String) -> String? {
    var path = path
    var links = 0
    while let target = target(of: path) {
      links += 1
      guard links <= 40 else { return nil }
      path = target.hasPrefix("/") ? target : "\(folder(of: path))/\(target)"
    }
    return path
  }

  /// The folder of a path; `.` where the path names none.
  public static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func target(of path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
  }
}
