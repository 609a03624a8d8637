import ArgumentParser
import BelfryEngine
import BelfryModel
import ItemEntry

extension Recurrence.Origin: ExpressibleByArgument {
  /// The words of the option, for which the parser itself would look up conformances at each start.
  public static var allValueStrings: [String] { allCases.map { $0.rawValue } }

  /// Empty, as the parser itself would find out at each start.
  public static var allValueDescriptions: [String: String] { [:] }
}

extension ItemField {
  /// The name of its option.
  var option: String { option(in: row) }

  fileprivate func option(in row: FieldRow) -> String { row.option?.description ?? rawValue }
}

extension Option {
  /// The option of a field of an item.
  init<Word: ExpressibleByArgument>(of field: ItemField) where Value == Word? {
    let row = field.row
    self.init(name: .customLong(field.option(in: row)), help: row.help(""), completion: row.completion)
  }

  /// The option of a field that takes several words, each after a separate option.
  init(wrappedValue: [String], of field: ItemField) where Value == [String] {
    let row = field.row
    self.init(wrappedValue: wrappedValue, name: .customLong(field.option(in: row)), help: row.help(" Repeatable."))
  }
}

extension FieldRow {
  fileprivate func help(_ more: String) -> ArgumentHelp {
    ArgumentHelp(about.description + more, valueName: value.description)
  }

  fileprivate var completion: CompletionKind? {
    switch kind {
    case .category: Completions.categories
    case .choice(let choices): .list(choices.map { $0.value })
    default: nil
    }
  }
}

/// The options for an item's fields that `add` and `edit` share.
struct ItemFields: ParsableArguments {
  @Option(of: .due) var due: String?

  @Flag(name: .long, help: "Do not remind of the due date.")
  var noRemind = false

  @Option(of: .alerts) var alert: [String] = []
  @Option(of: .timeZone) var timeZone: String?
  @Option(of: .notes) var notes: String?
  @Option(of: .tags) var tag: [String] = []
  @Option(of: .priority) var priority: String?
  @Option(of: .category) var category: String?
  @Option(of: .repeat) var `repeat`: String?
  @Option(of: .repeatFrom) var repeatFrom: Recurrence.Origin?
  @Option(of: .nag) var nag: String?

  /// The fields as an edit; a due date turns reminding on.
  ///
  /// - Parameters:
  ///   - item: the item to be edited; `nil` for a new one.
  ///   - line: the fields that a line names.
  func edit(
    _ session: Session, line: ItemEntry = ItemEntry(), of item: ((Reading) throws -> ItemListing?)? = nil
  ) throws -> ItemEdit {
    var entry = entry
    entry.values.merge(line.values) { option, said in
      if case (.texts(let some), .texts(let more)) = (option, said) { .texts(some + more) } else { said }
    }
    guard !entry.values.isEmpty else { return ItemEdit() }
    do {
      var edit = try session.belfry.read(asKnown: item == nil) { try session.entry($0).edit(entry, of: item?($0)) }
      if !noRemind, case .at = edit.due { edit.shouldRemind = true }
      return edit
    } catch let error as ItemEntryFaults {
      throw error.faults.first?.error ?? error
    }
  }

  private var entry: ItemEntry {
    var entry = ItemEntry()
    for field in ItemField.allCases { entry.values[field] = words(for: field) }
    return entry
  }

  private func words(for field: ItemField) -> ItemEntry.Words? {
    switch field {
    // Options of the commands themselves.
    case .text, .list: nil
    case .due: due.map { .text($0) }
    case .repeat: self.repeat.map { .text($0) }
    case .repeatFrom: repeatFrom.map { .text($0.rawValue) }
    case .remind: noRemind ? .flag(false) : nil
    case .alerts: alert.isEmpty ? nil : .texts(alert)
    case .nag: nag.map { .text($0) }
    case .timeZone: timeZone.map { .text($0) }
    case .tags: tag.isEmpty ? nil : .texts(tag)
    case .priority: priority.map { .text($0) }
    case .category: category.map { .text($0) }
    case .notes: notes.map { .text($0) }
    }
  }
}
