import Foundation

@testable import AnswerTokens

extension KeyRing {
  /// A ring of these keys, the last of which signs; key `n` is 32 times `n + 1`.
  static func sample(_ numbers: UInt8...) -> KeyRing {
    let keys = numbers.map { number in
      Key(
        number: number, madeAt: .sample, expiresAt: number == numbers.last ? nil : .sample.addingTimeInterval(3_600),
        secret: [UInt8](repeating: number + 1, count: 32))
    }
    return KeyRing(older: keys.dropLast(), newest: keys[keys.count - 1])
  }
}

extension Date {
  /// 2026-11-21T08:00:00Z.
  static let sample = Date(timeIntervalSince1970: 1_795_248_000)
}

extension AnswerToken {
  /// The second action on a reminder, for person 3, valid for a week.
  static let sample = AnswerToken(
    reminder: UUID(uuid: (0, 17, 34, 51, 68, 85, 102, 119, 136, 153, 170, 187, 204, 221, 238, 255)), action: 2,
    person: 3, expiry: TokenExpiry(claim: .sample, validFor: 7 * 86_400, retryMaxAge: 86_400))
}
