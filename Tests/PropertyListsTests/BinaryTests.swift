import Foundation
import PropertyLists
import Testing

@Suite("Binary property lists")
struct BinaryTests {
  private func message(of file: BinaryFile) -> String? {
    let error = #expect(throws: PropertyListError.self) { try PropertyList(parsing: file.bytes) }
    #expect(error?.position == nil)
    return error?.message
  }

  @Test("every kind of value is read")
  func values() throws {
    let objects: [([UInt8], PropertyList)] = [
      ([0x08], .bool(false)), ([0x09], .bool(true)), ([0x10, 0xFF], .integer(255)),
      ([0x11, 0xFF, 0xFE], .integer(65_534)),
      ([0x12, 0xFF, 0xFF, 0xFF, 0xFF], .integer(4_294_967_295)), ([0x13] + BinaryFile.bigEndian(.max, 8), .integer(-1)),
      ([0x14] + BinaryFile.bigEndian(0, 8) + BinaryFile.bigEndian(5, 8), .integer(5)),
      ([0x14] + BinaryFile.bigEndian(.max, 8) + BinaryFile.bigEndian(UInt64(bitPattern: -5), 8), .integer(-5)),
      ([0x22, 0x3F, 0xC0, 0, 0], .real(1.5)), ([0x23] + BinaryFile.bigEndian((-2.25).bitPattern, 8), .real(-2.25)),
      ([0x33] + BinaryFile.bigEndian((0.5).bitPattern, 8), .date(Date(timeIntervalSinceReferenceDate: 0.5))),
      ([0x43, 1, 2, 3], .data([1, 2, 3])), ([0x40], .data([])), ([0x50], .string("")),
      ([0x52, 0x61, 0], .string("a\u{0}")),
      ([0x63, 0x00, 0xE9, 0xD8, 0x3D, 0xDE, 0x00], .string("é😀")), ([0x80, 7], .uid(7)), ([0x81, 1, 0], .uid(256)),
      (BinaryFile.ascii(String(repeating: "x", count: 1_000)), .string(String(repeating: "x", count: 1_000))),
    ]
    let root = BinaryFile.array(Array(1...objects.count))
    let file = BinaryFile(objects: [root] + objects.map(\.0))
    #expect(try PropertyList(parsing: file.bytes) == .array(objects.map(\.1)))
    #expect(PropertyListFormat(of: file.bytes) == .binary)
  }

  @Test("references outside the file, to themselves or to nothing are refused by name")
  func references() {
    #expect(
      message(of: BinaryFile(objects: [BinaryFile.array([1])]))?.contains("object 1, which is not in the file") == true)
    #expect(message(of: BinaryFile(objects: [BinaryFile.array([0])])) == "this container contains itself")
    let loop = BinaryFile(objects: [BinaryFile.array([1]), BinaryFile.array([2]), BinaryFile.array([0])])
    #expect(message(of: loop) == "this container contains itself")
    let key = BinaryFile(objects: [BinaryFile.container(0xD, count: 1, [1, 1]), [0x09]])
    #expect(message(of: key) == "a dictionary has a key that is not text")
    let twice = BinaryFile(objects: [
      BinaryFile.container(0xD, count: 2, [1, 1, 2, 2]), BinaryFile.ascii("a\u{1}"), [0x09],
    ])
    #expect(message(of: twice) == "this dictionary has the key \"a\" twice")
    var far = BinaryFile(objects: [BinaryFile.array([0x7FFF_FFFF])])
    #expect(message(of: far)?.contains("not in the file") == true)
    far.objects = [[0xA1] + BinaryFile.bigEndian(.max, 8)]
    far.referenceSize = 8
    #expect(message(of: far)?.contains("not in the file") == true)
  }

  @Test("absurd lengths and counts are refused without taking memory")
  func absurdSizes() {
    let lengths: [[UInt8]] = [
      [0x5F, 0x13] + BinaryFile.bigEndian(.max >> 1, 8), [0xAF, 0x13] + BinaryFile.bigEndian(.max >> 1, 8),
      [0xDF, 0x13] + BinaryFile.bigEndian(.max >> 2, 8), [0x6F, 0x13] + BinaryFile.bigEndian(.max >> 1, 8),
      [0x4F, 0x12, 0x7F, 0xFF, 0xFF, 0xFF], [0x5E], [0xAE], [0x13], [0x23, 0, 0], [0x33], [0x87], [0x14, 0],
    ]
    for object in lengths {
      #expect(
        message(of: BinaryFile(objects: [object])) == "an object reaches beyond the part of the file that holds objects"
      )
    }
    for object in [[0x5F, 0x08], [0x5F, 0x14], [0x5F, 0x13] + BinaryFile.bigEndian(.max, 8)] as [[UInt8]] {
      #expect(
        message(of: BinaryFile(objects: [object + Array(repeating: 0, count: 16)])) == "an object has no valid length")
    }
    for change: (inout BinaryFile) -> Void in [
      { $0.count = .max }, { $0.count = 0 }, { $0.count = 1 << 61 }, { $0.top = 1 }, { $0.top = .max },
      { $0.table = .max },
      { $0.table = 0 }, { $0.table = 8 }, { $0.offsetSize = 0 }, { $0.offsetSize = 9 }, { $0.referenceSize = 0 },
      { $0.referenceSize = 255 },
    ] {
      var file = BinaryFile(objects: [[0x09]])
      change(&file)
      #expect(message(of: file)?.hasPrefix("the trailer does not fit the file") == true)
    }
  }

  @Test("objects of unknown kinds and text that is none are refused by name")
  func oddObjects() {
    for marker in [0x00, 0x01, 0x0C, 0x0F, 0x15, 0x21, 0x24, 0x32, 0x70, 0x88, 0x90, 0xB0, 0xC0, 0xE0, 0xF0] as [UInt8]
    {
      let file = BinaryFile(objects: [[marker] + Array(repeating: 0, count: 16)])
      #expect(message(of: file) == "no kind of object has the marker 0x\(String(marker, radix: 16))")
    }
    #expect(message(of: BinaryFile(objects: [[0x51, 0xE9]])) == "a text marked as ASCII is not ASCII")
    #expect(message(of: BinaryFile(objects: [[0x61, 0xD8, 0x00]])) == "a text holds half of a surrogate pair")
    let large = [0x14] + BinaryFile.bigEndian(1, 8) + BinaryFile.bigEndian(0, 8)
    #expect(message(of: BinaryFile(objects: [large])) == "a whole number is beyond 64 bits")
    #expect(message(of: BinaryFile(objects: [[0x09]], header: "bplist15"))?.contains("unknown version") == true)
    #expect(throws: PropertyListError.self) { try PropertyList(parsing: "bplist00".utf8) }
  }

  @Test("numbers that need all 64 bits stand in sixteen bytes", arguments: [1 << 63, 1 << 63 + 1, .max] as [UInt64])
  func largeIntegers(number: UInt64) throws {
    let file = BinaryFile(objects: [[0x14] + BinaryFile.bigEndian(0, 8) + BinaryFile.bigEndian(number, 8)])
    #expect(try PropertyList(parsing: file.bytes) == .largeInteger(number))
    let list = PropertyList.array([.largeInteger(number), .integer(.max), .integer(.min)])
    #expect(try PropertyList(parsing: list.binary()) == list)
    var xml = Array(XMLPropertyList.prolog.utf8)
    try XMLPropertyList.append(list, to: &xml)
    xml += Array("</plist>".utf8)
    #expect(try PropertyList(parsing: xml) == list)
  }

  @Test("nesting is bounded", arguments: [257, 100_000])
  func nesting(depth: Int) throws {
    func nested(_ depth: Int) -> BinaryFile {
      BinaryFile(objects: (1..<depth).map { BinaryFile.array([$0]) } + [BinaryFile.array([])])
    }
    _ = try PropertyList(parsing: nested(256).bytes)
    #expect(message(of: nested(depth)) == "is nested deeper than 256 levels")
  }

  @Test("containers that double with each level are refused at once")
  func doublingContainers() {
    let levels = (1...60).map { BinaryFile.array([$0, $0]) }
    let message = message(of: BinaryFile(objects: levels + [[0x09]]))
    #expect(message == "its containers refer to each other far too often")
  }

  @Test("many references to one long text share its memory")
  func sharedText() throws {
    let text = String(repeating: "long ", count: 200_000)
    let root = BinaryFile.array(Array(repeating: 1, count: 100_000))
    let value = try PropertyList(parsing: BinaryFile(objects: [root, BinaryFile.ascii(text)]).bytes)
    #expect(value.arrayValue?.count == 100_000)
    #expect(value.arrayValue?.last == .string(text))
  }

  @Test("a file cut anywhere is refused, one changed anywhere is refused or read")
  func damaged() throws {
    let objects: [[UInt8]] = [
      BinaryFile.container(0xD, count: 3, [1, 2, 3, 4, 5, 6]), BinaryFile.ascii("a"), BinaryFile.ascii("b"),
      BinaryFile.ascii("c"), BinaryFile.array([7, 8, 9]), [0x62, 0, 0xE9, 0xD8, 0x3D],
      [0x33, 0x41, 0, 0, 0, 0, 0, 0, 0],
      [0x11, 1, 2], [0x44, 1, 2, 3, 4], BinaryFile.ascii("a long text of more than fifteen"),
    ]
    let file = BinaryFile(objects: objects, offsetSize: 2).bytes
    for length in file.indices {
      #expect(throws: PropertyListError.self) { try PropertyList(parsing: file[..<length]) }
    }
    var outcomes: Set<String> = []
    for index in file.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = file
        changed[index] = byte
        do {
          _ = try PropertyList(parsing: changed)
          outcomes.insert("read")
        } catch {
          outcomes.insert(error.message.components(separatedBy: " ").prefix(3).joined(separator: " "))
        }
      }
    }
    #expect(outcomes.count > 8)
  }
}
