import AnswerTokens
import BelfryEngine
import BelfryModel
import BelfryRuntime

/// The check of `belfry doctor` for the keys that sign links and buttons.
enum KeyCheck {
  /// The finding about the key file; `nil` if it does not exist and no link needs it yet.
  static func finding(_ assembly: Assembly) -> Finding? {
    let configuration = assembly.configuration
    guard let path = configuration.answerKeyFile else { return nil }
    let file = KeyRingFile(path: path)
    do throws(BelfryError) {
      if let ring = try file.read() {
        return .ok("keys", "\(path), \(ring)")
      }
    } catch {
      return .fail("keys", error)
    }
    // A store that cannot be read has a separate finding.
    let areUsed = configuration.hasLinks || assembly.sinks.contains { $0.sink.replySource?.hasTokens == true }
    let isMissed = areUsed && (try? assembly.belfry.store.read { try $0.hasMessageWithTokens() }) == true
    return isMissed ? .fail("keys", file.lost) : nil
  }
}
