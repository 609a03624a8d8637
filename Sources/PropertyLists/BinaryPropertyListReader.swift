/// A reader of property lists in version 00 of the binary format.
///
/// A file is a header, objects, a table of the objects' offsets, and a trailer of 32 bytes; containers refer to objects
/// by their index in the table. So objects may be shared, and a container may contain itself: see `expand`.
struct BinaryPropertyListReader {
  let bytes: UnsafeRawBufferPointer
  private let offsetSize: Int
  private let referenceSize: Int
  private let objectCount: Int
  private let topObject: Int
  private let tableOffset: Int
  /// The containers around the object being read, to detect one that contains itself.
  private var ancestors: [Int] = []
  /// Long texts and data by object, so that many references to one share its memory.
  private var shared: [Int: PropertyList] = [:]
  /// The number of values that may still be created. Each reference takes at least a byte of the file, so only
  /// excessive sharing gives more values than the file has bytes.
  private var budget: Int

  private static let header = "bplist00"
  private static let trailerSize = 32

  /// A reader of a file with a consistent trailer.
  init(bytes: UnsafeRawBufferPointer) throws(PropertyListFault) {
    self.bytes = bytes
    budget = bytes.count
    guard bytes.starts(with: Self.header.utf8) else {
      throw PropertyListFault(offset: 0, message: "is a binary property list of an unknown version")
    }
    let trailer = bytes.count - Self.trailerSize
    guard trailer > Self.header.utf8.count else {
      throw PropertyListFault(
        offset: bytes.count, message: "ends too early: a binary property list ends with a trailer")
    }
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    func number(at place: Int) -> Int? {
      BinaryPropertyListReader.unsigned(bytes, at: trailer + place, size: 8).flatMap { Int(exactly: $0) }
    }
    guard 1...8 ~= offsetSize, 1...8 ~= referenceSize, let count = number(at: 8), let top = number(at: 16),
      let table = number(at: 24), table > Self.header.utf8.count, table < trailer, top < count,
      case let (tableSize, overflow) = count.multipliedReportingOverflow(by: offsetSize), !overflow,
      tableSize == trailer - table
    else {
      throw PropertyListFault(
        offset: trailer, message: "the trailer does not fit the file, which is cut short or damaged")
    }
    objectCount = count
    topObject = top
    tableOffset = table
  }

  /// The value of the top object.
  mutating func document() throws(PropertyListFault) -> PropertyList {
    try object(topObject, referredToAt: bytes.count - Self.trailerSize)
  }

  /// The value of an object by its index in the table.
  private mutating func object(_ number: Int, referredToAt referrer: Int) throws(PropertyListFault) -> PropertyList {
    budget -= 1
    guard budget >= 0 else {
      throw PropertyListFault(offset: referrer, message: "its containers refer to each other far too often")
    }
    if let known = shared[number] { return known }
    guard number < objectCount,
      let start = Self.unsigned(bytes, at: tableOffset + number * offsetSize, size: offsetSize),
      start >= Self.header.utf8.count, start < tableOffset
    else {
      throw PropertyListFault(offset: referrer, message: "refers to object \(number), which is not in the file")
    }
    let offset = Int(start)
    let marker = bytes[offset]
    switch marker >> 4 {
    case 0xA, 0xD: return try expand(number, at: offset, isDictionary: marker >> 4 == 0xD)
    default:
      let (value, isLarge) = try scalar(at: offset, marker: marker)
      if isLarge { shared[number] = value }
      return value
    }
  }

  /// The value of an array or a dictionary, by recursion, which is bounded in depth and refuses cycles.
  private mutating func expand(
    _ number: Int, at offset: Int, isDictionary: Bool
  ) throws(PropertyListFault) -> PropertyList {
    guard !ancestors.contains(number) else {
      throw PropertyListFault(offset: offset, message: "this container contains itself")
    }
    guard ancestors.count < PropertyList.deepestNesting else { throw .tooDeep(at: offset) }
    ancestors.append(number)
    defer { ancestors.removeLast() }
    let (count, start) = try count(at: offset)
    _ = try extent(of: count, size: isDictionary ? 2 * referenceSize : referenceSize, at: start, of: offset)
    return isDictionary
      ? .dictionary(try dictionary(count: count, from: start, of: offset))
      : .array(try array(count: count, from: start))
  }

  private mutating func array(count: Int, from start: Int) throws(PropertyListFault) -> [PropertyList] {
    var elements: [PropertyList] = []
    for position in 0..<count {
      elements.append(try referredObject(at: start + position * referenceSize))
    }
    return elements
  }

  private mutating func dictionary(
    count: Int, from start: Int, of offset: Int
  ) throws(PropertyListFault) -> PropertyListDictionary {
    var entries: [PropertyListDictionary.Entry] = []
    for position in 0..<count {
      let reference = start + position * referenceSize
      guard case .string(let key) = try referredObject(at: reference) else {
        throw PropertyListFault(offset: reference, message: "a dictionary has a key that is not text")
      }
      let value = try referredObject(at: reference + count * referenceSize)
      entries.append(PropertyListDictionary.Entry(key: key, value: value))
    }
    let dictionary = PropertyListDictionary(entries)
    if let key = dictionary.duplicateKey { throw .duplicate(key: key, at: offset) }
    return dictionary
  }

  private mutating func referredObject(at place: Int) throws(PropertyListFault) -> PropertyList {
    let number = Self.unsigned(bytes, at: place, size: referenceSize).flatMap { Int(exactly: $0) }
    return try object(number ?? .max, referredToAt: place)
  }

  /// The end of `count` parts of a size from `start` on, which must be before the table.
  func extent(of count: Int, size: Int, at start: Int, of offset: Int) throws(PropertyListFault) -> Int {
    let (length, overflow) = count.multipliedReportingOverflow(by: size)
    guard !overflow, start <= tableOffset, length <= tableOffset - start else {
      throw PropertyListFault(
        offset: offset, message: "an object reaches beyond the part of the file that holds objects")
    }
    return start + length
  }
}
