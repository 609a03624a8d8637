import Transport

/// Checks of requests and mails before anything is sent.
enum Sendability {
  /// True if a text has a control character such as CR, LF or NUL.
  static func hasControls(_ text: String) -> Bool { text.utf8.contains { $0 < 0x20 || $0 == 0x7F } }

  /// True if a text is a token, such as a field name or a method (RFC 9110 section 5.6.2).
  static func isToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"),
      UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"),
      UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// Checks a URL: one of the schemes, a host, no user info, no space, no control character.
  ///
  /// - Throws: ``TransferFailure`` `.unsendable`, whose reason does not contain the URL.
  static func check(url: String, schemes: [StaticString]) throws(TransferFailure) {
    guard !url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
      throw TransferFailure(.unsendable, "the URL holds a space or a control character")
    }
    guard let scheme = schemes.first(where: { hasPrefix(url, $0) }) else {
      let names = schemes.map(\.description).joined(separator: " or ")
      throw TransferFailure(.unsendable, "the URL does not begin with \(names)")
    }
    let authority = url.utf8.dropFirst(scheme.utf8CodeUnitCount).prefix { !endsAuthority($0) }
    guard !authority.isEmpty else { throw TransferFailure(.unsendable, "the URL has no host") }
    guard !authority.contains(UInt8(ascii: "@")) else {
      throw TransferFailure(.unsendable, "the URL holds a user name or a password")
    }
  }

  private static func endsAuthority(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") || byte == UInt8(ascii: "\\")
  }

  /// True if a text begins with a prefix, given in lower case, regardless of case.
  static func hasPrefix(_ text: String, _ prefix: StaticString) -> Bool {
    var bytes = text.utf8.makeIterator()
    for wanted in UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount) {
      guard let byte = bytes.next() else { return false }
      guard byte == wanted || (byte | 0x20 == wanted && wanted >= UInt8(ascii: "a")) else { return false }
    }
    return true
  }
}

extension HTTPRequest {
  /// The framing and connection fields, which only the transport sets.
  private static let ownFields: [StaticString] = [
    "content-length", "transfer-encoding", "connection", "expect", "te", "trailer", "upgrade", "keep-alive",
    "proxy-connection",
  ]

  /// - Throws: ``TransferFailure`` `.unsendable`.
  func check() throws(TransferFailure) {
    try Sendability.check(url: url, schemes: ["http://", "https://"])
    guard Sendability.isToken(method), method != "CONNECT" else {
      throw TransferFailure(.unsendable, "invalid HTTP method")
    }
    for field in fields {
      guard Sendability.isToken(field.name) else {
        throw TransferFailure(.unsendable, "invalid name of a header field")
      }
      guard !Self.ownFields.contains(where: field.isNamed) else {
        throw TransferFailure(.unsendable, "the header field \(field.name) is set by the transport itself")
      }
      guard !Sendability.hasControls(field.value) else {
        throw TransferFailure(.unsendable, "the header field \(field.name) holds a control character")
      }
    }
    try options.check()
  }
}

extension HTTPField {
  /// True if the field has this name, given in lower case (RFC 9110 section 5.1).
  func isNamed(_ name: StaticString) -> Bool {
    self.name.utf8.count == name.utf8CodeUnitCount && Sendability.hasPrefix(self.name, name)
  }
}

extension MailServer {
  /// - Throws: ``TransferFailure`` `.unsendable`.
  func check() throws(TransferFailure) {
    try Sendability.check(url: url, schemes: ["smtp://", "smtps://"])
    // libcurl would use a path as the client's name in EHLO.
    let rest = url.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst(3)
    guard !rest.dropLast().contains(UInt8(ascii: "/")), !rest.contains(where: { "?#".utf8.contains($0) }) else {
      throw TransferFailure(.unsendable, "the URL of a mail server has no path")
    }
    try options.check()
    guard let credential else { return }
    let proof =
      switch credential.proof {
      case .password(let text), .token(let text): text
      }
    guard !Sendability.hasControls(credential.username), !Sendability.hasControls(proof) else {
      throw TransferFailure(.unsendable, "the user name, the password or the token holds a control character")
    }
  }
}

extension Mail {
  /// - Throws: ``TransferFailure`` `.unsendable`.
  func check() throws(TransferFailure) {
    try Self.check(address: sender, "sender")
    guard !recipient.isEmpty else { throw TransferFailure(.unsendable, "the recipient's address is empty") }
    try Self.check(address: recipient, "recipient")
    for field in fields {
      guard Sendability.isToken(field.name), !field.name.lowercased().hasPrefix("content-"),
        field.name.lowercased() != "mime-version"
      else {
        throw TransferFailure(.unsendable, "invalid name of a header field, or one that the transport sets itself")
      }
      guard field.value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }),
        field.name.utf8.count + field.value.utf8.count <= 996
      else {
        throw TransferFailure(
          .unsendable, "the header field \(field.name) is too long or has characters other than printable ASCII")
      }
    }
    for attachment in attachments {
      for text in [attachment.name, attachment.contentType] {
        guard !text.isEmpty, text.utf8.count <= 800, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
          throw TransferFailure(.unsendable, "an attachment's name or type has characters other than printable ASCII")
        }
      }
    }
  }

  private static func check(address: String, _ whose: String) throws(TransferFailure) {
    // A bracket ends the address, and the rest would be a parameter of the command.
    guard !Sendability.hasControls(address), !address.utf8.contains(where: { "<>".utf8.contains($0) }) else {
      throw TransferFailure(.unsendable, "the \(whose)'s address holds a control character or a bracket")
    }
  }
}
