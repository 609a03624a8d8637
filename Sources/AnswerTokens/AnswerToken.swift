import BelfryModel
import FoundationEssentials

/// The content of a token: one action on one reminder.
///
/// As bytes, big-endian: version 1 (3 bits) and key number (5 bits), reminder (16 bytes), action (2), person (2), expiry
/// in hours since 2020-01-01T00:00Z (3), and the first 16 bytes of HMAC-SHA256 over these 24.
package struct AnswerToken: Hashable, Sendable {
  /// The reminder that is answered.
  package let reminder: UUID
  /// The place among the actions frozen with the message, from 1; 0 only shows the reminder.
  package let action: UInt16
  /// The number of the person that the message went to; 0 if it belongs to no one person.
  package let person: UInt16
  /// The end of its validity.
  package let expiry: TokenExpiry

  package init(reminder: UUID, action: UInt16, person: UInt16, expiry: TokenExpiry) {
    self.reminder = reminder
    self.action = action
    self.person = person
    self.expiry = expiry
  }
}

extension AnswerToken {
  /// The token of another action of the same message, to the same person.
  package func of(action: UInt16) -> AnswerToken {
    AnswerToken(reminder: reminder, action: action, person: person, expiry: expiry)
  }

  /// The identity of its presses within their channel. It is no secret, since the token cannot be derived from it.
  package var identity: String { "\(reminder.uuidString.lowercased()) \(action) \(person) \(expiry.hours)" }

  static let contentLength = 24
  static let codeLength = 16
  static let length = contentLength + codeLength
  private static let version: UInt8 = 1

  /// The bytes that are signed.
  func content(keyNumber: UInt8) -> [UInt8] {
    let hours = expiry.hours
    return [Self.version << 5 | keyNumber]
      + withUnsafeBytes(of: reminder.uuid) { Array($0) }
      + [UInt8(action >> 8), UInt8(truncatingIfNeeded: action)]
      + [UInt8(person >> 8), UInt8(truncatingIfNeeded: person)]
      + [16, 8, 0].map { UInt8(truncatingIfNeeded: hours >> $0) }
  }

  /// The key number that signed bytes name.
  static func keyNumber(_ content: ArraySlice<UInt8>) -> UInt8 { content.first.map { $0 & 0x1f } ?? 0 }

  /// The content of signed bytes; `nil` if they have another version.
  init?(content bytes: ArraySlice<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count == Self.contentLength, bytes[0] >> 5 == Self.version else { return nil }
    var uuid = UUID().uuid
    withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: bytes[1..<17]) }
    func number(_ range: Range<Int>) -> UInt32 { bytes[range].reduce(0) { $0 << 8 | UInt32($1) } }
    self.init(
      reminder: UUID(uuid: uuid), action: UInt16(truncatingIfNeeded: number(17..<19)),
      person: UInt16(truncatingIfNeeded: number(19..<21)), expiry: TokenExpiry(hours: number(21..<24)))
  }
}

/// The channel over which a token comes back: a token for one channel is invalid in another.
package struct TokenUse: Hashable, Sendable {
  /// The words from which its keys are derived.
  let words: String

  /// The tokens of a channel.
  package init(_ channel: Answer.Channel) { words = "belfry \(channel.name)" }

  /// Links, webhooks and `belfry answer`.
  package static let link = TokenUse(.link)
}
