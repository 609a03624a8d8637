import FoundationEssentials
import Glibc
import OrderedJSON
import SystemFiles

/// A folder in which the CalDAV server Radicale keeps a user's calendars.
enum RadicaleFolder {
  /// The lock that Radicale takes for each request; `nil` in a folder that is not its own.
  ///
  /// It is at the top of its folder: ROOT/.Radicale.lock, ROOT/collection-root/USER/COLLECTION.
  static func lock(above root: String) -> String? {
    let paths = ["\(root)/.Radicale.lock", "\(root)/../.Radicale.lock", "\(root)/../../.Radicale.lock"]
    return paths.first { access($0, F_OK) == 0 }
  }

  /// The name of a calendar, which is beside its items; `nil` without one.
  static func name(of folder: String) -> [UInt8]? {
    guard let bytes = SmallFile.bytes(path: "\(folder)/.Radicale.props"),
      case .string(let name)? = try? JSONValue(parsing: bytes)["D:displayname"]
    else { return nil }
    return Array(name.utf8)
  }
}
