/// An error about a zone file that cannot be used.
struct TZifError: Error, Hashable {
  let reason: String

  static let truncated = TZifError(reason: "the zone file ends too early")
  static let inconsistent = TZifError(reason: "the zone file contradicts itself")
}

/// A parser of compiled zone files: RFC 9636, versions 1 to 4. Later versions are read as version 4 (section 4).
enum TZif {
  /// The rules in the bytes of a file.
  ///
  /// Leap seconds are skipped, since the machine's clock does not count them.
  ///
  /// - Throws: `TZifError` for bytes that are cut off, damaged or not TZif.
  static func rules(from bytes: [UInt8]) throws(TZifError) -> ZoneRules {
    var reader = TZifReader(bytes: bytes[...])
    let first = try Header(&reader)
    guard first.version != 0 else { return try body(first, timeSize: 4, &reader) }
    try reader.skip(first.bodySize(timeSize: 4))
    return try body(try Header(&reader), timeSize: 8, &reader)
  }

  private struct Header {
    let version: UInt8
    let isUTCCount, isStandardCount, leapCount, timeCount, typeCount, abbreviationSize: Int

    init(_ reader: inout TZifReader) throws(TZifError) {
      guard try reader.take(4).elementsEqual("TZif".utf8) else { throw TZifError(reason: "it is not a zone file") }
      version = try reader.byte()
      try reader.skip(15)
      isUTCCount = try reader.count()
      isStandardCount = try reader.count()
      leapCount = try reader.count()
      timeCount = try reader.count()
      typeCount = try reader.count()
      abbreviationSize = try reader.count()
      guard version == 0 || version >= UInt8(ascii: "2"), (1...256).contains(typeCount), abbreviationSize > 0,
        isUTCCount == 0 || isUTCCount == typeCount, isStandardCount == 0 || isStandardCount == typeCount
      else { throw TZifError.inconsistent }
    }

    func bodySize(timeSize: Int) -> Int {
      timeCount * (timeSize + 1) + typeCount * 6 + abbreviationSize + leapCount * (timeSize + 4) + isStandardCount
        + isUTCCount
    }
  }

  private static func body(
    _ header: Header, timeSize: Int, _ reader: inout TZifReader
  ) throws(TZifError) -> ZoneRules {
    // Checked before anything is stored, so that a damaged count costs no memory.
    guard reader.bytes.count >= header.bodySize(timeSize: timeSize) else { throw TZifError.truncated }
    var transitions: [Int] = []
    for _ in 0..<header.timeCount {
      let time = try reader.integer(size: timeSize)
      // Clamped so that sums cannot overflow; no zone changes its clocks that far from 1970.
      if let last = transitions.last, last >= time { throw TZifError.inconsistent }
      transitions.append(min(max(time, -instantLimit), instantLimit))
    }
    let indices = try reader.take(header.timeCount).map(Int.init)
    guard indices.allSatisfy({ $0 < header.typeCount }) else { throw TZifError.inconsistent }
    let types = try types(header, &reader)
    try reader.skip(header.leapCount * (timeSize + 4) + header.isStandardCount + header.isUTCCount)
    let footer = timeSize == 8 ? try footer(&reader) : nil
    return ZoneRules(transitions: transitions, typeIndices: indices, types: types, footer: footer)
  }

  private static func types(_ header: Header, _ reader: inout TZifReader) throws(TZifError) -> [LocalTimeType] {
    var fields: [(offset: Int, name: Int)] = []
    for _ in 0..<header.typeCount {
      let offset = try reader.integer(size: 4)
      guard try reader.byte() <= 1, (-89_999...93_599).contains(offset) else { throw TZifError.inconsistent }
      fields.append((offset, Int(try reader.byte())))
    }
    let names = Array(try reader.take(header.abbreviationSize))
    var types: [LocalTimeType] = []
    for field in fields {
      guard field.name < names.count, let end = names[field.name...].firstIndex(of: 0),
        names[field.name..<end].allSatisfy(isAbbreviationByte)
      else { throw TZifError.inconsistent }
      let name = String(decoding: names[field.name..<end], as: UTF8.self)
      types.append(LocalTimeType(offset: field.offset, abbreviation: name))
    }
    return types
  }

  private static func footer(_ reader: inout TZifReader) throws(TZifError) -> PosixZoneRule? {
    let newline = UInt8(ascii: "\n")
    guard try reader.byte() == newline else { throw TZifError.inconsistent }
    guard let end = reader.bytes.firstIndex(of: newline) else { throw TZifError.truncated }
    let text = reader.bytes[..<end]
    guard !text.isEmpty else { return nil }
    guard let rule = PosixZoneRule(parsing: String(decoding: text, as: UTF8.self)) else {
      throw TZifError(reason: "the zone file's last line is not a valid rule")
    }
    return rule
  }

  /// The largest distance from 1970, in seconds, at which a zone still distinguishes instants.
  static let instantLimit = 1 << 43
}

/// Reads big-endian fields from the front of a zone file.
private struct TZifReader {
  var bytes: ArraySlice<UInt8>

  mutating func take(_ count: Int) throws(TZifError) -> ArraySlice<UInt8> {
    guard count <= bytes.count else { throw TZifError.truncated }
    defer { bytes = bytes.dropFirst(count) }
    return bytes.prefix(count)
  }

  mutating func skip(_ count: Int) throws(TZifError) { _ = try take(count) }

  mutating func byte() throws(TZifError) -> UInt8 {
    guard let byte = bytes.popFirst() else { throw TZifError.truncated }
    return byte
  }

  /// Reads a signed number of 4 or 8 bytes.
  mutating func integer(size: Int) throws(TZifError) -> Int {
    var bits: UInt64 = 0
    for byte in try take(size) { bits = bits << 8 | UInt64(byte) }
    let unused = 64 - size * 8
    return Int(Int64(bitPattern: bits << unused) >> unused)
  }

  /// Reads an unsigned number of 4 bytes.
  mutating func count() throws(TZifError) -> Int {
    var value = 0
    for byte in try take(4) { value = value << 8 | Int(byte) }
    return value
  }
}
