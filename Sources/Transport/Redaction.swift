import CivilTime
import ConfigKeys
import FoundationEssentials

/// Masks secrets in texts that people see: reasons, responses and traces.
///
/// A secret is found in plain form, percent-encoded as in URLs, and in base64 with any bytes around it in the encoded
/// text, as in the `\0user\0password` of PLAIN and the `user:password` of Basic.
public struct Redaction: Sendable {
  /// The longest reason that ``reason(_:)`` returns, in Unicode scalars.
  package static let longestReason = 300

  private struct Pattern {
    let bytes: [UInt8]
    let isBase64: Bool
  }

  private let patterns: [Pattern]
  /// The parts of secrets that are also masked alone, each as one number.
  private let parts: Set<UInt64>

  /// A redaction of these secrets.
  public init(_ secrets: [Secret]) { self.init(secrets, parts: []) }

  /// A redaction of random texts, whose parts of eight bytes or more are masked too, since a server may quote any part
  /// of the message.
  package init(tokens: [Secret]) {
    self.init(tokens, parts: Set(tokens.flatMap { Self.windows(Array($0.revealed.utf8)) }))
  }

  private init(_ secrets: [Secret], parts: Set<UInt64>) {
    self.parts = parts
    var patterns: [Pattern] = []
    for secret in Set(secrets.map(\.revealed)) where !secret.isEmpty {
      let bytes = Array(secret.utf8)
      for form in [bytes] + Self.percentEncoded(bytes) { patterns.append(Pattern(bytes: form, isBase64: false)) }
      for form in Self.base64Cores(of: bytes) { patterns.append(Pattern(bytes: form, isBase64: true)) }
    }
    self.patterns = patterns.sorted { $0.bytes.count > $1.bytes.count }
  }

  /// The text with `<redacted>` in place of every secret.
  package func masked(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var isSecret = [Bool](repeating: false, count: bytes.count)
    for pattern in patterns { Self.mark(pattern, in: bytes, &isSecret) }
    if !parts.isEmpty {
      for (start, window) in Self.windows(bytes).enumerated() where parts.contains(window) {
        for place in start..<(start + Self.windowLength) { isSecret[place] = true }
      }
    }
    guard isSecret.contains(true) else { return text }
    var masked: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if !isSecret[index] {
        masked.append(byte)
      } else if index == 0 || !isSecret[index - 1] {
        masked.append(contentsOf: Secret.placeholder.utf8)
      }
    }
    return String(decoding: masked, as: UTF8.self)
  }

  /// The text as the reason of a ``DeliveryOutcome``: masked, on one line, of at most ``longestReason`` scalars.
  public func reason(_ text: String) -> String {
    var line = String.UnicodeScalarView()
    var count = 0
    // Any number of combining marks makes a single Character, so scalars are counted.
    for scalar in masked(text).unicodeScalars {
      // XML forbids some noncharacters, and a property list may be XML.
      let isBlank =
        scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
        || scalar.properties.isNoncharacterCodePoint
      if isBlank, line.isEmpty || line.last == " " { continue }
      guard count < Self.longestReason else { return String(line) + "…" }
      line.append(isBlank ? " " : scalar)
      count += 1
    }
    if line.last == " " { line.removeLast() }
    return String(line)
  }

  private static func mark(_ pattern: Pattern, in bytes: [UInt8], _ isSecret: inout [Bool]) {
    let sought = pattern.bytes
    guard let first = sought.first, sought.count <= bytes.count else { return }
    var index = 0
    while index <= bytes.count - sought.count {
      guard bytes[index] == first, bytes[index..<(index + sought.count)].elementsEqual(sought) else {
        index += 1
        continue
      }
      var (start, end) = (index, index + sought.count)
      if pattern.isBase64 {
        // The whole base64 run is masked, as it encodes the bytes around the secret and its first and last bits.
        while start > 0, isBase64(bytes[start - 1]) { start -= 1 }
        while end < bytes.count, isBase64(bytes[end]) { end += 1 }
      }
      for place in start..<end { isSecret[place] = true }
      index = end
    }
  }

  private static let windowLength = 8

  /// Each sequence of eight bytes as one number, by its start.
  private static func windows(_ bytes: [UInt8]) -> [UInt64] {
    guard bytes.count >= windowLength else { return [] }
    var windows: [UInt64] = []
    var window: UInt64 = 0
    for (index, byte) in bytes.enumerated() {
      window = window << 8 | UInt64(byte)
      if index >= windowLength - 1 { windows.append(window) }
    }
    return windows
  }

  /// The base64 characters that depend only on the secret, for each of the three offsets in a group of three bytes.
  private static func base64Cores(of secret: [UInt8]) -> [[UInt8]] {
    (0..<3).flatMap { shift -> [[UInt8]] in
      let padded = [UInt8](repeating: 0, count: shift) + secret
      let encoded = Array(Data(padded).base64EncodedString().utf8.prefix { $0 != UInt8(ascii: "=") })
      let core = Array(encoded.dropFirst(shift == 0 ? 0 : shift + 1).dropLast(padded.count % 3 == 0 ? 0 : 1))
      // A shorter core occurs in ordinary words.
      guard core.count >= 6 else { return [] }
      let forURLs = core.map {
        $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0
      }
      return core == forURLs ? [core] : [core, forURLs]
    }
  }

  private static func percentEncoded(_ secret: [UInt8]) -> [[UInt8]] {
    let isPlain: (UInt8) -> Bool = { isAlphanumeric($0) || [0x2d, 0x2e, 0x5f, 0x7e].contains($0) }
    guard !secret.allSatisfy(isPlain) else { return [] }
    return ["0123456789ABCDEF", "0123456789abcdef"].map { digits in
      let digits = Array(digits.utf8)
      return secret.flatMap { isPlain($0) ? [$0] : [UInt8(ascii: "%"), digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || [0x2b, 0x2f, 0x2d, 0x5f, 0x3d].contains(byte)
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
  }
}

extension Redaction {
  /// A trace that receives the lines masked; `nil` without a listener.
  public func masking(_ listener: (@Sendable (TransferLine) -> Void)?) -> (@Sendable (TransferLine) -> Void)? {
    guard let listener else { return nil }
    return { line in
      switch line {
      case .sent(let text): listener(.sent(masked(text)))
      case .received(let text): listener(.received(masked(text)))
      case .note(let text): listener(.note(masked(text)))
      }
    }
  }
}
