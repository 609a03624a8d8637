import Foundation
import Synchronization

/// A temporary folder and its processes, both removed when the benchmark ends, also by Ctrl-C.
final class Scratch {
  private let contents: Contents
  private var signals: [any DispatchSourceSignal] = []

  var path: String { contents.path }

  /// Creates the folder in `$TMPDIR`, or in `/var/tmp`, which unlike `/tmp` is on a disk.
  init() throws {
    let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/var/tmp"
    var template = Array("\(parent)/belfry-bench.XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw BenchmarkError.system("cannot make a folder in \(parent)", errno)
    }
    contents = Contents(path: String(cString: made))
    removeOnSignals()
  }

  /// A folder inside, created where it does not exist.
  func folder(_ name: String) throws -> String {
    let folder = "\(path)/\(name)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }

  /// Makes sure that a process is ended.
  func adopt(_ process: pid_t) { contents.processes.withLock { _ = $0.insert(process) } }

  /// Forgets a process that has ended.
  func release(_ process: pid_t) { contents.processes.withLock { _ = $0.remove(process) } }

  /// Ends the processes and removes the folder.
  func remove() { contents.remove() }

  private func removeOnSignals() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [contents] in
        contents.remove()
        exit(128 + number)
      }
      source.resume()
      signals.append(source)
    }
  }
}

/// The folder and processes to remove, also from the threads that handle signals.
private final class Contents: Sendable {
  let path: String
  let processes = Mutex<Set<pid_t>>([])

  init(path: String) { self.path = path }

  func remove() {
    processes.withLock { for process in $0 { kill(process, SIGKILL) } }
    try? FileManager.default.removeItem(atPath: path)
  }
}
