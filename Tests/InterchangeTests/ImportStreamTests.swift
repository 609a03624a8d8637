import Foundation
import Testing

@testable import Interchange

@Suite("Bytes and lines of files")
struct ImportStreamTests {
  private func lines(_ text: String, limit: Int = 100) throws -> [Line] {
    var reader = LineReader(ByteSource(text.utf8), limit: limit)
    var lines: [Line] = []
    while let line = try reader.next() { lines.append(line) }
    return lines
  }

  @Test("LF and CR LF end a line, the last one needs neither, and a byte order mark is no part of the first")
  func lineEnds() throws {
    #expect(try lines("").isEmpty)
    #expect(try lines("a").map(\.text) == ["a"])
    #expect(try lines("\u{FEFF}a\nb\r\n\r\nc\rd\n").map(\.text) == ["a", "b", "", "c\rd"])
    #expect(try lines("a\n\nb").map(\.number) == [1, 2, 3])
  }

  @Test("a line beyond the limit is cut and said to be, and the next one is whole")
  func longLines() throws {
    let long = String(repeating: "x", count: 200_000)
    let found = try lines("a\n\(long)\nb\n\(long)", limit: 10)
    #expect(found.map(\.isTooLong) == [false, true, false, true])
    #expect(found.map(\.number) == [1, 2, 3, 4])
    #expect(found[1].bytes.count == 10 && found[2].text == "b")
  }

  @Test("bytes that are not UTF-8 are no text")
  func invalid() throws {
    var reader = LineReader(ByteSource([0x61, 0xFF, 0x0A, 0x62]))
    #expect(try reader.next()?.text == nil)
    #expect(try reader.next()?.text == "b")
  }

  @Test("a file and a pipe are read piece by piece, and say how far that is")
  func descriptors() throws {
    let pipe = Pipe()
    let text = (1...50_000).map { "line \($0)\n" }.joined()
    Thread.detachNewThread {
      try? pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
      try? pipe.fileHandleForWriting.close()
    }
    let bytes = ByteSource(descriptor: pipe.fileHandleForReading.fileDescriptor, name: "pipe")
    #expect(bytes.size == nil)
    var reader = LineReader(bytes)
    var count = 0
    while let line = try reader.next() {
      count += 1
      #expect(line.text == "line \(count)")
    }
    #expect(count == 50_000 && bytes.bytesRead == text.utf8.count)
  }

  @Test("a stop request ends the reading between two pieces")
  func checkpoint() throws {
    struct Enough: Error {}
    let zeros = try FileHandle(forReadingFrom: URL(filePath: "/dev/zero"))
    let bytes = ByteSource(descriptor: zeros.fileDescriptor, name: "zeros")
    var pieces = 0
    bytes.checkpoint = {
      pieces += 1
      if pieces > 3 { throw Enough() }
    }
    #expect(throws: Enough.self) { try bytes.readAll() }
    #expect(bytes.bytesRead == 3 << 16)
  }

  @Test("a folder cannot be read, and is named")
  func unreadable() throws {
    let descriptor = open("/", O_RDONLY)
    defer { close(descriptor) }
    let bytes = ByteSource(descriptor: descriptor, name: "root")
    let error = #expect(throws: (any Error).self) { try bytes.readAll() }
    #expect("\(String(describing: error))".contains("root cannot be read: Is a directory"))
  }

  @Test("records of JSON are found across pieces, with their lines")
  func records() throws {
    let long = String(repeating: "é\\\"{[", count: 20_000)
    var json = JSONStream(ByteSource("  {\"a\":\n\"\(long)\"}\n [1,\n2] \"x\" 12 true".utf8))
    #expect(try json.value().parsed()["a"]?.stringValue?.count == 80_000)
    #expect(json.line == 2)
    let array = try json.value()
    #expect(array.line == 3)
    #expect(try array.parsed().arrayValue?.count == 2)
    #expect(try json.value().parsed() == "x")
    #expect(try json.value().parsed() == 12)
    #expect(try json.value().parsed() == true)
    #expect(try json.nextByte() == nil)
  }

  @Test(
    "what is never closed, and what is no value, is refused with its line",
    arguments: ["\n{\"a\":1", "\n[[1]", "\n\"abc", "\n]", "\n,", "\n"])
  func faults(text: String) throws {
    var json = JSONStream(ByteSource(text.utf8))
    let error = #expect(throws: ImportError.self) { try json.value() }
    #expect(error?.message.hasPrefix("line 2: ") == true, "\(String(describing: error))")
  }
}
