/// The files that are certainly as they were read, by their number and a sum over their paths and marks, so that one
/// listing of the folder shows that none has changed.
struct SettledFiles: Hashable {
  private(set) var count = 0
  private(set) var sum: Int64 = 0

  init() {}

  /// The files of a mirror.
  init(count: Int, sum: Int64) { (self.count, self.sum) = (count, sum) }

  /// Adds a file.
  mutating func add(_ number: Int64) {
    count += 1
    sum &+= number
  }

  /// The number of a file at a path, with the values of its mark; 40 bits, since SQLite refuses a sum that does not fit.
  static func number(_ path: PathHash, _ mark: FileMark.Values) -> Int64 {
    var hash = mixed(path.value ^ UInt64(bitPattern: mark.device))
    hash = mixed(hash ^ UInt64(bitPattern: mark.node))
    hash = mixed(hash ^ UInt64(bitPattern: mark.size))
    hash = mixed(hash ^ UInt64(bitPattern: mark.written))
    hash = mixed(hash ^ UInt64(bitPattern: mark.changed))
    return Int64(hash >> 24)
  }

  private static func mixed(_ value: UInt64) -> UInt64 {
    var value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}

/// A hash of a path below the root (FNV-1a), which needs no text of it.
struct PathHash: Hashable {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  init(_ bytes: some Sequence<UInt8>) { add(bytes) }

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
  }
}
