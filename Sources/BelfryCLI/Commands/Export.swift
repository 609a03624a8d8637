import ArgumentParser
import BelfryModel
import FoundationEssentials
import Interchange

struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "export", abstract: "Export items for another program.",
    discussion: """
      belfry export -o belfry.json
      belfry export -l Groceries --format todo.txt
      belfry export -o calendar.ics
      """)

  @Option(
    name: .long,
    help: ArgumentHelp(
      "\(ExportFormat.words); by default from the file's extension, or json.", valueName: "format"))
  var format: ExportFormat?

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The list; every list without it.", valueName: "list"),
    completion: Completions.lists)
  var list: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The output file, replaced only when complete; - for standard output.", valueName: "file"),
    completion: .file())
  var output: String = "-"

  @OptionGroup var options: DataOptions

  func run() throws {
    let format = try chosenFormat()
    let session = try Session(options)
    let isStore = OutputFile.resolved(output) == OutputFile.resolved(session.belfry.store.location)
    guard output == "-" || !isStore else {
      throw BelfryError(.usage, "\(output) is the store itself", hint: "export into another file")
    }
    Interruption.watch()
    do {
      let (items, lists) = try export(as: format, session)
      if output != "-" {
        session.console.report("Exported \(counted(items, "item")) on \(counted(lists, "list")) to \(output).")
      }
    } catch let interrupted as Interrupted {
      session.console.report("Interrupted: nothing was exported.")
      interrupted.end()
    }
  }

  private func export(as format: ExportFormat, _ session: Session) throws -> (items: Int, lists: Int) {
    var bar = ProgressBar(label: "exporting", console: session.console)
    defer { bar.finish() }
    return try session.belfry.read { reading in
      let listID = try list.map { try reading.view.knownList(named: $0).id }
      var counts = (items: 0, lists: 0)
      try OutputFile.write(output) { write in
        counts = try Exporter.export(
          reading, as: format, listID: listID, defaultTime: session.settings.defaultTime,
          progress: { done, total in
            try Interruption.check()
            bar.show(done, of: total)
          }, write: write)
      }
      return counts
    }
  }

  private func chosenFormat() throws -> ExportFormat {
    if options.json, let format, format != .belfry {
      throw BelfryError(
        .usage, "--json and --format \(format.rawValue) contradict each other", hint: "leave one of them out")
    }
    if let format { return format }
    if options.json { return .belfry }
    let name = output.lowercased()
    let endings: [(String, ExportFormat)] = [
      (".ics", .calendar), (".txt", .todoTxt), (".csv", .table), (".plist", .propertyList),
    ]
    if let found = endings.first(where: { name.hasSuffix($0.0) }) { return found.1 }
    let file = name.split(separator: "/").last ?? ""
    if let dot = file.lastIndex(of: "."), dot != file.startIndex, file[dot...] != ".json" {
      throw BelfryError(
        .usage, "\(output) ends in \(file[dot...]), which is not a format that export can write",
        hint: "end the file in .json, .plist, .ics, .txt or .csv, or name the format with --format")
    }
    return .belfry
  }
}

extension ExportFormat: ExpressibleByArgument {
  fileprivate static var words: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
