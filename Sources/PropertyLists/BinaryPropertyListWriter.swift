import FoundationEssentials

extension PropertyList {
  /// The value as a file in version 00 of the binary format. Equal texts, numbers and dates are written once.
  public func binary() -> [UInt8] {
    var writer = BinaryPropertyListWriter()
    return writer.file(self)
  }
}

/// A writer of property lists in version 00 of the binary format.
private struct BinaryPropertyListWriter {
  private enum Object {
    case scalar(PropertyList)
    case array([Int])
    case dictionary(keys: [Int], values: [Int])
  }

  private var objects: [Object] = []
  private var known: [PropertyList: Int] = [:]
  private var bytes = Array("bplist00".utf8)

  mutating func file(_ root: PropertyList) -> [UInt8] {
    let top = number(of: root)
    let referenceSize = Self.size(of: UInt64(objects.count))
    var offsets: [Int] = []
    offsets.reserveCapacity(objects.count)
    for object in objects {
      offsets.append(bytes.count)
      append(object, referenceSize)
    }
    let table = bytes.count
    let offsetSize = Self.size(of: UInt64(table))
    for offset in offsets { append(UInt64(offset), size: offsetSize) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    for number in [objects.count, top, table] { append(UInt64(number), size: 8) }
    return bytes
  }

  // A container is written after its members, whose numbers are then known.
  private mutating func number(of value: PropertyList) -> Int {
    let object: Object
    switch value {
    case .array(let elements): object = .array(elements.map { number(of: $0) })
    case .dictionary(let dictionary):
      object = .dictionary(
        keys: dictionary.entries.map { number(of: .string($0.key)) },
        values: dictionary.entries.map { number(of: $0.value) })
    case .uid, .string, .integer, .largeInteger, .real, .bool, .date, .data:
      if let number = known[value], Self.isSame(value, objects[number]) { return number }
      known[value] = objects.count
      object = .scalar(value)
    }
    objects.append(object)
    return objects.count - 1
  }

  // Texts that are only canonically equal are written as two.
  private static func isSame(_ value: PropertyList, _ object: Object) -> Bool {
    guard case .scalar(let other) = object else { return false }
    guard case .string(let text) = value, case .string(let otherText) = other else { return true }
    return text.utf8.elementsEqual(otherText.utf8)
  }

  private mutating func append(_ object: Object, _ referenceSize: Int) {
    switch object {
    case .scalar(let value): append(value)
    case .array(let elements):
      appendMarker(0xA, count: elements.count)
      for number in elements { append(UInt64(number), size: referenceSize) }
    case .dictionary(let keys, let values):
      appendMarker(0xD, count: keys.count)
      for number in keys + values { append(UInt64(number), size: referenceSize) }
    }
  }

  private mutating func append(_ value: PropertyList) {
    switch value {
    case .string(let text): append(text)
    case .integer(let number): append(number)
    case .largeInteger(let number):
      bytes.append(0x14)
      append(0, size: 8)
      append(number, size: 8)
    case .real(let number):
      bytes.append(0x23)
      append(number.bitPattern, size: 8)
    case .bool(let isTrue): bytes.append(isTrue ? 0x09 : 0x08)
    case .date(let date):
      bytes.append(0x33)
      append(date.timeIntervalSinceReferenceDate.bitPattern, size: 8)
    case .data(let content):
      appendMarker(0x4, count: content.count)
      bytes += content
    case .uid(let number):
      let size = Self.size(of: number)
      bytes.append(0x80 | UInt8(size - 1))
      append(number, size: size)
    case .array, .dictionary: break
    }
  }

  private mutating func append(_ text: String) {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      appendMarker(0x5, count: text.utf8.count)
      bytes += text.utf8
    } else {
      appendMarker(0x6, count: text.utf16.count)
      for unit in text.utf16 { append(UInt64(unit), size: 2) }
    }
  }

  // Numbers of up to four bytes are unsigned, those of eight are signed.
  private mutating func append(_ number: Int64) {
    let size = number < 0 ? 8 : Self.size(of: UInt64(number))
    bytes.append(0x10 | UInt8(size.trailingZeroBitCount))
    append(UInt64(bitPattern: number), size: size)
  }

  private mutating func appendMarker(_ kind: UInt8, count: Int) {
    guard count >= 0x0F else {
      bytes.append(kind << 4 | UInt8(count))
      return
    }
    bytes.append(kind << 4 | 0x0F)
    append(Int64(count))
  }

  private mutating func append(_ number: UInt64, size: Int) {
    for place in stride(from: (size - 1) * 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(place)))
    }
  }

  /// The bytes of a number: 1, 2, 4 or 8.
  private static func size(of number: UInt64) -> Int {
    switch number {
    case ...0xFF: 1
    case ...0xFFFF: 2
    case ...0xFFFF_FFFF: 4
    default: 8
    }
  }
}
