import BelfryTestKit
import Foundation
import Testing

@testable import Interchange

@Suite("Mutated files")
struct MutationTests {
  private static let formats: [ImportFormat] = [
    .belfry, .propertyList, .taskwarrior, .todoist, .tickTick, .outlook, .googleTasks, .todoTxt, .table,
  ]

  /// The outcome of reading a file: success or an error, never a crash.
  private func outcome(_ bytes: [UInt8], _ format: ImportFormat?) -> String {
    do {
      let entries = try Contents.entries(bytes, format)
      return entries.refusals.isEmpty ? "read" : "read in part"
    } catch {
      return error is ImportError ? "refused" : "\(error)"
    }
  }

  private func seed(_ format: ImportFormat) throws -> [UInt8] {
    switch format {
    case .taskwarrior:
      return Array(
        """
        [{"id":1,"description":"a","due":"20261224T173000Z","tags":["b","c"],"annotations":[{"description":"d"}]},
        {"description":"e","status":"recurring","recur":"weekly","due":"20261102T080000Z","mask":"-+","until":"2027-01-01"},
        {"description":"f","status":"completed","end":"1234567889","uda.x":1.5}]
        """.utf8)
    case .todoist:
      return Array(
        """
        TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE
        section,Before,,,,,,,,
        task,"Call ""Anna"" @phone","a
        b",1,1,Ann (7),,every monday 9am,en,Asia/Tokyo
        note,she is away,,,,,,,,
        task,Buy milk,,4,2,,,2026-12-24 18:30,de,

        """.utf8)
    case .tickTick:
      return Array(
        #"""
        "Date: 2026-11-20+0000"
        "List Name","Title","Tags","Start Date","Due Date","Reminder","Repeat","Status","Timezone","Is All Day","taskId"
        "Home","Call ""Anna""","a, b","2026-12-05T07:00:00+0000","2026-12-05T07:30:00+0000","-PT15M","RRULE:FREQ=DAILY","0","Asia/Tokyo","false","7"
        "Home","Buy
        milk","","","2026-12-04T23:00:00+0000","P0DT9H0M0S","","2","Europe/Zurich","true","8"
        "","Rest","","","","","","","","",""

        """#.utf8)
    case .outlook:
      return Array(
        #"""
        "Subject","Due Date","Reminder On/Off","Reminder Date","Reminder Time","% Complete","Notes","Priority"
        "Renew","12/15/2026","True","12/14/2026","6:30:00 PM","0","Two
        photos","High"
        "Pay","15.12.2026","False","","","100%","",""
        "Rest","","","","","","",""

        """#.utf8)
    case .googleTasks:
      return Array(
        """
        {"kind":"tasks#taskLists","items":[{"title":"A","items":[
        {"id":"a","title":"b","due":"2026-12-01T00:00:00Z","links":[1]},
        {"title":"c","scheduled_time":[{"current":true,"start":"2026-12-02T10:30:00Z"}],"status":"completed"}]}]}
        """.utf8)
    default:
      var random = RandomItems(seed: 5)
      let written = ExportFormat(rawValue: format.rawValue) ?? .todoTxt
      return Array(try Contents.exported(random.belfry(items: 12), as: written).utf8)
    }
  }

  @Test(
    "files with changed, lost and doubled bytes are read or refused",
    arguments: Self.formats)
  func mutations(format: ImportFormat) throws {
    let original = try seed(format)
    #expect(outcome(original, format) == "read")
    var generator = SeededGenerator(seed: 77)
    var outcomes: [String: Int] = [:]
    for round in 0..<3_000 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes[place] = Array("{}[]\",:\\+@0-9eE\n \u{0}".utf8).randomElement(using: &generator) ?? 0
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + 9))
        case 3: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 30)], at: place)
        default: bytes = Array(bytes[..<max(1, place)])
        }
        if bytes.isEmpty { bytes = [0x5B] }
      }
      outcomes[outcome(bytes, round % 2 == 0 ? format : nil), default: 0] += 1
    }
    #expect(Set(outcomes.keys).isSubset(of: ["read", "read in part", "refused"]), "\(outcomes)")
    // A property list that is damaged anywhere is no property list, and Google's file is one JSON document.
    if format != .propertyList, format != .googleTasks {
      #expect(outcomes["read in part", default: 0] > 50, "\(outcomes)")
    }
  }

  @Test(
    "a megabyte of the worst takes no time that grows with its square",
    arguments: [
      ("[", 1 << 20), ("{\"a\":", 200_000), ("[{\"description\":\"a\",\"tags\":[", 30_000), ("\"", 1 << 20),
      ("{\"description\":\"", 1 << 16),
      ("+a ", 350_000), ("@", 1 << 20), ("belfry-property:x ", 60_000), ("\n", 1 << 20), ("x ", 500_000),
      ("{}\n", 350_000), (",", 1 << 20), ("\"\n", 1 << 19), ("task,x\n", 100_000),
      ("{\"description\":\"a\",\"recur\":\"daily\",\"status\":\"recurring\",\"due\":\"20261102T080000Z\"}", 12_000),
    ] as [(String, Int)])
  func worst(part: String, count: Int) throws {
    let bytes = Array(String(repeating: part, count: count).utf8)
    for format in Self.formats {
      let time = ProcessorTime.measure { _ = outcome(bytes, format) }
      #expect(time < TimeLimit.costlyImport, "\(format)")
    }
  }

  @Test("a mask of many instances takes no time, one of too many is refused")
  func masks() throws {
    for (count, refusals) in [(100_000, 0), (100_001, 1)] {
      let mask = String(repeating: "-", count: count)
      let text = """
        {"description":"a","recur":"daily","status":"recurring","due":"20001102T080000Z","mask":"\(mask)"}
        """
      #expect(try Contents.entries(text, .taskwarrior).refusals.count == refusals)
    }
  }
}
