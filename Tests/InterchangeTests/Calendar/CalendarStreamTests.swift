import BelfryTestKit
import Foundation
import Testing

@testable import Interchange

struct CalendarStreamTests {
  /// 100 MB with `BELFRY_DEEP=1`.
  private static let megabytes = ProcessInfo.processInfo.environment["BELFRY_DEEP"] == "1" ? 100 : 6

  private static let notes = String(repeating: "notes, \r\n ", count: 25)

  /// A to-do of half a kilobyte.
  private static func toDo(_ number: Int) -> String {
    """
    BEGIN:VTODO\r\nUID:\(number)@example.com\r\nSUMMARY:Number \(number)\r\nDESCRIPTION:\(notes)\r\n\
    DUE;TZID=Europe/Zurich:20261224T090000\r\nRRULE:FREQ=WEEKLY\r\nBEGIN:VALARM\r\nTRIGGER:-PT15M\r\nEND:VALARM\r\n\
    END:VTODO\r\n
    """
  }

  /// A file with a calendar of this many to-dos.
  private static func file(_ count: Int, in folder: TemporaryFolder) throws -> URL {
    let file = URL(filePath: folder.file("large.ics"))
    try Data("BEGIN:VCALENDAR\r\nNAME:Large\r\n".utf8).write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    try handle.seekToEnd()
    for first in stride(from: 0, to: count, by: 2_000) {
      try handle.write(contentsOf: Data((first..<min(first + 2_000, count)).map(toDo).joined().utf8))
    }
    try handle.write(contentsOf: Data("END:VCALENDAR\r\n".utf8))
    try handle.close()
    return file
  }

  @Test("a large file is read one to-do at a time, and never far ahead")
  func streams() throws {
    let folder = try TemporaryFolder()
    let count = Self.megabytes * 2_500
    let file = try Self.file(count, in: folder)
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    let bytes = ByteSource(descriptor: handle.fileDescriptor, name: file.path)
    #expect(bytes.size ?? 0 > Self.megabytes << 20)
    var source = CalendarSource(bytes, context: Contents.context)
    var items = 0
    var bytesGiven = 0
    var farthest = 0
    while let entry = try source.next() {
      guard case .item(let item, "Large") = entry else { continue }
      #expect(item.alerts.count == 1 && item.rule != nil)
      bytesGiven += Self.toDo(items).utf8.count
      farthest = max(farthest, bytes.bytesRead - bytesGiven)
      items += 1
    }
    #expect(items == count)
    #expect(bytes.bytesRead == bytes.size)
    // Two pieces of 64 KiB; the memory of a whole import is measured on the program.
    #expect(farthest < 128 << 10)
  }
}
