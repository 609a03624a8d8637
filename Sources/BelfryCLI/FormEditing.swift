import BelfryEngine
import BelfryModel
import FoundationEssentials
import Glibc
import ItemEntry

/// `belfry edit ID` without options: the item's form in the user's editor.
struct FormEditing {
  let session: Session
  let editor: TextEditor

  /// The change of an item; `nil` if the form was not changed.
  ///
  /// - Throws: ``BelfryError``; the edited form is then kept in a file, which the message names.
  func edit(_ id: Int64) throws -> ItemChange? {
    let listing = try session.belfry.read { try $0.item(id) }
    let form = ItemForm(listing)
    let file = try FormFile(id: id, text: form.text(title: "Item \(id), list \(listing.listName)"))
    let untouched = try file.text()
    do {
      let change = try edit(file, form, listing)
      file.remove()
      return change
    } catch let error as BelfryError {
      guard (try? file.text()) != untouched else {
        file.remove()
        throw error
      }
      let kept = "your edits are kept in \(file.path)"
      throw BelfryError(error.kind, error.message, hint: error.hint.map { "\($0); \(kept)" } ?? kept)
    }
  }

  // On a terminal the editor opens again until the form is valid or left unchanged.
  private func edit(_ file: FormFile, _ form: ItemForm, _ listing: ItemListing) throws -> ItemChange? {
    var before = try file.text()
    while true {
      try editor.edit(file.path)
      let after = try file.text()
      do {
        return try change(listing, from: form, to: ItemForm(parsing: after))
      } catch let error as ItemFormProblems {
        for problem in error.problems { session.console.report("\(file.path):\(problem.line): \(problem.message)") }
        guard after != before, isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
          try file.write(after)
          throw BelfryError(.badInput, "nothing was changed")
        }
        before = after
        try file.mark(error.problems)
      }
    }
  }

  private func change(_ listing: ItemListing, from old: ItemForm, to new: ItemForm) throws -> ItemChange? {
    let entry = ItemEntry(
      Dictionary(uniqueKeysWithValues: old.changes(in: new).map { ($0, .init(of: $0, inForm: $1.value)) }))
    func problem(_ field: ItemField, _ error: BelfryError) -> ItemForm.Problem {
      ItemForm.Problem(line: new.entries[field]?.line ?? 1, message: error.line)
    }
    do {
      let edit = try session.belfry.read { reading in
        try EntryReader(reading: reading, settings: session.settings, zones: session.belfry.zones)
          .edit(entry, of: listing)
      }
      guard edit != ItemEdit() else { return nil }
      let id = listing.item.id
      return try session.belfry.requiring { try Self.requireUnchanged($0.item(id), since: old, or: new) }
        .edit(id, edit)
    } catch let error as ItemEntryFaults {
      throw ItemFormProblems(problems: error.faults.map(problem))
    } catch let error as BelfryError {
      guard let field = error.field else { throw error }
      throw ItemFormProblems(problems: [problem(field, error)])
    }
  }
}

extension FormEditing {
  /// Refuses to overwrite fields that were changed while the editor was open.
  private static func requireUnchanged(_ listing: ItemListing, since old: ItemForm, or new: ItemForm) throws {
    let (mine, others) = (old.changes(in: new), old.changes(in: ItemForm(listing)))
    let fields = ItemField.allCases.filter { field in
      guard let own = mine[field], let other = others[field] else { return false }
      return own.value != other.value
    }
    guard !fields.isEmpty else { return }
    let words = fields.map { field in
      field == .notes ? "the notes differ" : "\(field.rawValue) is now '\(others[field]?.value ?? "")'"
    }
    throw BelfryError(
      .tryAgain, "item \(listing.item.id) was changed meanwhile: \(words.joined(separator: ", "))",
      hint: "edit it again")
  }
}

/// The file for an editor.
private struct FormFile {
  private static let mark = "# error: "
  let path: String

  init(id: Int64, text: String) throws {
    let folder = ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var template = Array("\(folder)/belfry-item-\(id)-XXXXXX.txt".utf8CString)
    let descriptor = mkstemps(&template, 4)
    guard descriptor >= 0 else {
      throw BelfryError(
        .cannotCreate, "no file can be made in \(folder): \(String(cString: strerror(errno)).lowercased())",
        hint: "set TMPDIR to a folder that can be written")
    }
    close(descriptor)
    path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    try write(text)
  }

  /// The edited text, without the lines that reported errors.
  func text() throws -> String {
    guard let text = String(validating: try InputFile.read(path), as: UTF8.self) else {
      throw BelfryError(.badInput, "\(path) is not UTF-8")
    }
    let lines = text.linesOfAnyEnd
    // Below the key of the notes each line is the user's.
    let end = lines.firstIndex(where: ItemForm.beginsLastField) ?? lines.endIndex
    return (lines[..<end].filter { !$0.hasPrefix(Self.mark) } + lines[end...]).joined(separator: "\n")
  }

  /// Inserts the error above each line at fault.
  func mark(_ problems: [ItemForm.Problem]) throws {
    var lines = try text().linesOfAnyEnd.map(String.init)
    for problem in problems.sorted(by: { $0.line > $1.line }) where (1...lines.count).contains(problem.line) {
      lines.insert(Self.mark + problem.message, at: problem.line - 1)
    }
    try write(lines.joined(separator: "\n"))
  }

  func remove() { unlink(path) }

  func write(_ text: String) throws { try OutputFile.write(path) { try $0(Array(text.utf8)) } }
}
