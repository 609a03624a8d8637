import FoundationEssentials

/// The whole hour at which a token expires, 24 bits: from 2020-01-01T00:00Z to the year 3933.
package struct TokenExpiry: Hashable, Sendable {
  /// Hours since 2020-01-01T00:00Z.
  package let hours: UInt32

  private static let epoch = 1_577_836_800.0
  private static let day = 86_400.0
  private static let maximum: UInt32 = 0xff_ffff

  /// The expiry at an hour that is stored in a message.
  package init(hours: UInt32) { self.hours = min(hours, Self.maximum) }

  /// The expiry of the tokens of a message, rounded up and clamped to 24 bits.
  ///
  /// - Parameters:
  ///   - claim: the time at which the message was claimed.
  ///   - validFor: the time for which a link must work, in seconds.
  ///   - retryMaxAge: the longest time for which its delivery is tried, in seconds; a day more is left to answer the
  ///     last attempt.
  package init(claim: Date, validFor: Int, retryMaxAge: Int) {
    let validity = max(Double(validFor), Double(retryMaxAge) + Self.day)
    let hours = ((claim.timeIntervalSince1970 - Self.epoch + validity) / 3_600).rounded(.up)
    if hours > 0 {
      self.init(hours: hours < Double(Self.maximum) ? UInt32(hours) : Self.maximum)
    } else {
      self.init(hours: 0)
    }
  }

  /// The instant of the expiry.
  package var date: Date { Date(timeIntervalSince1970: Self.epoch + Double(hours) * 3_600) }
}
