import ArgumentParser
import BelfryEngine
import BelfryModel
import BelfryRuntime
import CivilTime
import ConfigKeys
import ConfigSamples
import FoundationEssentials
import Glibc
import SystemFiles

struct Initialize: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "init", abstract: "Create a config, also for one purpose; never overwrite one.",
    discussion: """
      belfry init                      at the default path
      belfry init --list               the recipes: mail, phones, chats, a family
      belfry init ntfy
      belfry init desktop --vdir ~/.calendars

      With --vdir it uses the lists that todoman, vdirsyncer or Radicale keep in a folder, and says what would ring.
      """)

  @Argument(
    help: ArgumentHelp("The recipe; a short config to start from without it.", valueName: "recipe"),
    completion: .list(ConfigSamples.recipes.map(\.name)))
  var recipe: String?

  @Flag(name: .long, help: "List the recipes and write nothing.")
  var list = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The folder of calendars to use as the store, with a folder for each list.", valueName: "folder"),
    completion: .directory)
  var vdir: String?

  @OptionGroup var options: CommonOptions

  func validate() throws {
    if list, recipe != nil || vdir != nil {
      throw ValidationError("--list cannot be combined with a recipe or --vdir.")
    }
  }

  func run() throws {
    let console = Console(color: options.color, environment: ProcessInfo.processInfo.environment)
    guard !list else { return try console.print(Self.catalogue.joined(separator: "\n")) }
    let sample = try recipe.map(Self.recipe)
    let place = ConfigPlace(option: options.config)
    let path = try place.path()
    let folder = try vdir.map { try CalendarFolder($0, place.environment) }
    let outlook = try folder?.outlook()
    let text = place.adapted(sample?.text ?? ConfigSamples.start, to: folder, defaultList: outlook?.defaultList)
    try NewFile.write(text, to: path)
    let lists = folder.map { ", with the lists of \($0.path)" } ?? ""
    console.report("Wrote \(path)\(lists)\(sample.map { ": \($0.summary)" } ?? "").")
    for other in sample?.others ?? [] {
      let path = URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent(other.name).path
      let isThere = access(path, F_OK) == 0
      if !isThere { try NewFile.write(other.text, to: path) }
      console.report(isThere ? "\(path) exists already and was left as it is." : "Wrote \(path) beside it.")
    }
    for line in outlook?.lines ?? [] { console.report("  \(line)") }
    if folder != nil {
      if let list = outlook?.defaultList { console.report("  'belfry add' without -l adds to the list \(list)") }
      console.report("Nothing rings until you start 'belfry run'. With 'remind: alarms', only what has an alarm rings.")
    }
    let secrets = Self.missingSecrets(of: path)
    if !secrets.isEmpty {
      console.report(
        "The first lines of \(path) say how to create the missing files: \(secrets.joined(separator: ", ")).")
    }
    if folder == nil, sample == nil {
      for known in CalendarFolder.known(place.environment) {
        console.report(
          "\(known.program) keeps lists in \(known.path): 'belfry init --vdir \(known.path.shellQuoted)' uses those.")
      }
    }
    for line in nextSteps(after: sample) { console.report("  \(line)") }
  }

  private func nextSteps(after sample: ConfigSamples.Recipe?) -> [String] {
    let option = options.config.map { " --config \($0.shellQuoted)" } ?? ""
    let ringing = sample?.ringing ?? ConfigSamples.ringing
    var steps = [
      ("belfry config check\(option)", "checks it"),
      ("belfry add \(sample?.firstItem ?? ConfigSamples.firstItem)\(option)", "adds a first item"),
      (ringing.command + option, ringing.effect),
    ]
    if sample == nil { steps.append(("belfry init --list", "other set-ups: mail, phones, chats")) }
    let width = steps.map(\.0.count).max() ?? 0
    return steps.map { $0 + String(repeating: " ", count: width + 5 - $0.count) + $1 }
  }

  /// The files of secrets that a config names and that do not exist.
  private static func missingSecrets(of path: String) -> [String] {
    // A sink may need a library that this machine lacks; 'belfry config check' says so.
    let assembly = try? Assembly(.file(path), time: SystemTimeSource())
    let files = assembly?.configuration.secrets.compactMap(\.file) ?? []
    return files.uniqued().filter { access($0, F_OK) != 0 }
  }

  private static func recipe(_ name: String) throws -> ConfigSamples.Recipe {
    let recipes = ConfigSamples.recipes
    if let recipe = recipes.first(where: { $0.name == name }) { return recipe }
    let nearest = Suggestion.nearest(to: name, among: recipes.map(\.name)).map { "did you mean '\($0)'? " } ?? ""
    throw BelfryError(
      .notFound, "there is no recipe '\(name)'", hint: "\(nearest)'belfry init --list' shows the recipes")
  }

  private static var catalogue: [String] {
    let recipes = ConfigSamples.recipes
    let width = recipes.map(\.name.count).max() ?? 0
    return recipes.map { "\($0.name)\(String(repeating: " ", count: width + 2 - $0.name.count))\($0.summary)" }
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

  /// A sample whose store is a folder of calendars, or else has the store's default path.
  func adapted(_ sample: String, to folder: CalendarFolder?, defaultList: String?) -> String {
    if let folder {
      var lines = sample.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      let known = lines.firstIndex { $0.hasPrefix("store:") }
      let remind = known.map { lines[$0].contains("remind: alarms") } == true ? "alarms" : "due"
      let store = "store: { type: vdir, path: \(quoted(folder.path)), remind: \(remind) }"
      if let known {
        lines[known] = store
      } else {
        lines.insert(store, at: lines.firstIndex { !$0.hasPrefix("#") } ?? 0)
      }
      if let defaultList {
        lines.removeAll { $0.hasPrefix("default_list:") }
        let place = lines.firstIndex(of: store).map { $0 + 1 } ?? 0
        lines.insert("default_list: \(quoted(defaultList))", at: place)
      }
      return lines.joined(separator: "\n")
    }
    let context = ConfigContext(directory: "/", environment: environment, zones: ZoneDatabase(environment: [:]))
    guard let path = context.dataFile("belfry.sqlite"), let home = environment.home,
      path != home + ConfigSamples.storePath.dropFirst()
    else { return sample }
    return sample.replacing(ConfigSamples.storePath, with: quoted(path))
  }

  private func quoted(_ path: String) -> String { "'\(path.replacing(scalar: "'", with: "''"))'" }
}

/// New files, which never replace a file.
private enum NewFile {
  /// Writes a new file that only its owner can read, and the folders above it.
  ///
  /// - Throws: ``BelfryError`` `.cannotCreate` if the file exists, `.noPermission`, `.storeFailed` if the disk is full
  ///   or fails; the file is then removed.
  static func write(_ text: String, to path: String) throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    if let code = PrivateFolder.make(at: folder) { throw failure(path, code) }
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
