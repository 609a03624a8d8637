import ArgumentParser
import BelfryEngine
import BelfryModel
import FoundationEssentials
import ItemEntry

struct Add: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "add", abstract: "Add an item.",
    discussion: """
      belfry add Buy milk --due 'tomorrow 9am'
      belfry add -q 'Bins #Inbox every tuesday 7am'     with its list and time
      """)

  @Argument(help: ArgumentHelp("The text; - reads standard input, one item a line.", valueName: "text"))
  var text: [String]

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The list; the default list without it.", valueName: "list"),
    completion: Completions.lists)
  var list: String?

  @Flag(name: .shortAndLong, help: "Read #List, @tags, !high and times at its end.")
  var quick = false

  @Flag(name: .long, help: "Create the list if it does not exist.")
  var create = false

  @Option(name: .long, help: ArgumentHelp("Your own key; adding it again changes the item.", valueName: "name"))
  var key: String?

  @OptionGroup var fields: ItemFields
  @OptionGroup var options: DataOptions

  func validate() throws {
    if quick && create && list == nil {
      throw ValidationError("--create goes with --list: '#Name' in a line names a list that exists.")
    }
    if !quick && fields.repeatFrom != nil && fields.repeat == nil && key == nil {
      throw ValidationError("--repeat-from goes with --repeat.")
    }
  }

  func run() throws {
    let session = try Session(options)
    let texts = try texts()
    if quick { return try add(texts, session) }
    if let key { return try add(texts, as: key, session) }
    let fields = try fields.edit(session)
    let changes = try session.belfry.add(
      texts.map { ItemDraft(text: $0, fields) }, to: session.settings.listChoice(list, createsMissing: create))
    try session.finish("Added", changes, options: options, asObject: text != ["-"])
    // An item that was added must not be reported as a failure.
    if let hint = try? hint(texts, session) { session.console.report(hint) }
  }

  /// Adds an item from a line.
  private func add(_ lines: [String], _ session: Session) throws {
    guard fields.due == nil, fields.repeat == nil, key == nil, lines.count == 1 else {
      throw BelfryError(
        .usage, "-q takes one line, which itself has the due date and the repeat",
        hint: "leave out -q; or leave out --due, --repeat, --key and further lines")
    }
    let line = try session.belfry.read { try session.entry($0).line(lines[0]) }
    if let list, let named = line.list {
      throw BelfryError(
        .usage, "the line names the list '\(named)', and -l the list '\(list)'", hint: "leave out one of them")
    }
    if let given = fields.priority, let named = line.priority {
      throw BelfryError(
        .usage, "the line has the priority '\(named.rawValue)', and --priority '\(given)'",
        hint: "leave out one of them")
    }
    let edit = try fields.edit(session, line: line.entry)
    let changes = try session.belfry.add(
      [ItemDraft(text: line.text, edit)], to: edit.list ?? session.settings.listChoice(list, createsMissing: create))
    try session.finish("Added", changes, options: options, asObject: true)
    for remark in line.remarks { session.console.report(remark.capitalizedFirst + ".") }
  }

  /// The most lines that are read once more for a hint.
  private static let mostHinted = 1_000

  /// A sentence that says how -q reads the first text that ends with a time or a repeat; `nil` if none does.
  private func hint(_ texts: [String], _ session: Session) throws -> String? {
    guard fields.due == nil, fields.repeat == nil else { return nil }
    return try session.belfry.read(asKnown: true) { reading in
      let entry = session.entry(reading)
      for text in texts.prefix(Self.mostHinted) {
        guard let line = try? entry.line(text), let echo = try? entry.echo(line), let due = echo.due else { continue }
        let parts =
          ["due \(due)", echo.repeats, line.list.map { "on the list '\($0)'" }]
          .compactMap(\.self) + line.tags.names.map { "@\($0)" }
          + [line.priority.map { "!\($0.rawValue)" }].compactMap(\.self)
        let verb = texts.count == 1 ? "reads it" : "takes one line, and reads '\(text)'"
        return "Added word for word. 'belfry add -q' \(verb) as '\(line.text)', \(parts.joined(separator: ", "))."
      }
      return nil
    }
  }

  private func add(_ texts: [String], as key: String, _ session: Session) throws {
    guard let text = texts.first, texts.count == 1 else {
      throw BelfryError(
        .usage, "--key is for one item, and there are \(texts.count)", hint: "run 'belfry add --key' once for each")
    }
    var fields = try fields.edit(session) { try $0.view.item(keyed: key) }
    fields.list = list.map { session.settings.listChoice($0, createsMissing: create) }
    let item = KeyedItem(
      key: key, text: text, fields: fields, dueWords: self.fields.due, defaultList: session.settings.listChoice(nil))
    try session.finish(try session.belfry.add(item), options: options)
  }

  private func texts() throws -> [String] {
    guard text == ["-"] else { return [text.joined(separator: " ")] }
    let lines = try InputFile.read("-").split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .enumerated().compactMap { index, bytes in
        guard let line = String(validating: bytes, as: UTF8.self) else {
          throw BelfryError(.badInput, "standard input is not UTF-8, line \(index + 1)", hint: "convert it with iconv")
        }
        return line.allSatisfy(\.isWhitespace) ? nil : line
      }
    guard !lines.isEmpty else {
      throw BelfryError(.badInput, "standard input has no text", hint: "give one item a line")
    }
    return lines
  }
}
