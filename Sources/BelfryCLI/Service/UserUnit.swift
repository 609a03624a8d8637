import BelfryEngine
import FoundationEssentials

/// The unit that `belfry service install` writes, with a digest by which a later edit is detected.
struct UserUnit {
  private static let mark = "# Made by 'belfry service install', "

  /// The file's text, the line with the digest first.
  let text: String

  /// The unit for a program, with settings that the service does not inherit from the shell.
  ///
  /// - Parameters:
  ///   - arguments: the program's arguments.
  ///   - variables: the environment variables that it needs.
  init(program: String, arguments: [String], variables: [(name: String, value: String)]) {
    let words = [Self.quoted(program, isProgram: true)] + arguments.map { Self.quoted($0) }
    var start = "ExecStart=" + words.joined(separator: " ")
    for variable in variables { start += "\nEnvironment=" + Self.quoted("\(variable.name)=\(variable.value)") }
    let body = Self.template.replacing("ExecStart=@bindir@/belfryd", with: start)
    text = "\(Self.mark)\(Self.digest(body))\n\(body)"
  }

  /// Whether a file was written by this command and not edited since.
  static func isUntouched(_ text: String) -> Bool {
    guard text.hasPrefix(mark), let end = text.firstIndex(of: "\n") else { return false }
    return text[..<end].dropFirst(mark.count) == digest(String(text[text.index(after: end)...]))
  }

  private static func digest(_ body: String) -> String { UUID(namespace: .belfry, name: body).text }

  // By systemd.syntax(7) and systemd.service(5), % and, except in the program's path, $ have to be doubled.
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

  /// Config/systemd/user/belfry.service; a test compares them.
  static let template = """
    # Belfry for one user. 'belfry service install' writes it to ~/.config/systemd/user and starts it.
    # Change it with 'systemctl --user edit belfry', which does not touch this file.
    [Unit]
    Description=Belfry rings reminders
    Documentation=man:belfryd(1) man:belfry.yaml(5)

    [Service]
    Type=notify
    ExecStart=@bindir@/belfryd
    ExecReload=/bin/sh -c "kill -HUP $MAINPID"

    # Wrong usage or an invalid config does not improve with a restart; a missing store may appear.
    Restart=on-failure
    RestartSec=10s
    RestartPreventExitStatus=64 78
    TimeoutStartSec=5min
    TimeoutStopSec=20s
    # The scheduler's loop is the watchdog: when it hangs, the daemon is restarted, and nothing is lost.
    WatchdogSec=3min

    # The sandboxing of systemd that needs no privileges.
    UMask=0077
    NoNewPrivileges=yes
    LockPersonality=yes
    MemoryDenyWriteExecute=yes
    RestrictRealtime=yes
    RestrictSUIDSGID=yes
    RestrictNamespaces=yes
    RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
    SystemCallArchitectures=native
    SystemCallFilter=@system-service
    SystemCallFilter=~@privileged
    SystemCallErrorNumber=EPERM

    [Install]
    WantedBy=default.target

    """
}
