import ArgumentParser
import BelfryModel
import BelfryPlugins
import CivilTime
import ConfigKeys
import FoundationEssentials
import Glibc

/// `belfry init`.
struct Initialize: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Create a commented config; never overwrite one.",
    discussion: """
      belfry init                      at the default path
      belfry init --config my.yaml
      belfry init --vdir ~/.calendars

      With --vdir it uses the lists that todoman, vdirsyncer or Radicale keep in a folder, and says what would ring.
      """)

  @Option(
    name: .long,
    help: ArgumentHelp("The folder of calendars to use as the store, one folder a list.", valueName: "folder"),
    completion: .directory)
  var vdir: String?

  @OptionGroup var options: CommonOptions

  func run() throws {
    let console = Console(color: options.color, environment: ProcessInfo.processInfo.environment)
    let place = ConfigPlace(option: options.config)
    let path = try place.path()
    let folder = try vdir.map { try CalendarFolder($0, place.environment) }
    let outlook = try folder?.outlook() ?? []
    try NewFile.write(place.text(for: folder), to: path)
    let option = options.config.map { " --config \($0.shellQuoted)" } ?? ""
    if let folder {
      console.report("Wrote \(path), with the lists of \(folder.path).")
      for line in outlook { console.report("  \(line)") }
      console.report("Nothing rings before 'belfry run'. 'remind: alarms' in it rings only what has an alarm.")
    } else {
      console.report("Wrote \(path), which says what would hold without it. Change what you like.")
      for known in CalendarFolder.known(place.environment) {
        console.report(
          "\(known.program) keeps lists in \(known.path): 'belfry init --vdir \(known.path.shellQuoted)' uses those.")
      }
    }
    console.report("  belfry config check\(option)                          tells what is wrong with it")
    console.report("  belfry add Buy milk --due 'tomorrow 9am'\(option)     adds a first item")
    console.report("  belfry run\(option)                                   rings")
  }
}

/// The path and text of a new config.
private struct ConfigPlace {
  let option: String?
  let environment = Assembly.environment

  /// The path that every command searches first.
  func path() throws -> String {
    if let option { return option }
    if let named = environment.variables["BELFRY_CONFIG"], !named.isEmpty { return named }
    guard let folder = environment.folder("XDG_CONFIG_HOME", orInHome: ".config") else {
      throw BelfryError(.cannotCreate, "the home folder is unknown", hint: "set HOME, or name a file with --config")
    }
    return "\(folder)/belfry/config.yaml"
  }

  /// The sample, with a folder of calendars as the store, or else the store's default path.
  func text(for folder: CalendarFolder?) -> String {
    if let folder {
      return SampleConfig.text.replacing(
        SampleConfig.store, with: "  type: vdir\n  path: \(quoted(folder.path))\n  remind: due\n")
    }
    let context = ConfigContext(directory: "/", environment: environment, zones: ZoneDatabase(environment: [:]))
    guard let path = context.dataFile("belfry.sqlite"), let home = environment.home,
      path != home + SampleConfig.storePath.dropFirst()
    else { return SampleConfig.text }
    return SampleConfig.text.replacing(SampleConfig.storePath, with: quoted(path))
  }

  private func quoted(_ path: String) -> String { "'\(path.replacing(scalar: "'", with: "''"))'" }
}

/// New files, which replace no others.
private enum NewFile {
  /// Writes a new file that only its owner can read, and the folders above it.
  ///
  /// - Throws: ``BelfryError`` `.cannotCreate` where the file exists, `.noPermission`, `.storeFailed` when the disk is
  ///   full or fails; then the file is removed.
  static func write(_ text: String, to path: String) throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(path, errno) }
    defer { close(descriptor) }
    do {
      try OutputFile.put(Array(text.utf8), descriptor, path)
      guard fsync(descriptor) == 0 else { throw failure(path, errno) }
    } catch {
      unlink(path)
      throw error
    }
  }

  private static func failure(_ path: String, _ code: Int32) -> BelfryError {
    switch code {
    case EEXIST:
      BelfryError(
        .cannotCreate, "\(path) exists already and was left as it is",
        hint: "'belfry config show' prints what it says; --config FILE writes another")
    case EACCES, EPERM, EROFS: BelfryError(.noPermission, "\(path) cannot be written: \(reason(code))")
    case ENOSPC, EDQUOT, EIO: BelfryError(.storeFailed, "\(path) cannot be written: \(reason(code))")
    default: BelfryError(.cannotCreate, "\(path) cannot be made: \(reason(code))")
    }
  }

  private static func reason(_ code: Int32) -> String { String(cString: strerror(code)).lowercased() }
}
