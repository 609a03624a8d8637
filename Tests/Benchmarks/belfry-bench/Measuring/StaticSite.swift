import Foundation

/// An nginx that serves the files of a folder, and those with the ending `.gz` as their compressed form.
final class StaticSite {
  /// The name in the table.
  static let name = "nginx, static"
  /// The port.
  let port: Int
  private let process: RunningProcess

  /// Starts nginx and waits until it listens.
  init(_ bench: Bench, root: String) throws {
    let program = try Surroundings.program("nginx", package: "nginx-light")
    port = try Port.free()
    let folder = try bench.scratch.folder("static-\(port)")
    let config = """
      \(getuid() == 0 ? "user root;" : "")
      daemon off; master_process off; pid \(folder)/pid; error_log stderr;
      events { worker_connections 1024; }
      http {
        access_log off; keepalive_requests 1000000; sendfile on; gzip_static on;
        types { text/css css; text/javascript js; } default_type text/html;
        client_body_temp_path \(folder)/body; proxy_temp_path \(folder)/proxy; fastcgi_temp_path \(folder)/fastcgi;
        uwsgi_temp_path \(folder)/uwsgi; scgi_temp_path \(folder)/scgi;
        server { listen 127.0.0.1:\(port); root \(root); }
      }

      """
    try config.write(toFile: "\(folder)/nginx.conf", atomically: false, encoding: .utf8)
    let command = Command(
      program: program, arguments: ["-p", folder, "-c", "\(folder)/nginx.conf", "-e", "stderr"],
      environment: Surroundings.variables(home: folder))
    process = try RunningProcess(command, log: "\(folder)/log", scratch: bench.scratch)
    try process.waitUntilListening(on: port)
    bench.introduce(
      PeerDescription(
        Self.name, version: try Surroundings.packageVersion("nginx"),
        "the same bytes from files, compressed before; keep-alive, one worker"))
  }
}
