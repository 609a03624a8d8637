import ConfigKeys
import FoundationEssentials
import Glibc

/// A host name in ASCII; labels with other letters are A-labels (RFC 5890).
public struct DomainName: Hashable, Sendable, CustomStringConvertible {
  /// The name in ASCII and lower case, of at most 253 characters, each label of at most 63.
  public let ascii: String

  /// The name in ASCII and lower case.
  public var description: String { ascii }

  /// A name with any letters, such as `mail.example.org` or `bücher.example`.
  ///
  /// Letters are lowercased and normalised to NFC, which covers most of UTS 46. Refuses every character other than a
  /// letter, digit, mark or hyphen, including lookalikes of the dot.
  ///
  /// - Throws: ``ConfigProblem``, which does not quote the name.
  public init(_ text: String) throws(ConfigProblem) {
    var labels: [String] = []
    for label in text.split(separator: ".", omittingEmptySubsequences: false) {
      labels.append(try Self.ascii(label))
    }
    let name = labels.joined(separator: ".")
    guard name.utf8.count <= 253 else { throw ConfigProblem("the host's name is longer than 253 characters") }
    ascii = name
  }

  private static func ascii(_ label: Substring) throws(ConfigProblem) -> String {
    guard !label.isEmpty else { throw ConfigProblem("a part of the host's name is empty") }
    let lowered = label.lowercased()
    let name: String
    if lowered.utf8.allSatisfy({ $0 < 0x80 }) {
      name = lowered
    } else {
      let composed = lowered.canonicallyComposed
      guard composed.unicodeScalars.allSatisfy(isAllowed), composed.unicodeScalars.first?.properties.isMark == false
      else { throw ConfigProblem("the host's name has a character that host names cannot have") }
      guard let encoded = Punycode.encode(composed) else { throw ConfigProblem("the host's name is too long") }
      name = "xn--" + encoded
    }
    guard name.utf8.allSatisfy({ isLetterDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }) else {
      throw ConfigProblem("the host's name has a character that host names cannot have")
    }
    guard name.utf8.first != UInt8(ascii: "-"), name.utf8.last != UInt8(ascii: "-") else {
      throw ConfigProblem("a part of the host's name starts or ends with a hyphen")
    }
    guard name.utf8.count <= 63 else { throw ConfigProblem("a part of the host's name is longer than 63 characters") }
    return name
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .lowercaseLetter, .otherLetter, .modifierLetter, .decimalNumber, .nonspacingMark, .spacingMark: true
    default: scalar == "-"
    }
  }

  private static func isLetterDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte)
  }
}

extension Unicode.Scalar.Properties {
  fileprivate var isMark: Bool { generalCategory == .nonspacingMark || generalCategory == .spacingMark }
}

/// Encodes Unicode labels in ASCII (RFC 3492).
enum Punycode {
  private static let (base, tMin, tMax, skew, damp) = (36, 1, 26, 38, 700)
  private static let digits = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)

  /// The encoded label, without the `xn--` prefix; `nil` for a label of more than 63 characters.
  static func encode(_ label: String) -> String? {
    let scalars = label.unicodeScalars.map { Int($0.value) }
    // A longer label is invalid anyway, and within this limit no arithmetic overflows.
    guard scalars.count <= 63 else { return nil }
    var output = scalars.filter { $0 < 0x80 }.map { UInt8(truncatingIfNeeded: $0) }
    let basicCount = output.count
    if basicCount > 0 { output.append(UInt8(ascii: "-")) }
    var (next, delta, bias, handled) = (0x80, 0, 72, basicCount)
    while handled < scalars.count {
      guard let least = scalars.filter({ $0 >= next }).min() else { return nil }
      delta += (least - next) * (handled + 1)
      next = least
      for scalar in scalars {
        if scalar < next { delta += 1 }
        guard scalar == next else { continue }
        appendVariableLength(delta, bias: bias, to: &output)
        bias = adapted(delta, count: handled + 1, isFirst: handled == basicCount)
        delta = 0
        handled += 1
      }
      delta += 1
      next += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func appendVariableLength(_ value: Int, bias: Int, to output: inout [UInt8]) {
    var (rest, k) = (value, base)
    while true {
      let threshold = min(max(k - bias, tMin), tMax)
      guard rest >= threshold else { return output.append(digits[rest]) }
      output.append(digits[threshold + (rest - threshold) % (base - threshold)])
      rest = (rest - threshold) / (base - threshold)
      k += base
    }
  }

  private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var rest = isFirst ? delta / damp : delta / 2
    rest += rest / count
    var k = 0
    while rest > (base - tMin) * tMax / 2 {
      rest /= base - tMin
      k += base
    }
    return k + (base - tMin + 1) * rest / (rest + skew)
  }
}

extension DomainName {
  /// A host's address in brackets instead of a name: `[192.168.1.1]`, `[IPv6:2001:db8::1]` (RFC 5321, section 4.1.3).
  ///
  /// - Throws: ``ConfigProblem`` for an invalid address.
  public init(addressLiteral text: String) throws(ConfigProblem) {
    let content = Array(text.utf8.dropFirst().dropLast())
    let mark = Array("ipv6:".utf8)
    let isLong = content.prefix(mark.count).map { $0 | 0x20 }.elementsEqual(mark.map { $0 | 0x20 })
    let address = String(decoding: content.dropFirst(isLong ? mark.count : 0), as: UTF8.self)
    var buffer = [UInt8](repeating: 0, count: 16)
    guard text.utf8.first == UInt8(ascii: "["), text.utf8.last == UInt8(ascii: "]"), !content.contains(0),
      inet_pton(isLong ? AF_INET6 : AF_INET, address, &buffer) == 1
    else { throw ConfigProblem("an address in brackets looks like [192.168.1.1] or [IPv6:2001:db8::1]") }
    ascii = "[\(isLong ? "IPv6:" : "")\(address.lowercased())]"
  }
}
