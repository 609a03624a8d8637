import CivilTime
import ConfigKeys

/// A mail address with an optional name (RFC 5322, section 3.4): `Belfry <belfry@example.org>`.
package struct Mailbox: Hashable, Sendable {
  /// The name; `nil` without one.
  package let name: String?
  /// The part before the last `@`, in quotation marks if it needs them.
  package let local: String
  /// The part after the `@`.
  package let domain: DomainName

  /// The address without the name, in ASCII, for SMTP.
  package var address: String { "\(local)@\(domain.ascii)" }

  /// The longest name, in bytes.
  private static let longestName = 256

  /// Parses a mailbox; the name may be in quotation marks.
  ///
  /// - Throws: ``ConfigProblem`` for comments, control characters, several addresses, and invalid parts.
  package init(_ text: String) throws(ConfigProblem) {
    guard !text.unicodeScalars.contains(where: Self.isBreak) else {
      throw ConfigProblem("an address cannot contain a line break or another control character")
    }
    let trimmed = Substring(text).trimmingBlanks()
    guard trimmed.utf8.last == UInt8(ascii: ">") else {
      name = nil
      (local, domain) = try Self.parts(trimmed)
      return
    }
    let quoted = Self.isQuoted(trimmed) ? try Self.quotedString(trimmed) : nil
    let rest = quoted?.rest.trimmingBlanks() ?? trimmed
    guard let bracket = rest.utf8.firstIndex(of: UInt8(ascii: "<")) else {
      throw ConfigProblem("'<' is missing before the address")
    }
    let before = rest[..<bracket].trimmingBlanks()
    guard quoted == nil || before.isEmpty else {
      throw ConfigProblem("there is something between the name and the address")
    }
    if let special = before.unicodeScalars.first(where: { "()<>[]:;@\\,\"".unicodeScalars.contains($0) }) {
      throw ConfigProblem(
        "the name holds \(inQuotes(String(special))): put the name in quotation marks, as in \"A, B\" <a@b>")
    }
    let name = quoted?.text ?? String(before)
    guard name.utf8.count <= Self.longestName else {
      throw ConfigProblem("the name is longer than \(Self.longestName) bytes")
    }
    self.name = name.isEmpty ? nil : name
    (local, domain) = try Self.parts(Substring(rest[bracket...].utf8.dropFirst().dropLast()).trimmingBlanks())
  }

  private static func parts(_ address: Substring) throws(ConfigProblem) -> (String, DomainName) {
    // A quoted part may contain any character, also '@' and parentheses.
    let (local, rest) = isQuoted(address) ? try quotedLocal(address) : (nil, address)
    guard let at = rest.utf8.lastIndex(of: UInt8(ascii: "@")) else { throw ConfigProblem("an address needs an '@'") }
    guard !rest.utf8.contains(where: { "()".utf8.contains($0) }) else {
      throw ConfigProblem("an address cannot contain a comment in parentheses")
    }
    let domain = String(Substring(rest.utf8[rest.utf8.index(after: at)...]))
    let name: DomainName
    do throws(ConfigProblem) {
      name =
        domain.utf8.first == UInt8(ascii: "[") ? try DomainName(addressLiteral: domain) : try DomainName(domain)
    } catch {
      throw ConfigProblem(
        rest.utf8.contains(where: { ",;".utf8.contains($0) }) ? "one address at a time: write a list" : error.message)
    }
    guard local == nil || at == rest.startIndex else { throw ConfigProblem("the part before the '@' is not a name") }
    let part = if let local { local } else { try self.local(rest[..<at]) }
    guard part.utf8.count + name.ascii.utf8.count < 254 else {
      throw ConfigProblem("the address is longer than 254 characters")
    }
    return (part, name)
  }

  /// The quoted part before the '@', and the rest after it.
  private static func quotedLocal(_ text: Substring) throws(ConfigProblem) -> (local: String?, rest: Substring) {
    let (content, rest) = try quotedString(text)
    return (quoted(try checked(content[...])), rest)
  }

  private static func isQuoted(_ text: Substring) -> Bool { text.utf8.first == UInt8(ascii: "\"") }

  private static func local(_ text: Substring) throws(ConfigProblem) -> String {
    guard !text.isEmpty else { throw ConfigProblem("nothing is before the '@'") }
    let atoms = try checked(text).utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard atoms.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isAtomCharacter) }) else {
      throw ConfigProblem(
        text.utf8.contains(UInt8(ascii: ","))
          ? "one address at a time: write a list" : "the part before the '@' is not a name")
    }
    return String(text)
  }

  private static func checked(_ text: Substring) throws(ConfigProblem) -> String {
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
      throw ConfigProblem("letters beyond ASCII before the '@' are not supported: few servers take them")
    }
    guard text.utf8.count <= 64 else { throw ConfigProblem("more than 64 characters are before the '@'") }
    return String(text)
  }

  /// The content of the quoted string at the start of a text, and the rest after it.
  private static func quotedString(_ text: Substring) throws(ConfigProblem) -> (text: String, rest: Substring) {
    var content = String.UnicodeScalarView()
    var rest = text.unicodeScalars.dropFirst()
    while let scalar = rest.popFirst() {
      if scalar == "\"" { return (String(content), Substring(rest)) }
      guard scalar == "\\" else {
        content.append(scalar)
        continue
      }
      guard let escaped = rest.popFirst() else { break }
      content.append(escaped)
    }
    throw ConfigProblem("the quotation mark has no end")
  }

  /// A quoted-string (RFC 5322, section 3.2.4).
  package static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  /// True for a character of an atom (RFC 5322, section 3.2.3).
  package static func isAtomCharacter(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20)
      || "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
  }

  private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
    [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
  }
}

extension Substring {
  fileprivate func trimmingBlanks() -> Substring {
    var rest = utf8.drop { $0 == UInt8(ascii: " ") }
    while rest.last == UInt8(ascii: " ") { rest = rest.dropLast() }
    return Substring(rest)
  }
}

extension ConfigType where Value == Mailbox {
  /// An address with an optional name.
  package static var mailbox: ConfigType {
    .scalar(.line, write: { _ in nil }) { scalar, _ throws(ConfigProblem) in
      guard scalar.kind == .text else { return nil }
      return try Mailbox(scalar.text)
    }
  }
}
