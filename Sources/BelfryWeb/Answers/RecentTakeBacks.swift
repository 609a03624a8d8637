import BelfryEngine
import FoundationEssentials
import Synchronization

/// The answers that were taken back over links recently. A robot presses every button within seconds, and the program
/// ends only after ten idle minutes, so this need not be stored.
final class RecentTakeBacks: Sendable {
  private struct Entry {
    let link: String
    let takenBack: TakenBack
  }

  // Only a person who plays with a link has more, so limiting memory matters more.
  private static let most = 100
  // Locked while answers are taken back and while that is undone, so that this list always agrees with the store.
  private let entries = Mutex<[Entry]>([])

  /// Takes an answer back over a link, and notes what was taken back.
  func note(over link: String, _ takeBack: () throws -> TakenBack) throws -> TakenBack {
    try entries.withLock { entries in
      let takenBack = try takeBack()
      if !takenBack.isRepetition {
        entries = (entries + [Entry(link: link, takenBack: takenBack)]).suffix(Self.most)
      }
      return takenBack
    }
  }

  /// Undoes what was taken back over a link since an instant, and forgets it.
  ///
  /// - Parameter undo: undoes the given answers, which are in the order in which they were taken back.
  func forget(over link: String, since start: Date, _ undo: ([TakenBack]) throws -> Void) throws {
    try entries.withLock { entries in
      let isRecent = { (entry: Entry) in
        entry.link == link && entry.takenBack.answer.takenBackAt.map { $0 >= start } ?? false
      }
      try undo(entries.filter(isRecent).map(\.takenBack))
      entries.removeAll(where: isRecent)
    }
  }
}
