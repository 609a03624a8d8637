import FoundationEssentials
import Glibc
import MessageText

/// The desktop's browser.
struct Browser: Sendable {
  private let program: String
  private let page: String

  /// The browser of the desktop that the environment names; `nil` if there is none.
  init?(_ environment: [String: String]) {
    guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { environment[$0]?.isEmpty == false }),
      let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/"),
      let program = Self.program(environment["PATH"] ?? "")
    else { return nil }
    self.program = program
    page = "\(folder)/belfry-sign-in.html"
  }

  private static func program(_ path: String) -> String? {
    let candidates = path.split(separator: ":").map { folder in "\(folder)/xdg-open" }
    return candidates.first { access($0, X_OK) == 0 }
  }

  /// Opens a URL; true if the browser's command succeeded.
  ///
  /// The URL is written into a page that only its user can read, since other users of the machine see the arguments of
  /// every command.
  func open(_ url: String) -> Bool {
    let url = url.escapedForHTML()
    let text = """
      <!doctype html>
      <meta charset="utf-8">
      <title>Belfry</title>
      <meta http-equiv="refresh" content="0; url=\(url)">
      <p><a href="\(url)">Sign in</a></p>

      """
    return write(text) && run()
  }

  private func write(_ text: String) -> Bool {
    unlink(page)
    let descriptor = Glibc.open(page, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    return Glibc.write(descriptor, bytes, bytes.count) == bytes.count
  }

  private func run() -> Bool {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A browser that inherits blocked signals cannot be ended by them.
    var none = sigset_t()
    sigemptyset(&none)
    var pipe = sigset_t()
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &pipe)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let words = [program, page]
    var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { pointers.forEach { free($0) } }
    var process: pid_t = 0
    guard posix_spawn(&process, program, nil, &attributes, &pointers, environ) == 0 else { return false }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status == 0
  }
}
