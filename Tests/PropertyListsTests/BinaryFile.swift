/// A binary property list built byte by byte, to be wrong in any way.
struct BinaryFile {
  var objects: [[UInt8]]
  var offsetSize = 4
  var referenceSize = 4
  var count: UInt64?
  var top: UInt64 = 0
  var table: UInt64?
  var header = "bplist00"

  /// An array or a dictionary (keys, then values) of references to other objects.
  static func container(_ high: UInt8, count: Int, _ references: [Int]) -> [UInt8] {
    let length: [UInt8] =
      count < 15 ? [high << 4 | UInt8(count)] : [high << 4 | 0xF, 0x12] + bigEndian(UInt64(count), 4)
    return length + references.flatMap { bigEndian(UInt64($0), 4) }
  }

  static func array(_ references: [Int]) -> [UInt8] { container(0xA, count: references.count, references) }

  static func ascii(_ text: String) -> [UInt8] {
    let count = text.utf8.count
    return (count < 15 ? [0x50 | UInt8(count)] : [0x5F, 0x12] + bigEndian(UInt64(count), 4)) + Array(text.utf8)
  }

  static func bigEndian(_ value: UInt64, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
  }

  var bytes: [UInt8] {
    var bytes = Array(header.utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      bytes += object
    }
    let tableOffset = bytes.count
    for offset in offsets { bytes += Self.bigEndian(UInt64(offset), offsetSize) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    bytes += Self.bigEndian(count ?? UInt64(objects.count), 8)
    bytes += Self.bigEndian(top, 8)
    bytes += Self.bigEndian(table ?? UInt64(tableOffset), 8)
    return bytes
  }
}
