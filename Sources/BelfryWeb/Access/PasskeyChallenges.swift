import Digests
import FoundationEssentials
import HTTPTypes
import WebAccess

/// The challenges that authenticators sign. Each is valid once, for five minutes, and only for the browser that asked.
///
/// Unused challenges are not stored: a challenge contains its end, and a code that every server of the store can
/// verify. So no client can fill the memory, or displace the challenges of others, by requesting many.
struct PasskeyChallenges: Sendable {
  /// The thing that a challenge is for.
  enum Purpose: String {
    case adding, signingIn
  }

  private static let time = 300.0
  private static let nonceLength = 16
  private static let length = nonceLength + 8 + 32

  private let key: [UInt8]

  /// Challenges that are recognised by a key of the store.
  init(sealingKey: [UInt8]) { key = HKDFSHA256.key(from: sealingKey, info: "belfry passkey challenges") }

  /// Makes a challenge.
  ///
  /// - Parameter holder: the session or the cookie of the browser.
  func make(for purpose: Purpose, of holder: String, at now: Date) -> String {
    let end = (now.timeIntervalSince1970 + Self.time).bitPattern
    let open = Self.random(Self.nonceLength) + (0..<8).map { UInt8(truncatingIfNeeded: end >> (56 - 8 * $0)) }
    return Base64URL.encode(open + code(of: open, purpose, holder))
  }

  /// True if a challenge was made for this purpose and holder and has not expired; it may have been used.
  func isGood(_ challenge: String, for purpose: Purpose, of holder: String, at now: Date) -> Bool {
    guard let (open, code, end) = Self.parts(challenge) else { return false }
    guard isEqualInConstantTime(code, self.code(of: open, purpose, holder)) else { return false }
    return now.timeIntervalSince1970 < end
  }

  /// Uses up a good challenge; false if another request has already used it.
  static func use(_ challenge: String, _ visitors: Visitors) async throws -> Bool {
    guard let (_, _, end) = parts(challenge) else { return false }
    let now = visitors.time.now
    return try await visitors.useAccess { access in
      // The table has whole seconds.
      try access.spend("challenge \(challenge)", until: Date(timeIntervalSince1970: end.rounded(.up)), at: now)
    }
  }

  private func code(of open: [UInt8], _ purpose: Purpose, _ holder: String) -> [UInt8] {
    var code = HMACSHA256(key: key)
    code.update(open)
    code.update(Array("\(purpose.rawValue) \(holder)".utf8))
    return code.finish()
  }

  private static func parts(_ challenge: String) -> (open: [UInt8], code: [UInt8], end: Double)? {
    guard let bytes = Base64URL.decode(challenge, count: length) else { return nil }
    let open = Array(bytes[..<(nonceLength + 8)])
    let end = Double(bitPattern: open[nonceLength...].reduce(0) { $0 << 8 | UInt64($1) })
    return (open, Array(bytes[(nonceLength + 8)...]), end)
  }

  static func random(_ count: Int) -> [UInt8] {
    var source = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &source) }
  }
}

/// The name under which browsers keep passkeys for this server (the relying party of Web Authentication).
struct PasskeySite: Sendable {
  /// The host in the request.
  let id: String

  /// The name for a request; `nil` if browsers permit no passkeys, that is, for IP addresses, and without https except
  /// on `localhost`.
  init?(_ head: HTTPRequest, _ visitors: Visitors) {
    let name = HostRule.name(of: head.authority?.lowercased() ?? "")
    guard name == "localhost" || visitors.isSecure(head) else { return nil }
    id = name
  }
}
