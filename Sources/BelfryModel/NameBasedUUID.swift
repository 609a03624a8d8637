import ByteOutput
import Digests
import FoundationEssentials

extension UUID {
  /// The namespace of all UUIDs that Belfry derives.
  public static let belfry = UUID(
    uuid: (0x6f, 0x1d, 0x4c, 0x52, 0x8e, 0x0b, 0x4b, 0x7a, 0x9c, 0x3d, 0x2a, 0x41, 0x5e, 0x77, 0xb0, 0x19))

  /// The UUID in lower case (RFC 9562 section 4).
  ///
  /// `uuidString` goes through `snprintf`, too slow for the three UUIDs of each reminder that fires.
  public var text: String { String(atMost: UUID.length) { append(to: &$0) } }

  /// The length of ``text``, in bytes.
  static let length = 36

  /// Appends ``text`` in UTF-8.
  func append(to text: inout ByteOutput) {
    withUnsafeBytes(of: uuid) { bytes in
      for index in 0..<16 {
        if index == 4 || index == 6 || index == 8 || index == 10 { text.append(UInt8(ascii: "-")) }
        text.append(Self.digit(bytes[index] >> 4))
        text.append(Self.digit(bytes[index] & 0x0f))
      }
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value &+ (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
  }

  /// A version 5 UUID (RFC 9562 section 5.5): the same namespace and name always give the same UUID.
  public init(namespace: UUID, name: String) {
    var name = name
    self = name.withUTF8 { UUID(namespace: namespace, name: UnsafeRawBufferPointer($0)) }
  }

  /// A version 5 UUID of a name in UTF-8.
  package init(namespace: UUID, utf8 name: [UInt8]) {
    self = name.withUnsafeBytes { UUID(namespace: namespace, name: $0) }
  }

  private init(namespace: UUID, name: UnsafeRawBufferPointer) {
    var digest = SHA1()
    withUnsafeBytes(of: namespace.uuid) { digest.update($0) }
    digest.update(name)
    self = withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { bytes in
      digest.finish(into: bytes)
      bytes[6] = bytes[6] & 0x0f | 5 << 4
      bytes[8] = bytes[8] & 0x3f | 0x80
      return UUID(uuid: bytes.load(as: uuid_t.self))
    }
  }
}
