import BelfryPlugins
import FoundationEssentials
import Glibc

/// How far something has come that takes a person's patience: a line on a terminal, from the first second on.
struct ProgressBar {
  private static let width = 30

  private let label: String
  private let isOn: Bool
  private let start = ContinuousClock.now
  private var shown = -1

  /// A bar that stays out of sight where standard error is no terminal.
  init(label: String, console: Console) {
    self.label = label
    isOn = isatty(STDERR_FILENO) == 1
  }

  /// Shows how much of how much is done.
  mutating func show(_ done: Int, of total: Int) {
    guard isOn, total > 0, done & 0xFF == 0 else { return }
    let percent = min(100, done * 100 / total)
    guard percent != shown, ContinuousClock.now - start > .seconds(1) else { return }
    shown = percent
    let filled = percent * Self.width / 100
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
    StandardError.put("\r\(label) \(bar) \(percent) % ")
  }

  /// Takes the line away.
  mutating func finish() {
    if shown >= 0 { StandardError.put("\r\u{1b}[K") }
  }
}
