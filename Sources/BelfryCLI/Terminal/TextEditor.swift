import BelfryModel
import FoundationEssentials
import Glibc

struct TextEditor {
  /// A shell command line, to which the file's name is appended.
  let command: String

  /// The editor of `$VISUAL` or `$EDITOR`; `nil` if neither is set.
  init?(environment: [String: String]) {
    let named = ["VISUAL", "EDITOR"].compactMap { environment[$0] }
    guard let command = named.first(where: { !$0.allSatisfy(\.isWhitespace) }) else { return nil }
    self.command = command
  }

  /// Runs the editor on a file and waits for its end.
  ///
  /// - Throws: ``BelfryError`` `.notFound` if there is no such editor, `.tryAgain` if it failed.
  func edit(_ path: String) throws {
    // Ctrl-C in the editor must not end this program.
    let interrupt = signal(SIGINT, SIG_IGN)
    let quit = signal(SIGQUIT, SIG_IGN)
    defer {
      signal(SIGINT, interrupt)
      signal(SIGQUIT, quit)
    }
    let status = try wait(for: spawn(path))
    switch status {
    case 0: return
    case 126, 127: throw BelfryError(.notFound, "the editor '\(command)' cannot be started", hint: "set $EDITOR")
    default: throw BelfryError(.tryAgain, "the editor '\(command)' failed: nothing was changed")
    }
  }

  private func spawn(_ path: String) throws -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGQUIT, SIGPIPE] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let line = ["sh", "-c", "\(command) \"$1\"", "sh", path]
    var words: [UnsafeMutablePointer<CChar>?] = line.map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, "/bin/sh", nil, &attributes, &words, environ)
    guard code == 0 else {
      throw BelfryError(.notFound, "/bin/sh cannot be started: \(String(cString: strerror(code)))")
    }
    return child
  }

  /// The exit status; 128 and more if a signal killed the editor.
  private func wait(for child: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }
}

extension String {
  /// The lines of a text, ended by LF or CR LF; split by bytes, since CR LF is one Character, unequal to `\n`.
  var linesOfAnyEnd: [Substring] {
    utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
      Substring(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
    }
  }
}
