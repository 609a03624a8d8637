import BelfryRuntime
import FoundationEssentials
import Glibc

/// A progress bar on a terminal, shown after the first second.
struct ProgressBar {
  private static let width = 30

  private let label: String
  private let isOn: Bool
  private let start = ContinuousClock.now
  private var shown = -1

  /// A bar, invisible if standard error is not a terminal.
  init(label: String, console: Console) {
    self.label = label
    isOn = isatty(STDERR_FILENO) == 1
  }

  mutating func show(_ done: Int, of total: Int) {
    guard isOn, total > 0, done & 0xFF == 0 else { return }
    let percent = min(100, done * 100 / total)
    guard percent != shown, ContinuousClock.now - start > .seconds(1) else { return }
    shown = percent
    let filled = percent * Self.width / 100
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
    StandardError.put("\r\(label) \(bar) \(percent) % ")
  }

  mutating func finish() {
    if shown >= 0 { StandardError.put("\r\u{1b}[K") }
  }
}
