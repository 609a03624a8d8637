import AnswerTokens
import BelfryEngine
import BelfryModel

/// The check of `belfry doctor` for the keys that sign links and buttons.
enum KeyCheck {
  /// The finding about the key file; `nil` where there is none and none is missed, as before the first link.
  static func finding(_ configuration: Configuration, _ store: any ItemStore) -> Finding? {
    guard let path = configuration.answerKeyFile else { return nil }
    let file = KeyRingFile(path: path)
    do throws(BelfryError) {
      if let ring = try file.read() {
        return .ok("keys", "\(path), \(ring.count == 1 ? "1 key" : "\(ring.count) keys")")
      }
    } catch {
      return .fail("keys", error)
    }
    // A store that cannot be read has a finding of its own.
    let isMissed = configuration.hasLinks && (try? store.read { try $0.hasMessageWithTokens() }) == true
    return isMissed ? .fail("keys", file.lost) : nil
  }
}
