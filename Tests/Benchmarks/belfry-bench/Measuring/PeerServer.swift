import Foundation

/// A server of another project, with a folder of its own and a config for this run.
struct PeerServer {
  /// The port on which it listens.
  let port: Int
  let folder: String
  let process: RunningProcess

  /// Starts it and waits until it listens.
  ///
  /// - Parameters:
  ///   - package: the Debian package that has the program.
  ///   - config: the text of its config file, for a port and a folder.
  ///   - arguments: those of the program, for a port, a folder and the path of the config file.
  init(
    _ name: String, package: String, _ bench: BenchRun, config: (_ port: Int, _ folder: String) -> String,
    arguments: (_ port: Int, _ folder: String, _ config: String) -> [String]
  ) throws {
    let program = try Surroundings.program(name, package: package)
    port = try Port.free()
    folder = try bench.scratch.folder("\(name)-\(port)")
    let file = "\(folder)/config.yml"
    try config(port, folder).write(toFile: file, atomically: false, encoding: .utf8)
    let command = Command(
      program: program, arguments: arguments(port, folder, file), environment: Surroundings.variables(home: folder))
    process = try RunningProcess(command, log: "\(folder)/log", scratch: bench.scratch)
    try process.waitUntilListening(on: port)
  }

  /// Starts an nginx with one worker.
  ///
  /// - Parameters:
  ///   - http: further lines of its section `http`.
  ///   - server: the lines of its one server besides `listen`.
  static func nginx(
    _ bench: BenchRun, http: String = "", server: (_ folder: String) -> String
  ) throws -> PeerServer {
    try PeerServer("nginx", package: "nginx-light", bench) { port, folder in
      """
      \(getuid() == 0 ? "user root;" : "")
      daemon off; master_process off; pid \(folder)/pid; error_log stderr;
      events { worker_connections 1024; }
      http {
        access_log off; keepalive_requests 1000000; \(http)
        client_body_temp_path \(folder)/body; proxy_temp_path \(folder)/proxy; fastcgi_temp_path \(folder)/fastcgi;
        uwsgi_temp_path \(folder)/uwsgi; scgi_temp_path \(folder)/scgi;
        server { listen 127.0.0.1:\(port); \(server(folder)) }
      }

      """
    } arguments: { _, folder, config in
      ["-p", folder, "-c", config, "-e", "stderr"]
    }
  }
}
