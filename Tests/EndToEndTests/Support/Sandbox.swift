import Foundation
import Synchronization

/// A temporary home folder with its own config and store, and ways to run programs in it.
final class Sandbox: Sendable {
  static let zone = "Europe/Zurich"
  static let searchPath = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
  static let defaultConfig = """
    store: { type: sqlite, path: store.sqlite }
    sinks: { out: { type: stdout, format: json } }

    """

  let folder: String
  let environment: [String: String]
  /// The place of its test in the order in which programs get their turns.
  let ticket = Turns.ticket()
  private let children = Mutex<[ChildProcess]>([])

  init(config: String? = Sandbox.defaultConfig, zone: String = Sandbox.zone) throws {
    let base = FileManager.default.temporaryDirectory.path
    folder = "\(base)/belfry-e2e-\(UUID().uuidString.prefix(13).lowercased())"
    try FileManager.default.createDirectory(atPath: folder + "/home", withIntermediateDirectories: true)
    environment = [
      "HOME": folder + "/home",
      "XDG_CONFIG_HOME": folder + "/home/config",
      "XDG_DATA_HOME": folder + "/home/data",
      "XDG_STATE_HOME": folder + "/home/state",
      "XDG_RUNTIME_DIR": folder + "/home/runtime",
      "BELFRY_CONFIG": folder + "/belfry.yaml",
      "TZ": zone,
      "LANG": "C.UTF-8",
      "PATH": Self.searchPath,
    ]
    if let config { try write(config + "\n", to: "belfry.yaml") }
  }

  deinit {
    for child in children.withLock({ $0 }) { child.killGroup() }
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Makes sure that a process does not outlive the sandbox.
  func adopt(_ child: ChildProcess) {
    children.withLock { children in
      children.removeAll { !$0.isRunning }
      children.append(child)
    }
  }

  /// The path of a file in the sandbox.
  func path(_ name: String) -> String { name.hasPrefix("/") ? name : "\(folder)/\(name)" }

  var store: String { path("store.sqlite") }

  /// Writes the files in which a config keeps its secrets, beside it, each with a secret of its kind.
  func writeSecrets(of config: String, in folder: String = ".") throws {
    for found in config.matches(of: #/(url|topic|token|secret|password)_file: "?([\w.-]+)/#) {
      let secret =
        switch found.1 {
        case "url", "topic": "https://ntfy.example.org/a-topic-of-ours"
        case "token": "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1"
        case "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
        default: "a password"
        }
      try write(secret + "\n", to: "\(folder)/\(found.2)")
    }
  }

  /// The lines of the check of a config, without the warning about a folder of calendars that is not there yet.
  static func lines(ofCheck outcome: Outcome) -> [Substring] {
    outcome.messages.split(separator: "\n").filter { !$0.contains("does not exist: it is made at the first write") }
  }

  func write(_ text: String, to name: String) throws { try write(Data(text.utf8), to: name) }

  func write(_ data: Data, to name: String) throws { try data.write(to: URL(fileURLWithPath: path(name))) }

  /// The content of a file; empty for none.
  func data(_ name: String) -> Data { FileManager.default.contents(atPath: path(name)) ?? Data() }

  func text(_ name: String) -> String { String(decoding: data(name), as: UTF8.self) }

  /// The complete lines of a file.
  func lines(_ name: String) -> [String] {
    let parts = text(name).split(separator: "\n", omittingEmptySubsequences: false)
    return parts.dropLast().map(String.init)
  }

  /// The names of the files in a folder.
  func files(in name: String = ".") -> Set<String> {
    Set((try? FileManager.default.contentsOfDirectory(atPath: path(name))) ?? [])
  }
}

/// The result of a finished program.
struct Outcome: CustomStringConvertible {
  let words: String
  let end: ChildProcess.End
  let output: String
  let messages: String

  var status: Int32? { if case .exited(let status) = end { status } else { nil } }
  var isDone: Bool { end == .exited(0) }

  /// Standard output as one JSON document.
  var json: JSON { get throws { try JSON(output) } }

  /// Standard output as one JSON array.
  var elements: [JSON] {
    get throws {
      guard let elements = try json.elements else { throw NotJSON(text: "not an array: \(output.prefix(200))") }
      return elements
    }
  }

  var description: String { "\(words) → \(end); stdout: \(output.prefix(600)); stderr: \(messages.suffix(1_500))" }
}
