import BelfryCore

/// An address of mail with the name that goes with it (RFC 5322, section 3.4): `Belfry <belfry@example.org>`.
public struct Mailbox: Hashable, Sendable {
  /// The name, or `nil` where there is none.
  public let name: String?
  /// The part before the last `@`, in quotation marks where it needs them.
  public let local: String
  /// The part behind it.
  public let domain: DomainName

  /// The address without the name, in ASCII: what SMTP is given.
  public var address: String { "\(local)@\(domain.ascii)" }

  /// The longest name, in bytes.
  private static let longestName = 256

  /// A mailbox as people write it; the name may stand in quotation marks.
  ///
  /// - Throws: ``ConfigProblem`` for comments, control characters, several addresses, and parts that mail cannot carry.
  public init(_ text: String) throws(ConfigProblem) {
    guard !text.unicodeScalars.contains(where: Self.isBreak) else {
      throw ConfigProblem("an address holds no line break or other control character")
    }
    let trimmed = Substring(text).trimmingBlanks()
    guard trimmed.last == ">" else {
      name = nil
      (local, domain) = try Self.parts(trimmed)
      return
    }
    let quoted = trimmed.first == "\"" ? try Self.quotedString(trimmed) : nil
    let rest = quoted?.rest.trimmingBlanks() ?? trimmed
    guard let bracket = rest.firstIndex(of: "<") else { throw ConfigProblem("'<' is missing before the address") }
    let before = rest[..<bracket].trimmingBlanks()
    guard quoted == nil || before.isEmpty else {
      throw ConfigProblem("there is something between the name and the address")
    }
    if let special = before.first(where: { "()<>[]:;@\\,\"".contains($0) }) {
      throw ConfigProblem(
        "the name holds \(inQuotes(String(special))): put the name in quotation marks, as in \"A, B\" <a@b>")
    }
    let name = quoted?.text ?? String(before)
    guard name.utf8.count <= Self.longestName else {
      throw ConfigProblem("the name is longer than \(Self.longestName) bytes")
    }
    self.name = name.isEmpty ? nil : name
    (local, domain) = try Self.parts(rest[rest.index(after: bracket)...].dropLast().trimmingBlanks())
  }

  private static func parts(_ address: Substring) throws(ConfigProblem) -> (String, DomainName) {
    guard let at = address.lastIndex(of: "@") else { throw ConfigProblem("an address needs an '@'") }
    guard !address.contains(where: { "()".contains($0) }) else {
      throw ConfigProblem("an address holds no comment in parentheses")
    }
    let domain = address[address.index(after: at)...]
    let name: DomainName
    do throws(ConfigProblem) {
      name = try DomainName(String(domain))
    } catch {
      throw ConfigProblem(
        address.contains(",") || address.contains(";") ? "one address at a time: write a list" : error.message)
    }
    let local = try self.local(address[..<at])
    guard local.utf8.count + name.ascii.utf8.count < 254 else {
      throw ConfigProblem("the address is longer than 254 characters")
    }
    return (local, name)
  }

  private static func local(_ text: Substring) throws(ConfigProblem) -> String {
    guard !text.isEmpty else { throw ConfigProblem("nothing stands before the '@'") }
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
      throw ConfigProblem("letters beyond ASCII before the '@' are not supported: few servers take them")
    }
    guard text.utf8.count <= 64 else { throw ConfigProblem("more than 64 characters stand before the '@'") }
    if text.first == "\"" {
      let (content, rest) = try quotedString(text)
      guard rest.isEmpty else { throw ConfigProblem("the part before the '@' is no name") }
      return HeaderText.quoted(content)
    }
    let atoms = text.split(separator: ".", omittingEmptySubsequences: false)
    guard atoms.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(HeaderText.isAtomCharacter) }) else {
      throw ConfigProblem(
        text.contains(",") ? "one address at a time: write a list" : "the part before the '@' is no name")
    }
    return String(text)
  }

  /// The content of the quoted string that a text starts with, and what follows it.
  private static func quotedString(_ text: Substring) throws(ConfigProblem) -> (text: String, rest: Substring) {
    var content = ""
    var rest = text.dropFirst()
    while let character = rest.popFirst() {
      if character == "\"" { return (content, rest) }
      guard character == "\\" else {
        content.append(character)
        continue
      }
      guard let escaped = rest.popFirst() else { break }
      content.append(escaped)
    }
    throw ConfigProblem("the quotation mark has no end")
  }

  private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
    [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
  }
}

extension Substring {
  fileprivate func trimmingBlanks() -> Substring {
    var rest = drop { $0 == " " }
    while rest.last == " " { rest = rest.dropLast() }
    return rest
  }
}

extension ConfigType where Value == Mailbox {
  /// An address, with a name or without.
  static var mailbox: ConfigType {
    .scalar(.line, write: { _ in nil }) { scalar, _ throws(ConfigProblem) in
      guard scalar.kind == .text else { return nil }
      return try Mailbox(scalar.text)
    }
  }
}
