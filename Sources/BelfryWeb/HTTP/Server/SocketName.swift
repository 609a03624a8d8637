import BelfryEngine
import Glibc

/// An address in the form that the system's calls take.
struct SocketName {
  private var storage = sockaddr_storage()
  private var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

  /// The name of an address; `nil` if it has none.
  init?(_ address: ListenAddress) {
    switch address {
    case .tcp(let text, let port):
      var v4 = sockaddr_in()
      var v6 = sockaddr_in6()
      if inet_pton(AF_INET, text, &v4.sin_addr) == 1 {
        v4.sin_family = sa_family_t(AF_INET)
        v4.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
        store(v4)
      } else if inet_pton(AF_INET6, text, &v6.sin6_addr) == 1 {
        v6.sin6_family = sa_family_t(AF_INET6)
        v6.sin6_port = in_port_t(truncatingIfNeeded: port).bigEndian
        store(v6)
      } else {
        return nil
      }
    case .unix(let path):
      var name = sockaddr_un()
      let bytes = Array(path.utf8)
      guard bytes.count < MemoryLayout.size(ofValue: name.sun_path) else { return nil }
      name.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
      store(name)
    }
  }

  private init() {}

  private mutating func store<Name>(_ name: Name) {
    length = socklen_t(MemoryLayout<Name>.size)
    withUnsafeMutableBytes(of: &storage) { bytes in withUnsafeBytes(of: name) { bytes.copyMemory(from: $0) } }
  }

  /// The family of the address.
  var family: Int32 { Int32(storage.ss_family) }

  mutating func bind(_ descriptor: Int32) -> Int32 { withPointer { Glibc.bind(descriptor, $0, $1) } }

  mutating func connect(_ descriptor: Int32) -> Int32 { withPointer { Glibc.connect(descriptor, $0, $1) } }

  /// The address that a socket is bound to.
  static func address(of descriptor: Int32) -> ListenAddress? {
    var name = SocketName()
    var length = name.length
    guard name.withPointer({ pointer, _ in getsockname(descriptor, pointer, &length) }) == 0 else { return nil }
    return withUnsafeBytes(of: name.storage) { bytes in
      switch Int32(name.storage.ss_family) {
      case AF_INET:
        let v4 = bytes.load(as: sockaddr_in.self)
        return text(AF_INET, v4.sin_addr).map { .tcp(address: $0, port: Int(in_port_t(bigEndian: v4.sin_port))) }
      case AF_INET6:
        let v6 = bytes.load(as: sockaddr_in6.self)
        return text(AF_INET6, v6.sin6_addr).map { .tcp(address: $0, port: Int(in_port_t(bigEndian: v6.sin6_port))) }
      case AF_UNIX:
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        return .unix(path: String(decoding: bytes[offset..<Int(length)].prefix { $0 != 0 }, as: UTF8.self))
      default: return nil
      }
    }
  }

  private static func text(_ family: Int32, _ address: some Any) -> String? {
    withUnsafeBytes(of: address) { address in
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
        inet_ntop(family, address.baseAddress, buffer.baseAddress, socklen_t(buffer.count)).map { String(cString: $0) }
      }
    }
  }

  private mutating func withPointer(_ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    let length = length
    return withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }
}
