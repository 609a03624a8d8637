import CLinuxEvents
import Glibc
import SystemThreads

/// Opens a page in the user's browser by xdg-open, for desktops without a portal.
enum PageOpener {
  private static let program = "xdg-open"

  /// Starts the program and does not wait for it.
  ///
  /// - Returns: the reason why it could not be started; `nil` on success.
  static func open(_ url: String) -> String? {
    var child: Int32 = 0
    let code = belfry_program_start(program, url, &child)
    guard code == 0 else { return "\(program) cannot be started (\(String(cString: strerror(code))))" }
    let started = child
    // It may run as long as the browser. Without a thread to wait for it, it stays a zombie until this process ends.
    _ = SystemThread.start {
      var status: Int32 = 0
      while waitpid(started, &status, 0) == -1, errno == EINTR {}
    }
    return nil
  }
}
