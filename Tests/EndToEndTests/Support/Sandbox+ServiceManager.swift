import Foundation

extension Sandbox {
  /// Installs a stand-in for systemd that records its commands and reports that the service runs.
  func putServiceManager(failing verb: String = "", running process: Int32 = 77) async throws -> RunOptions {
    try FileManager.default.createDirectory(atPath: path("home/runtime/systemd"), withIntermediateDirectories: true)
    try write("", to: "home/runtime/systemd/private")
    try await install(
      """
      #!/bin/sh
      echo "systemctl $*" >>'\(path("asked"))'
      case "$2" in
      show) echo LoadState=loaded; echo UnitFileState=enabled; echo ActiveState=active; echo SubState=running
        echo MainPID=\(process); echo 'StatusText=3 scheduled' ;;
      '\(verb)') echo 'Job for belfry.service failed.' >&2; exit 1 ;;
      esac

      """, as: "bin/systemctl")
    try await install("#!/bin/sh\necho \"journalctl $*\"\n", as: "bin/journalctl")
    var options = RunOptions()
    options.environment["PATH"] = "\(path("bin")):\(Sandbox.searchPath)"
    return options
  }
}
