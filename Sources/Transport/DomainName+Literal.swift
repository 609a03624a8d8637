import ConfigKeys
import FoundationEssentials
import Glibc

extension DomainName {
  /// A host's address in brackets in place of a name: `[192.168.1.1]`, `[IPv6:2001:db8::1]` (RFC 5321, section 4.1.3).
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
