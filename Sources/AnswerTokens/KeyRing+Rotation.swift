import BelfryModel
import CivilTime
import FoundationEssentials

extension KeyRing {
  /// A ring with one new key.
  static func made(at now: Date) -> KeyRing { KeyRing(older: [], newest: .made(number: 0, at: now)) }

  /// The ring with a new key that signs from now on, and without the oldest ones whose tokens have all expired.
  ///
  /// - Parameters:
  ///   - now: the present time; if the newest key was made later, its time counts.
  ///   - validFor: the time for which a link must work, in seconds.
  ///   - retryMaxAge: the time for which the most patient sink tries, in seconds.
  /// - Throws: ``BelfryError`` `.tryAgain` if 32 keys are still needed.
  func rotated(at now: Date, validFor: Int, retryMaxAge: Int) throws(BelfryError) -> KeyRing {
    let now = max(now, newest.madeAt)
    let kept = older.drop { $0.expiresAt.map { $0 <= now } ?? false }
    if kept.count + 1 >= Self.maximumKeys, let date = kept.first?.expiresAt {
      throw BelfryError(
        .tryAgain, "no key can be added: there are \(Self.maximumKeys), and tokens of each are still valid",
        hint: "rotate again from \(Zone.utc.rfc3339(date)) on, when the oldest key can be removed")
    }
    let expiry = TokenExpiry(claim: now, validFor: validFor, retryMaxAge: retryMaxAge).date
    let retired = Key(number: newest.number, madeAt: newest.madeAt, expiresAt: expiry, secret: newest.secret)
    let used = Set(kept.map(\.number) + [retired.number])
    // Numbers are used in turn, so that each is used again as late as possible.
    let following = Key.numbers.map { (retired.number &+ 1 &+ $0) % UInt8(Key.numbers.count) }
    let number = following.first { !used.contains($0) } ?? 0
    return KeyRing(older: kept + [retired], newest: .made(number: number, at: now))
  }
}

extension KeyRing.Key {
  fileprivate static func made(number: UInt8, at now: Date) -> Self {
    var source = SystemRandomNumberGenerator()
    let secret = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &source) }
    return Self(number: number, madeAt: now, expiresAt: nil, secret: secret)
  }
}
