import AnswerTokens
import ArgumentParser
import BelfryModel
import CivilTime
import OrderedJSON

struct Keys: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "keys", abstract: "Manage the keys that sign links and buttons.",
    discussion: """
      belfry keys rotate
      """,
    subcommands: [Rotate.self])

  struct Rotate: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rotate", abstract: "Add a new signing key.",
      discussion: """
        belfry keys rotate

        Links and buttons that were already sent keep working: earlier keys verify them until the last has expired.
        The key file is answers.key_file in the config.
        """)

    @OptionGroup var options: DataOptions

    func run() throws {
      let session = try Session(options)
      let retries = session.assembly.configuration.sinks.map(\.retryMaxAge)
      let ring = try session.keyRingFile().rotate(
        at: session.belfry.time.now, validFor: session.settings.answers.validFor, retryMaxAge: retries.max() ?? 0)
      if options.json { return try session.console.print(.array(ring.keys.map(json))) }
      session.console.report(
        "Key \(ring.signingKey) signs from now on; "
          + (ring.count == 2 ? "1 older key verifies." : "\(ring.count - 1) older keys verify."))
    }

    private func json(_ key: KeyRing.Key) -> JSONValue {
      [
        "number": .integer(Int64(key.number)),
        "made_at": .string(Zone.utc.rfc3339(key.madeAt)),
        "expires_at": key.expiresAt.map { .string(Zone.utc.rfc3339($0)) } ?? .null,
      ]
    }
  }
}

extension Session {
  /// The file of the keys that sign links and buttons.
  ///
  /// - Throws: ``BelfryError`` `.badConfig` if its place is unknown.
  func keyRingFile() throws(BelfryError) -> KeyRingFile {
    guard let path = assembly.configuration.answerKeyFile else {
      throw BelfryError(
        .badConfig, "the home folder is unknown", hint: "set HOME, or name answers.key_file in the config")
    }
    return KeyRingFile(path: path)
  }
}
