import BelfryTestKit
import Foundation
import Testing

@testable import Interchange

struct CalendarStreamTests {
  /// 100 MB with `BELFRY_DEEP=1`.
  private static let megabytes = ProcessInfo.processInfo.environment["BELFRY_DEEP"] == "1" ? 100 : 6

  /// A file with a calendar of this many to-dos, of half a kilobyte each.
  private static func file(_ count: Int, in folder: TemporaryFolder) throws -> URL {
    let file = URL(filePath: folder.file("large.ics"))
    try Data("BEGIN:VCALENDAR\r\nNAME:Large\r\n".utf8).write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    try handle.seekToEnd()
    let notes = String(repeating: "notes, \r\n ", count: 25)
    var text = ""
    for number in 0..<count {
      text += """
        BEGIN:VTODO\r\nUID:\(number)@example.com\r\nSUMMARY:Number \(number)\r\nDESCRIPTION:\(notes)\r\n\
        DUE;TZID=Europe/Zurich:20261224T090000\r\nRRULE:FREQ=WEEKLY\r\nBEGIN:VALARM\r\nTRIGGER:-PT15M\r\nEND:VALARM\r\n\
        END:VTODO\r\n
        """
      if number % 2_000 == 0 {
        try handle.write(contentsOf: Data(text.utf8))
        text = ""
      }
    }
    try handle.write(contentsOf: Data((text + "END:VCALENDAR\r\n").utf8))
    try handle.close()
    return file
  }

  private static func peakMemory() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0
  }

  @Test("a large file is read one to-do at a time, in memory that does not grow with it")
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
    let before = try Self.peakMemory()
    while let entry = try source.next() {
      guard case .item(let item, "Large") = entry else { continue }
      #expect(item.alerts.count == 1 && item.rule != nil)
      items += 1
    }
    #expect(items == count)
    #expect(bytes.bytesRead == bytes.size)
    // Other tests run in the same process, so the bound is far above what this one needs.
    #expect(try Self.peakMemory() - before < 100 << 10)
  }
}
