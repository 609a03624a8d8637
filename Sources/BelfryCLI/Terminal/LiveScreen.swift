import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import Glibc

/// The screen of `show --watch`, which follows the store until the user ends it.
struct LiveScreen {
  private var signals: sigset_t

  /// Runs `body` with a screen.
  ///
  /// - Throws: ``BelfryError`` `.usage` without a terminal, and as `body`.
  static func run(_ body: (LiveScreen) throws -> Void) throws {
    guard isatty(STDOUT_FILENO) == 1 else {
      throw BelfryError(.usage, "--watch needs a terminal", hint: "without it the items are printed once")
    }
    let screen = LiveScreen()
    try body(screen)
  }

  // Must run before any other thread starts, so that the signals are blocked in all threads and stay pending.
  private init() {
    signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGWINCH] { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Shows the lines, and updates them when the store's files and folders, the minute or the window change.
  ///
  /// - Throws: as `lines`, and ``OutputClosed`` if the terminal is gone.
  func show(store: any ItemStore, time: any TimeSource, lines: () throws -> [String]) throws {
    var picture = try Picture(lines())
    try Console.write("\u{1b}[?1049h\u{1b}[?25l" + picture.text)
    defer { try? Console.write("\u{1b}[?25h\u{1b}[?1049l") }
    var paths = store.paths
    var shown = State(paths, time)
    while true {
      switch nextSignal() {
      case SIGWINCH, nil: break
      default: return
      }
      let state = State(paths, time)
      guard state != shown || Picture.size() != picture.size else { continue }
      shown = state
      let next = try Picture(lines())
      if next != picture { try Console.write(next.text) }
      picture = next
      paths = store.paths
    }
  }

  /// The next signal within a second; `nil` without one.
  private func nextSignal() -> Int32? {
    var signals = signals
    var second = timespec(tv_sec: 1, tv_nsec: 0)
    let signal = sigtimedwait(&signals, nil, &second)
    return signal > 0 ? signal : nil
  }

}

/// The state on which a picture depends, which is read each second with a few system calls.
private struct State: Equatable {
  private let stamps: [Int]
  private let minute: Int

  init(_ paths: [String], _ time: any TimeSource) {
    minute = Int((time.now.timeIntervalSince1970 / 60).rounded(.down))
    stamps = paths.flatMap { path in
      var status = stat()
      guard stat(path, &status) == 0 else { return [0] }
      return [Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    }
  }
}

extension ItemStore {
  // SQLite writes to the -wal file first.
  fileprivate var paths: [String] {
    let file = watchedFile ?? location
    return [file, file + "-wal"] + watchedFolders
  }
}

private struct Picture: Equatable {
  struct Size: Equatable {
    let rows: Int
    let columns: Int
  }

  let lines: [String]
  let size: Size

  init(_ lines: [String]) {
    let size = Self.size()
    let room = max(1, size.rows - 1)
    let more = lines.count - room
    self.lines = more > 0 ? lines.prefix(room - 1) + ["… and \(more + 1) more"] : lines
    self.size = size
  }

  /// Drawn over the previous picture line by line, which avoids flicker.
  var text: String {
    "\u{1b}[H" + lines.map { "\($0)\u{1b}[K" }.joined(separator: "\n") + "\u{1b}[J"
  }

  static func size() -> Size {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else {
      return Size(rows: 24, columns: 80)
    }
    return Size(rows: Int(size.ws_row), columns: Int(size.ws_col))
  }
}
