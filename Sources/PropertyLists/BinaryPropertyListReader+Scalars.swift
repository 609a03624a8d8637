import FoundationEssentials

extension BinaryPropertyListReader {
  /// A value other than a container, and whether it takes memory that references to it should share.
  func scalar(at offset: Int, marker: UInt8) throws(PropertyListFault) -> (value: PropertyList, isLarge: Bool) {
    let low = Int(marker & 0x0F)
    switch (marker >> 4, low) {
    case (0x0, 0x8): return (.bool(false), false)
    case (0x0, 0x9): return (.bool(true), false)
    case (0x1, 0...4): return (try integer(at: offset + 1, size: 1 << low, of: offset), false)
    case (0x2, 2):
      return (.real(Double(Float(bitPattern: UInt32(try raw(at: offset + 1, size: 4, of: offset))))), false)
    case (0x2, 3): return (.real(Double(bitPattern: try raw(at: offset + 1, size: 8, of: offset))), false)
    case (0x3, 3):
      let seconds = Double(bitPattern: try raw(at: offset + 1, size: 8, of: offset))
      return (.date(Date(timeIntervalSinceReferenceDate: seconds)), false)
    case (0x8, 0...7): return (.uid(try raw(at: offset + 1, size: low + 1, of: offset)), false)
    case (0x4, _):
      let run = try run(at: offset, unit: 1)
      return (.data(Array(bytes[run])), true)
    case (0x5, _):
      let run = try run(at: offset, unit: 1)
      return (.string(try ascii(run)), run.count > 15)
    case (0x6, _):
      let run = try run(at: offset, unit: 2)
      return (.string(try utf16(run)), run.count > 10)
    default:
      throw PropertyListFault(
        offset: offset, message: "no kind of object has the marker 0x\(String(marker, radix: 16))")
    }
  }

  /// The number of an object's parts, which is in its marker or after it, and the start of the parts.
  func count(at offset: Int) throws(PropertyListFault) -> (count: Int, start: Int) {
    let low = Int(bytes[offset] & 0x0F)
    guard low == 0x0F else { return (low, offset + 1) }
    let markerEnd = try extent(of: 1, size: 1, at: offset + 1, of: offset)
    let marker = bytes[offset + 1]
    let size = 1 << Int(marker & 0x0F)
    guard marker >> 4 == 0x1, size <= 8,
      let count = Int(exactly: try raw(at: markerEnd, size: size, of: offset))
    else {
      throw PropertyListFault(offset: offset, message: "an object has no valid length")
    }
    return (count, markerEnd + size)
  }

  /// The range of the content of a text or data.
  private func run(at offset: Int, unit: Int) throws(PropertyListFault) -> Range<Int> {
    let (count, start) = try count(at: offset)
    return start..<(try extent(of: count, size: unit, at: start, of: offset))
  }

  private func ascii(_ run: Range<Int>) throws(PropertyListFault) -> String {
    if let place = run.first(where: { bytes[$0] >= 0x80 }) {
      throw PropertyListFault(offset: place, message: "a text marked as ASCII is not ASCII")
    }
    return String(decoding: bytes[run], as: UTF8.self)
  }

  private func utf16(_ run: Range<Int>) throws(PropertyListFault) -> String {
    let units = stride(from: run.lowerBound, to: run.upperBound, by: 2).map { place in
      UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])
    }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw PropertyListFault(offset: run.lowerBound, message: "a text holds half of a surrogate pair")
    }
    return text
  }

  /// A whole number: unsigned in up to four bytes, signed in eight; of sixteen bytes the last eight count.
  private func integer(at place: Int, size: Int, of offset: Int) throws(PropertyListFault) -> PropertyList {
    let high: UInt64 = size == 16 ? try raw(at: place, size: 8, of: offset) : 0
    let low = try raw(at: size == 16 ? place + 8 : place, size: min(size, 8), of: offset)
    let value = Int64(bitPattern: low)
    if size < 16 || Int64(bitPattern: high) == value >> 63 { return .integer(value) }
    guard high == 0 else { throw PropertyListFault(offset: offset, message: "a whole number is beyond 64 bits") }
    return .largeInteger(low)
  }

  private func raw(at place: Int, size: Int, of offset: Int) throws(PropertyListFault) -> UInt64 {
    _ = try extent(of: 1, size: size, at: place, of: offset)
    return Self.unsigned(bytes, at: place, size: size) ?? 0
  }

  /// A big-endian number of up to eight bytes; nil beyond the end.
  static func unsigned(_ bytes: UnsafeRawBufferPointer, at place: Int, size: Int) -> UInt64? {
    guard place >= 0, place <= bytes.count, size <= bytes.count - place else { return nil }
    return bytes[place..<place + size].reduce(0) { $0 << 8 | UInt64($1) }
  }
}
