import ArgumentParser
import BelfryEngine
import BelfryModel
import FoundationEssentials
import Interchange
import OrderedJSON

struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "import", abstract: "Import items from another program.",
    discussion: """
      belfry import Checklists.plist
      belfry import todo.txt -l Errands --create --dry-run
      task export | belfry import -
      """)

  @Argument(help: ArgumentHelp("The file; - for standard input.", valueName: "file"))
  var file: String

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The format, if the content does not show it: \(ImportFormat.words).", valueName: "format"))
  var format: ImportFormat?

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The list for all items.", valueName: "list"),
    completion: Completions.lists)
  var list: String?

  @Flag(name: .long, help: "Create the list if it does not exist.")
  var create = false

  @Flag(name: .long, help: "Show what would be imported; change nothing.")
  var dryRun = false

  @Flag(name: .long, help: "Import nothing if any entry is refused, or any value is not understood.")
  var strict = false

  @OptionGroup var options: DataOptions

  func run() throws {
    let session = try Session(options)
    let report: ImportReport
    do {
      report = try InputFile.stream(file) { try importEntries($0, session) }
    } catch let error as ImportError {
      throw BelfryError(.badInput, "\(file): \(error.message)", hint: "the file and the store were left as they are")
    } catch let interrupted as Interrupted {
      session.console.report("Interrupted: nothing was imported.")
      interrupted.end()
    }
    printSummary(report, session.console)
    if report.added.isEmpty, report.knownCount == 0, report.newLists.isEmpty, report.refusedCount > 0 {
      throw BelfryError(.badInput, "\(file): nothing in it could be imported")
    }
  }

  private func importEntries(_ bytes: ByteSource, _ session: Session) throws -> ImportReport {
    Interruption.watch()
    bytes.checkpoint = Interruption.check
    let context = try session.belfry.read { reading in
      ImportContext(
        defaultListName: session.settings.defaultList, defaultTime: session.settings.defaultTime,
        planner: reading.planner, now: reading.now)
    }
    var source: any ImportSource = try Importer.open(
      bytes, format: format, fileName: file == "-" ? nil : file, context: context)
    var bar = ProgressBar(label: "importing", console: session.console)
    defer { bar.finish() }
    let report = try session.belfry.take(
      &source, onto: list.map { session.settings.listChoice($0, createsMissing: create) }, isDryRun: dryRun,
      isStrict: strict,
      observe: { event in
        switch event {
        case .progress:
          try Interruption.check()
          if let size = bytes.size { bar.show(bytes.bytesRead & ~0xFF, of: size) }
        case .refused(let refusal):
          bar.finish()
          session.console.warn("refused: \(refusal.place): \(refusal.reason)")
        case .notUnderstood(let told):
          bar.finish()
          session.console.warn("\(told.place): \(told.reason)")
        }
      },
      inspect: options.json
        ? { reading, report in
          try reading.writeJSON(ofItems: report.added) { try Console.write(TerminalJSON.escaped($0)) }
        } : nil)
    if dryRun, let table = source as? any ColumnedSource {
      for column in table.columns { session.console.report("\(column.name) becomes \(column.meaning).") }
    }
    return report
  }

  private func printSummary(_ report: ImportReport, _ console: Console) {
    if !report.renumbered.isEmpty {
      let pairs = report.renumbered.map { "\($0.own) is now \($0.given)" }.joined(separator: ", ")
      console.report("Items whose numbers were taken already have new ones: \(pairs).")
    }
    var parts = ["\(counted(report.added.count, "item")) \(dryRun ? "would come" : "imported")"]
    if !report.newLists.isEmpty { parts.append("new lists: \(report.newLists.joined(separator: ", "))") }
    parts.append(counted(report.scheduledCount, "reminder") + " scheduled")
    if report.silentCount > 0 { parts.append("\(report.silentCount) due without a reminder") }
    if report.overdueCount > 0 { parts.append("\(report.overdueCount) overdue") }
    if report.separatedCount > 0 {
      parts.append(
        counted(report.separatedCount, "changed occurrence") + " of repeating items imported as separate items")
    }
    if report.exceptionCount > 0 {
      let occurrences = counted(report.exceptionCount, "occurrence")
      parts.append("\(occurrences) excluded from repeating items, the rest of which continue as separate items")
    }
    if report.knownCount > 0 { parts.append("\(report.knownCount) known already, left unchanged") }
    for (word, count) in report.leftOut.sorted(by: { $0.key < $1.key }) { parts.append("\(count) \(word), left out") }
    if report.notUnderstoodCount > 0 {
      parts.append("\(report.notUnderstoodCount) with a value that is not understood, as told above")
    }
    if report.refusedCount > 0 { parts.append("\(report.refusedCount) refused") }
    console.report(parts.joined(separator: "; ") + ".")
    if !dryRun, report.scheduledCount > 0 {
      console.report("'belfry pending' shows what will ring, 'belfry run' rings it.")
    }
    if !dryRun, report.silentCount > 0 {
      console.report("'belfry edit ID --remind' gives an item its reminder.")
    }
  }
}

extension ImportFormat: ExpressibleByArgument {
  fileprivate static var words: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
