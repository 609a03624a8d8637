import BelfryTestKit
import Foundation

/// Debian's nginx with fixed answers: `/204`, `/200`, `/301`, `/410`, `/429`, `/503` and so on answer with that status.
///
/// 301 points to `/200`, 429 and 503 have `Retry-After: 7`, 200 has the body `ok`. Other paths can be passed on to a server
/// behind it.
package final class NginxServer: Sendable {
  package enum Encryption: Sendable {
    case none
    /// TLS with HTTP/2, with a certificate of this authority for `localhost`.
    case tls(TestAuthority)
    /// TLS, only for clients with a certificate of the same authority.
    case mutual(TestAuthority)
  }

  /// The URL without a path, such as `https://localhost:4433`.
  package let url: String
  private let process: ServerProcess

  /// Starts nginx and waits until it listens.
  ///
  /// - Parameters:
  ///   - encryption: the encryption of connections.
  ///   - identity: the certificate to use instead of one for `localhost`.
  ///   - backend: the URL of a server that it is the proxy of.
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  package init(
    _ encryption: Encryption = .none, showing identity: TestAuthority.Identity? = nil, passingTo backend: String? = nil
  ) throws {
    let tls = try Self.tls(encryption, identity)
    let port: Int
    (process, port) = try Self.start { port in
      let listen = "127.0.0.1:\(port)\(tls.isEmpty ? "" : " ssl http2")"
      return Self.site(listen: listen, tls, backend.map(Self.passing) ?? "")
    }
    url = tls.isEmpty ? "http://127.0.0.1:\(port)" : "https://localhost:\(port)"
  }

  /// Starts nginx with a site of somebody else.
  ///
  /// - Parameter site: its text, with the port on which it listens.
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  package init(of site: (_ port: Int) -> String) throws {
    let port: Int
    (process, port) = try Self.start(site)
    url = "https://localhost:\(port)"
  }

  private static func start(_ site: (Int) -> String) throws -> (ServerProcess, port: Int) {
    try ServerProcess.onFreePort { port in
      let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
      try Data(configuration(site(port)).utf8).write(to: URL(fileURLWithPath: folder.file("nginx.conf")))
      let process = try ServerProcess(
        "/usr/sbin/nginx", ["-p", folder.path, "-c", "nginx.conf", "-e", "stderr"], in: folder)
      try process.waitUntilListening(on: port)
      return (process, port)
    }
  }

  /// The requests so far, one on each line: status, method, path, protocol, connection number, whether it was reused.
  package var accessLog: [String] {
    process.text("access").split(separator: "\n").map(String.init)
  }

  package func stop() { process.stop() }

  private static func tls(_ encryption: Encryption, _ identity: TestAuthority.Identity?) throws -> String {
    switch encryption {
    case .none: return ""
    case .tls(let authority): return keys(try identity ?? authority.identity())
    case .mutual(let authority):
      return keys(try identity ?? authority.identity())
        + "ssl_client_certificate \(authority.certificate); ssl_verify_client on;"
    }
  }

  private static func keys(_ identity: TestAuthority.Identity) -> String {
    "ssl_certificate \(identity.certificate); ssl_certificate_key \(identity.key);\n"
  }

  private static func passing(to backend: String) -> String {
    "location / { proxy_pass \(backend); proxy_set_header Host $http_host; "
      + "proxy_set_header X-Forwarded-For $remote_addr; }"
  }

  private static func site(listen: String, _ tls: String, _ others: String) -> String {
    let statuses = [201, 202, 204, 400, 401, 403, 404, 408, 410, 413, 422, 425, 500, 502]
    let plain = statuses.map { "location = /\($0) { return \($0); }" }.joined(separator: "\n")
    return """
      server {
        listen \(listen);
        \(tls)
        \(plain)
        \(others)
        location = /200 { default_type text/plain; return 200 "ok"; }
        location = /301 { return 301 /200; }
        location = /429 { add_header Retry-After 7 always; return 429; }
        location = /503 { add_header Retry-After 7 always; return 503; }
      }
      """
  }

  private static func configuration(_ site: String) -> String {
    """
    \(getuid() == 0 ? "user root;" : "")
    daemon off; master_process off; pid nginx.pid; error_log stderr;
    events { worker_connections 256; }
    http {
      log_format short '$status $request_method $request_uri $server_protocol $connection $connection_requests';
      access_log access short;
      client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
      uwsgi_temp_path uwsgi; scgi_temp_path scgi;
      client_max_body_size 64m;
      \(site)
    }

    """
  }
}
