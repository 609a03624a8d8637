import Foundation
import Testing

extension Sandbox {
  /// Starts a web face over a config, to which the links of messages lead.
  ///
  /// - Parameter publicURL: the beginning of links, where it is not the web face's own.
  func linkedWebFace(
    _ config: String, publicURL: (RunningWebFace) throws -> String = { $0.url }
  ) async throws -> RunningWebFace {
    try write(config + "\nweb: { listen: 127.0.0.1:0 }\n", to: "belfry.yaml")
    let face = try await webFace()
    let web = "{ listen: 127.0.0.1:0, public_url: \"\(try publicURL(face))\", trusted_proxies: [127.0.0.1] }"
    try write(config + "\nweb: \(web)\n", to: "belfry.yaml")
    face.process.send(SIGHUP)
    try await face.waitForLog("the config was reloaded\n")
    return face
  }

  /// Runs a script of the fixtures, and returns the JSON values that it prints, one on each line.
  func fixture(_ name: String, _ arguments: [String], by python: String = Programs.python) async throws -> [JSON] {
    let outcome = try await run([python, "-B", Programs.fixture(name)] + arguments, RunOptions())
    try #require(outcome.isDone, "\(outcome)")
    return try outcome.output.split(separator: "\n").map { try JSON(String($0)) }
  }
}
