import ArgumentParser
import BelfryEngine
import BelfryModel
import FoundationEssentials

/// `belfry add`.
struct Add: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add an item.",
    discussion: """
      belfry add Buy milk --due 'tomorrow 9am'
      belfry add 'Call Anna' -l Work --due 'fri 17:00' --alert 1d --alert 10m
      belfry add 'Take the pills' --due 8:00 --repeat daily --nag 15m
      ls *.txt | belfry add - -l Files --create     one item a line
      """)

  @Argument(help: ArgumentHelp("The text; - reads standard input, one item a line.", valueName: "text"))
  var text: [String]

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The list; the default list without it.", valueName: "list"),
    completion: Completions.lists)
  var list: String?

  @Flag(name: .long, help: "Create the list if it does not exist.")
  var create = false

  @OptionGroup var fields: ItemFields
  @OptionGroup var options: DataOptions

  func run() throws {
    let session = try Session(options)
    let zone = try session.zone(fields.timeZone) ?? .floating
    let due = try fields.due.map { try session.when($0, option: "--due", in: zone) }
    var template = ItemDraft(text: "", notes: fields.notes, zone: zone)
    if case .at(let time)? = due { template.due = time }
    template.shouldRemind = template.due != nil && !fields.noRemind
    template.alerts = try fields.alerts(session)
    template.rule = try fields.repeat.map { try session.rule($0) }
    template.repeatOrigin = fields.repeatFrom ?? .due
    template.nag = try fields.nag.map { try session.duration($0, option: "--nag") }
    template.category = try session.category(fields.category)
    let drafts = try texts().map { text in
      var draft = template
      draft.text = text
      return draft
    }
    let changes = try session.belfry.add(drafts, to: session.listChoice(list, createsMissing: create))
    try session.finish("Added", changes, options: options, asObject: text != ["-"])
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
