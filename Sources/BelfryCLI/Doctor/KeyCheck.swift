import AnswerTokens
import BelfryModel

/// The check of `belfry doctor` for the keys that sign links and buttons.
enum KeyCheck {
  /// The finding about the key file; `nil` where there is none, as before the first link.
  static func finding(_ path: String?) -> Finding? {
    guard let path else { return nil }
    do throws(BelfryError) {
      return try KeyRingFile(path: path).read().map {
        .ok("keys", "\(path), \($0.count == 1 ? "1 key" : "\($0.count) keys")")
      }
    } catch {
      return .fail("keys", error)
    }
  }
}
