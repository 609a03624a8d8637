import BelfryEngine
import BelfryModel
import ConfigSamples
import FoundationEssentials

/// The unit that `belfry service install` makes of one in Config/systemd/user, with a digest by which a later edit is
/// detected.
struct UserUnit {
  private static let mark = "# Made by 'belfry service install', "

  let name: String
  /// The file's text, the line with the digest first.
  let text: String

  static func daemon(program: String, _ start: Start) -> UserUnit {
    UserUnit(name: UserManager.daemon, ConfigSamples.daemonUnit, "ExecStart=@bindir@/belfryd", start.lines(program))
  }

  static func web(program: String, _ start: Start) -> UserUnit {
    UserUnit(name: UserManager.web, ConfigSamples.webUnit, "ExecStart=@bindir@/belfry-web", start.lines(program))
  }

  /// The socket that starts the web face.
  ///
  /// - Throws: ``BelfryError`` `.badConfig` for an address that differs at each start.
  static func webSocket(_ settings: WebSettings) throws -> UserUnit {
    let address: String
    switch settings.listen {
    case .tcp(_, 0):
      throw BelfryError(
        .badConfig, "web.listen is \(settings.listen), which means any free port",
        hint: "name the port on which systemd listens")
    case .tcp: address = "\(settings.listen)"
    case .unix(let path): address = path.replacing(scalar: "%", with: "%%")
    }
    let mode = String(settings.socketMode.number, radix: 8)
    return UserUnit(
      name: UserManager.webSocket, ConfigSamples.webSocketUnit, "ListenStream=127.0.0.1:8787\nSocketMode=0600",
      "ListenStream=\(address)\nSocketMode=0\(mode)")
  }

  private init(name: String, _ template: String, _ lines: String, _ replacement: String) {
    self.name = name
    let body = template.replacing(lines, with: replacement)
    text = "\(Self.mark)\(Self.digest(body))\n\(body)"
  }

  /// True if a file was written by this command and not edited since.
  static func isUntouched(_ text: String) -> Bool {
    guard text.hasPrefix(mark), let end = text.firstIndex(of: "\n") else { return false }
    return text[..<end].dropFirst(mark.count) == digest(String(text[text.index(after: end)...]))
  }

  private static func digest(_ body: String) -> String { UUID(namespace: .belfry, name: body).text }

  /// A program's arguments, and settings that a service does not inherit from the shell.
  struct Start {
    var arguments: [String]
    var variables: [(name: String, value: String)]

    /// The lines of a unit that start a program with these arguments and settings.
    func lines(_ program: String) -> String {
      let words = [Self.quoted(program, isProgram: true)] + arguments.map { Self.quoted($0) }
      let settings = variables.map { "Environment=" + Self.quoted("\($0.name)=\($0.value)") }
      return (["ExecStart=" + words.joined(separator: " ")] + settings).joined(separator: "\n")
    }

    // By systemd.syntax(7) and systemd.service(5), % and, except in the program's path, $ must be doubled.
    private static func quoted(_ word: String, isProgram: Bool = false) -> String {
      let isPlain =
        !word.isEmpty
        && word.utf8.allSatisfy {
          (0x30...0x39).contains($0) || (0x61...0x7a).contains($0 | 0x20) || "/._-+=:".utf8.contains($0) || $0 >= 0x80
        }
      if isPlain { return word }
      let escaped = word.replacing(scalar: "\\", with: "\\\\").replacing(scalar: "\"", with: "\\\"")
        .replacing(scalar: "%", with: "%%")
      return "\"\(isProgram ? escaped : escaped.replacing(scalar: "$", with: "$$"))\""
    }
  }
}
