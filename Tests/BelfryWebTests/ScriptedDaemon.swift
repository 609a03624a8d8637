import BelfryEngine
import BelfryRuntime
import BelfryTestKit
import Foundation
import MemoryStore

@testable import BelfryWeb

/// A script in place of belfryd, and a config with two sinks, one of them switched off.
struct ScriptedDaemon {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(in: TemporaryFolder.inMemory) }

  var config: String { folder.file("belfry.yaml") }

  /// A server that runs the script.
  ///
  /// - Parameter more: more of the config.
  func api(_ script: String, config more: String = "", store: any ItemStore = MemoryStore()) throws -> APIServer {
    let program = folder.file("belfryd")
    let text = """
      store: {type: sqlite, path: \(folder.file("store"))}
      sinks:
        screen: {type: stdout}
        idle: {type: stdout, enabled: false}
      \(more)
      """
    try text.write(toFile: config, atomically: true, encoding: .utf8)
    try "#!/bin/sh\n\(script)\n".write(toFile: program, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
    let assembly = try Assembly(.file(config), time: ManualTimeSource())
    var setup = WebSetup(assembly)
    setup.daemon = program
    return try APIServer(try Server(store: store, belfry: assembly.configuration.settings, setup: setup))
  }
}
