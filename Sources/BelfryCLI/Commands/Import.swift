import ArgumentParser
import BelfryCore
import Foundation
import Interchange
import OrderedJSON

/// `belfry import`.
struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Take in the items of another program.",
    discussion: """
      belfry import Checklists.plist
      belfry import shopping.plist -l Groceries --create --dry-run
      """)

  @Argument(help: ArgumentHelp("The file; - is standard input.", valueName: "file"))
  var file: String

  @Option(name: .long, help: "What the file is, where its content does not tell: \(ImportFormat.words).")
  var format: ImportFormat?

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Put everything on this list.", valueName: "list"),
    completion: Completions.lists)
  var list: String?

  @Flag(name: .long, help: "Make the list where it does not exist.")
  var create = false

  @Flag(name: .long, help: "Tell what would come, keep nothing.")
  var dryRun = false

  @Flag(name: .long, help: "All or nothing.")
  var strict = false

  @OptionGroup var options: DataOptions

  func run() throws {
    let session = try Session(options.common)
    let document: ImportedDocument
    do {
      document = try Importer.read(
        try InputFile.read(file), format: format, defaultListName: session.settings.defaultList)
    } catch let error as ImportError {
      throw BelfryError(.badInput, "\(file): \(error.message)", hint: "the file and the store were left as they are")
    }
    let report = try session.belfry.take(
      document.lists, onto: list.map { session.listChoice($0, createsMissing: create) }, isDryRun: dryRun,
      isStrict: strict, refused: document.refused)
    try session.belfry.read { reading in
      if options.json {
        try session.console.print(.array(report.added.map { reading.json($0.listing) }))
      }
      tell(report, reading, session.console)
    }
    if report.added.isEmpty, report.known.isEmpty, !report.refused.isEmpty {
      throw BelfryError(.badInput, "\(file): nothing in it could be imported")
    }
  }

  private func tell(_ report: ImportReport, _ reading: Reading, _ console: Console) {
    for refusal in report.refused {
      console.tell(console.messageStyle.red("refused: \(refusal.place): \(refusal.reason)"))
    }
    for renumbered in report.renumbered {
      console.tell("item \(renumbered.own) is number \(renumbered.given) here: its own was taken")
    }
    let added = report.added
    let overdue = added.count { $0.listing.item.isOverdue(at: reading.now) }
    let rings = added.reduce(0) { $0 + $1.schedule.scheduled.count }
    var parts = ["\(added.count) item(s) \(dryRun ? "would come" : "imported")"]
    if !report.newLists.isEmpty { parts.append("new lists: \(report.newLists.joined(separator: ", "))") }
    parts.append("\(rings) reminder(s) scheduled")
    if overdue > 0 { parts.append("\(overdue) overdue") }
    if !report.known.isEmpty { parts.append("\(report.known.count) known already and left alone") }
    if !report.refused.isEmpty { parts.append("\(report.refused.count) refused") }
    console.tell(parts.joined(separator: "; ") + ".")
    if !dryRun, rings > 0 { console.tell("'belfry pending' shows what will ring, 'belfry run' rings it.") }
  }
}

extension ImportFormat: ExpressibleByArgument {
  fileprivate static var words: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

/// A file that a command reads whole.
enum InputFile {
  /// The largest file that is read at once, in bytes.
  static let limit = 1 << 30

  /// The bytes of a file, or of standard input for `-`.
  ///
  /// - Throws: ``BelfryError`` `.notFound`, `.noPermission` or `.storeFailed`.
  static func read(_ path: String) throws -> Data {
    if path == "-" { return try FileHandle.standardInput.readToEnd() ?? Data() }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path, errno) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(path, errno) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw failure(path, EISDIR) }
    guard status.st_size <= limit else {
      throw BelfryError(.badInput, "\(path) has more than 1 GiB", hint: "split it")
    }
    do {
      return try handle.readToEnd() ?? Data()
    } catch {
      throw BelfryError(.storeFailed, "\(path) cannot be read: \(error.localizedDescription)")
    }
  }

  private static func failure(_ path: String, _ code: Int32) -> BelfryError {
    let reason = String(cString: strerror(code))
    switch code {
    case ENOENT, ENOTDIR, EISDIR: return BelfryError(.notFound, "\(path): \(reason)", hint: "check the path")
    case EACCES, EPERM: return BelfryError(.noPermission, "\(path): \(reason)", hint: "check who owns the file")
    default: return BelfryError(.storeFailed, "\(path): \(reason)")
    }
  }
}
