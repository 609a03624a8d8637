import BelfryEngine
import FoundationEssentials
import Synchronization

/// The answers that were taken back over links lately. A robot that presses everything does so in one breath, so that
/// this need not outlive the program.
final class RecentTakeBacks: Sendable {
  private struct Entry {
    let link: String
    let date: Date
    let takenBack: TakenBack
  }

  // More at once come from a holder who plays with a link: memory comes first.
  private static let most = 100
  private let entries = Mutex<[Entry]>([])

  /// Notes an answer that was taken back over a link.
  func note(_ takenBack: TakenBack, over link: String, at now: Date) {
    entries.withLock { $0 = ($0 + [Entry(link: link, date: now, takenBack: takenBack)]).suffix(Self.most) }
  }

  /// The answers taken back over a link since an instant, in that order.
  func over(_ link: String, since start: Date) -> [TakenBack] {
    entries.withLock { $0.filter { $0.link == link && $0.date >= start }.map(\.takenBack) }
  }
}
