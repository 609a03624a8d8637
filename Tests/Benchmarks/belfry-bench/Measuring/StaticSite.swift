import Foundation

/// An nginx that serves the files of a folder, and those with the ending `.gz` as their compressed form.
final class StaticSite {
  /// The name in the table.
  static let name = "nginx, static"
  private let server: PeerServer

  var port: Int { server.port }

  /// Starts nginx and waits until it listens.
  init(_ bench: BenchRun, root: String) throws {
    server = try .nginx(
      bench, http: "sendfile on; gzip_static on; types { text/css css; text/javascript js; } default_type text/html;"
    ) { _ in "root \(root);" }
    bench.introduce(
      PeerDescription(
        Self.name, version: try Surroundings.packageVersion("nginx"),
        "the same bytes from files, compressed before; keep-alive, one worker"))
  }
}
