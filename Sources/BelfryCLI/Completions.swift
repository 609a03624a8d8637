import ArgumentParser
import BelfryEngine
import BelfryModel
import BelfryRuntime
import CivilTime
import FoundationEssentials

/// The shell's candidates for options and arguments, read from the config and the store.
///
/// On any error there are no candidates and no message, since a message would break the shell's line.
enum Completions {
  static let lists = CompletionKind.custom { words, index, _ in
    offer(words, index) { try $0.belfry.read { try $0.view.lists() }.map { ($0.name, "") } }
  }

  /// Unchecked items: number and text.
  static let unchecked = items(.unchecked)
  static let checked = items(.checked)
  static let items = items(.any)
  static let keys = items(.unchecked) { listing in listing.item.key.map { ($0, listing.item.text) } }

  static let sinks = CompletionKind.custom { words, index, _ in
    offer(words, index) { $0.configuration.sinks.map { ($0.name, $0.type) } }
  }

  static let categories = CompletionKind.custom { words, index, _ in
    offer(words, index) { $0.belfry.settings.categories.map { ($0.identifier, "") } }
  }

  static let people = CompletionKind.custom { words, index, _ in
    offer(words, index) { $0.belfry.settings.people.map { ($0.name, "") } }
  }

  private static func items(_ checked: ItemQuery.Checked) -> CompletionKind {
    items(checked) { ("\($0.item.id)", "\($0.item.text) (\($0.listName))") }
  }

  private static func items(
    _ checked: ItemQuery.Checked, _ candidate: @escaping @Sendable (ItemListing) -> Candidates.Candidate?
  ) -> CompletionKind {
    .custom { words, index, _ in
      offer(words, index) { assembly in
        try assembly.belfry.read { reading in
          var found: [Candidates.Candidate] = []
          // More than a screenful would not help.
          try reading.view.forEachItem(ItemQuery(checked: checked, limit: 200)) { listing in
            if let candidate = candidate(listing) { found.append(candidate) }
          }
          return found
        }
      }
    }
  }

  private static func offer(
    _ words: [String], _ index: Int, _ candidates: (Assembly) throws -> [Candidates.Candidate]
  ) -> [String] {
    guard let assembly = try? Assembly(.file(config(in: words)), time: SystemTimeSource()),
      !ServerStores.isOutOfReach(assembly), let found = try? candidates(assembly)
    else { return [] }
    let typed = words.indices.contains(index) ? words[index] : ""
    return Candidates(found, typed: typed).lines(for: .requesting)
  }

  /// The config named by the words before the cursor.
  private static func config(in words: [String]) -> String? {
    guard let place = words.lastIndex(of: "--config"), place + 1 < words.count, !words[place + 1].isEmpty
    else { return nil }
    return words[place + 1]
  }
}

/// Words with notes, in the forms of the shells.
struct Candidates {
  typealias Candidate = (word: String, note: String)

  private let candidates: [Candidate]
  private let typed: String

  /// - Parameter typed: the word before the cursor; its quotes are ignored.
  init(_ candidates: [Candidate], typed: String) {
    self.candidates = candidates
    self.typed = typed.filter { $0 != "'" && $0 != "\"" && $0 != "\\" }
  }

  func lines(for shell: CompletionShell?) -> [String] {
    switch shell {
    case .some(.zsh):
      return candidates.map { candidate in
        let word = candidate.word.replacing(scalar: "\\", with: "\\\\").replacing(scalar: ":", with: "\\:")
        return candidate.note.isEmpty ? word : "\(word):\(candidate.note)"
      }
    case .some(.fish): return candidates.map { $0.note.isEmpty ? $0.word : "\($0.word)\t\($0.note)" }
    default:
      // bash inserts a single candidate as it is shown, so the note is only for a choice.
      let fitting = candidates.filter { $0.word.hasPrefix(typed) }
      return fitting.map { candidate in
        let isChoice = fitting.count > 1 && !candidate.note.isEmpty
        // bash expands each line as if it were typed, but `$(…)` in a text must not run.
        return (isChoice ? "\(candidate.word)  \(candidate.note)" : candidate.word).quotedAlways
      }
    }
  }
}

extension String {
  /// The text in single quotes for a shell.
  fileprivate var quotedAlways: String { "'\(replacing("'", with: "'\\''"))'" }
}
