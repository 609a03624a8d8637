import ConfigKeys
import FoundationEssentials
import OrderedJSON

/// The check of `belfry doctor` for lists that vdirsyncer does not sync, although it syncs others.
struct SyncChecks {
  let path: String
  let environment: ConfigEnvironment

  private static let limit = 5

  /// A finding for each folder that no pair of vdirsyncer contains; none if vdirsyncer syncs no folder of the store.
  func findings() -> [Finding] {
    let synced = syncedFolders()
    let folders = names(in: path).filter { !$0.hasPrefix(".") && CalendarFolder.isFolder("\(path)/\($0)") }
    let left = folders.filter { !synced.contains("\(path)/\($0)") }
    guard left.count < folders.count else { return [] }
    return left.sorted().prefix(Self.limit).map { name in
      .warning(
        "sync", "vdirsyncer does not sync the list in \(path)/\(name)",
        advice: "'vdirsyncer discover' creates it on the other side, 'vdirsyncer metasync' copies its name")
    }
  }

  // vdirsyncer stores the folders that its last `discover` has found next to its status.
  private func syncedFolders() -> Set<String> {
    guard let folder = environment.folder("XDG_CONFIG_HOME", orInHome: ".config"),
      let config = FileManager.default.contents(atPath: "\(folder)/vdirsyncer/config"),
      let status = CalendarFolder.value(of: "status_path", in: config, environment)
    else { return [] }
    let files = names(in: status).filter { $0.hasSuffix(".collections") }
    let pairs = files.compactMap { FileManager.default.contents(atPath: "\(status)/\($0)") }
    return Set(pairs.compactMap { try? JSONValue(parsing: Array($0)[...]) }.flatMap(paths))
  }

  // `{"collections": [["home", [{"path": "/home/anna/.calendars/home"}, {}]]]}`. The path of a folder that `discover`
  // has created starts as in the config, such as with `~/`.
  private func paths(_ pair: JSONValue) -> [String] {
    let collections = pair["collections"]?.arrayValue ?? []
    let sides = collections.flatMap { $0.arrayValue?.last?.arrayValue ?? [] }
    return sides.compactMap { $0["path"]?.stringValue }.map { path in
      URL(fileURLWithPath: CalendarFolder.absolute(path, environment)).standardizedFileURL.path
    }
  }

  private func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }
}
