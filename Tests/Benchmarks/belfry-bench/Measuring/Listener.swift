import Foundation

/// A socket that listens on a free port of this machine.
final class Listener {
  let descriptor: Int32
  let port: Int

  init() throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw BenchmarkError.system("cannot make a socket", errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    port = try Port.bind(descriptor)
    guard listen(descriptor, 16) == 0 else { throw BenchmarkError.system("cannot listen", errno) }
  }

  deinit { close(descriptor) }
}
