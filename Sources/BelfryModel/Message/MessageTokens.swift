/// The values that the tokens of a message are made with, fixed at the claim so that each attempt carries the same.
public struct MessageTokens: Hashable, Sendable {
  /// The number of the key that signs them, from 0 to 31.
  public let key: UInt8
  /// The hour from which on they are worth nothing, counted from 2020-01-01T00:00Z, 24 bits.
  public let expiry: UInt32

  /// The values for one message.
  public init(key: UInt8, expiry: UInt32) { (self.key, self.expiry) = (key, expiry) }
}
