import BelfryModel
import BelfryRuntime
import FoundationEssentials
import Glibc
import SystemFiles

/// The folder of this user's systemd units.
struct UnitFolder {
  private let path: String

  /// - Throws: ``BelfryError`` `.cannotCreate` if the home folder is unknown.
  init() throws {
    guard let folder = Assembly.environment.folder("XDG_CONFIG_HOME", orInHome: ".config") else {
      throw BelfryError(.cannotCreate, "the home folder is unknown", hint: "set HOME")
    }
    path = "\(folder)/systemd/user"
  }

  /// The path of a unit's file.
  func path(of name: String) -> String { "\(path)/\(name)" }

  /// The text of a unit's file; `nil` if there is none.
  func text(of name: String) -> String? {
    FileManager.default.contents(atPath: path(of: name)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// - Throws: ``BelfryError`` `.cannotCreate` for a unit that is not as `belfry service install` wrote it.
  func checkUntouched(_ name: String) throws {
    guard let text = text(of: name), !UserUnit.isUntouched(text) else { return }
    throw BelfryError(
      .cannotCreate, "\(path(of: name)) was changed since this command wrote it: left as it is",
      hint: "--force overrides that; 'systemctl --user edit' keeps your changes apart")
  }

  /// Writes a unit.
  ///
  /// - Throws: ``BelfryError`` `.cannotCreate`, and as ``OutputFile``.
  func write(_ unit: UserUnit) throws {
    if let code = PrivateFolder.make(at: path) {
      throw BelfryError(.cannotCreate, "\(path) cannot be created: \(String(cString: strerror(code)))")
    }
    try OutputFile.write(path(of: unit.name)) { try $0(Array(unit.text.utf8)) }
  }

  /// Stops units and removes their files.
  ///
  /// - Parameters:
  ///   - names: the units, each before the units that it starts.
  ///   - force: whether edited units are removed as well.
  ///   - manager: the systemd that may run them.
  /// - Returns: the paths of the removed files.
  /// - Throws: ``BelfryError`` `.cannotCreate` for an edited unit, `.noPermission`, `.refused` by systemd.
  func remove(_ names: [String], force: Bool, from manager: UserManager?) throws -> [String] {
    let present = names.filter { text(of: $0) != nil }
    guard !present.isEmpty else { return [] }
    if !force { try present.forEach(checkUntouched) }
    try manager?.disable(present)
    for path in present.map(path(of:)) where unlink(path) != 0 {
      throw BelfryError(.noPermission, "\(path) cannot be removed: \(String(cString: strerror(errno)))")
    }
    try manager?.reload()
    return present.map(path(of:))
  }
}
