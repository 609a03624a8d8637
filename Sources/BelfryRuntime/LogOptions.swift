/// The format of a program's log.
package enum LogFormat: String, CaseIterable, Sendable {
  /// For people: `belfryd: error: the message`, without a time, which systemd and terminals add.
  case text
  /// For programs: an object with `time`, `level` and `message`.
  case json
}
