import BelfryTestKit
import Foundation
import OrderedJSON
import Testing

@Suite("Parsing")
struct ParsingTests {
  @Test("an error names line, column in characters, and byte")
  func errorPosition() {
    let cases: [(String, Int, Int, Int, String)] = [
      ("", 1, 1, 0, "the document is empty"),
      (" \n\t", 2, 2, 3, "the document is empty"),
      ("{\n  \"é日\": tru\n}", 2, 9, 13, "expected a value, found \"t\""),
      ("[1,\r\n2,\r3,\n x]", 4, 2, 12, "expected a value, found \"x\""),
      ("[1", 1, 3, 2, "ends too early: expected \",\" or \"]\""),
      ("[1 2]", 1, 4, 3, "expected \",\" or \"]\", found \"2\""),
      ("{\"a\":1,}", 1, 8, 7, "expected a key in double quotes, found \"}\""),
      ("{\"a\" 1}", 1, 6, 5, "expected \":\", found \"1\""),
      ("{} {}", 1, 4, 3, "expected the end of the document, found \"{\""),
      ("\"abc", 1, 1, 0, "this string is never closed"),
      ("\"a\\n", 1, 1, 0, "this string is never closed"),
      ("\"é\tx\"", 1, 3, 3, "a string must not hold the control character U+0009 unescaped"),
      ("\"\\x\"", 1, 2, 1, "JSON has no such escape; a backslash itself is written \\\\"),
      ("\"\\u12G4\"", 1, 2, 1, "\\u must be followed by four hexadecimal digits"),
      ("\"\\ud800\\u0041\"", 1, 2, 1, "this escape is half of a surrogate pair, which is not a character"),
      ("[-]", 1, 3, 2, "expected a digit, found \"]\""),
      ("[012]", 1, 2, 1, "a number must not start with a zero"),
      ("[1.]", 1, 4, 3, "expected a digit, found \"]\""),
      ("[1e400]", 1, 2, 1, "this number is too large"),
      ("[\u{0}]", 1, 1, 0, "is not UTF-8 (it looks like UTF-16 or binary data)"),
      ("[  \u{0}]", 1, 4, 3, "expected a value, found the control character U+0000"),
      ("[ \u{FEFF}]", 1, 3, 2, "expected a value, found a character beyond ASCII"),
      ("\u{FEFF}{}", 1, 1, 0, "starts with a byte order mark, which JSON must not have"),
      ("{\"a\":1,\n\"a\":2}", 2, 1, 8, "the key \"a\" is in its object twice"),
    ]
    for (text, line, column, offset, message) in cases {
      let error = #expect(throws: JSONError.self, "\(text)") { try JSONValue(parsing: text.utf8) }
      #expect(error?.description == "\(line):\(column): \(message)", "\(text)")
      #expect(error?.offset == offset, "\(text)")
    }
  }

  @Test("invalid UTF-8 is named at its first bad byte, wherever it stands in the string")
  func invalidUTF8() {
    for (before, escaped) in [("", ""), ("abcdefgh", ""), ("é日本語", ""), ("", "\\n"), ("日本語 text", "\\u00e9")] {
      let bytes = Array("[\"\(before)".utf8) + [0xC3, 0x28] + Array("\(escaped)\"]".utf8)
      let error = #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
      #expect(error?.offset == 2 + before.utf8.count)
      #expect(error?.column == 3 + before.unicodeScalars.count)
    }
  }

  @Test("whole numbers that fit are integers, all others the nearest Double")
  func numbers() throws {
    let cases: [(String, JSONValue)] = [
      ("0", 0), ("-0", 0), ("7", 7), ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("1.0", 1.0), ("1e3", 1000.0), ("-0.0", -0.0),
      ("0.1", 0.1), ("123456789012345678901234567890", 123456789012345678901234567890.0),
      ("5e-324", .number(.leastNonzeroMagnitude)),
      ("2.2250738585072014E-308", 2.2250738585072014e-308), ("1e-400", 0.0),
      ("1.7976931348623157e308", 1.7976931348623157e308),
      ("1e+0000000000000000000000000000002", 100.0), ("1e-99999999999999999999999999", 0.0),
      ("0e99999999999999999999999999", 0.0), ("9007199254740993.0", 9007199254740992.0),
    ]
    for (text, value) in cases {
      #expect(try JSONValue(parsing: text.utf8) == value, "\(text)")
    }
    #expect(try JSONValue(parsing: "-0.0".utf8).doubleValue?.sign == .minus)
  }

  @Test("numbers in decimal are read to the last bit")
  func numbersAgreeWithTheStandardLibrary() throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<20_000 {
      let digits = String(generator.next() >> (generator.next() % 60))
      let point = Int(generator.next() % UInt64(digits.count + 1))
      let whole = point == 0 ? "0" : String(digits.prefix(point)).drop { $0 == "0" }.description
      let fraction = digits.dropFirst(point).isEmpty ? "0" : String(digits.dropFirst(point))
      let text = "\(whole.isEmpty ? "0" : whole).\(fraction)e\(Int(generator.next() % 80) - 40)"
      let expected = try #require(Double(text))
      #expect(try JSONValue(parsing: text.utf8).doubleValue?.bitPattern == expected.bitPattern, "\(text)")
    }
  }

  @Test("escapes become the characters they stand for")
  func escapes() throws {
    let text = #""\" \\ \/ \b\f\n\r\t \u0000 \u00e9 \u65e5 \ud834\udd1E \uFFFF é日𝄞""#
    let value = try JSONValue(parsing: text.utf8)
    #expect(value == "\" \\ / \u{8}\u{C}\n\r\t \u{0} é 日 𝄞 \u{FFFF} é日𝄞")
  }

  @Test("nesting is bounded, whatever the caller asks for")
  func nesting() throws {
    func nested(_ count: Int, _ open: String, _ close: String) -> [UInt8] {
      Array((String(repeating: open, count: count) + "1" + String(repeating: close, count: count)).utf8)
    }
    _ = try JSONValue(parsing: nested(512, "[", "]"))
    _ = try JSONValue(parsing: nested(512, "{\"a\":", "}"))
    _ = try JSONValue(parsing: nested(1_000, "[", "]"), maximumDepth: 1_000_000)
    for count in [513, 100_000] {
      let error = #expect(throws: JSONError.self) { try JSONValue(parsing: nested(count, "[", "]")) }
      #expect(error?.message == "is nested deeper than 512 levels")
      #expect(error?.offset == 512)
    }
    #expect(throws: JSONError.self) { try JSONValue(parsing: nested(100_000, "{\"a\":", "}")) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: nested(100_000, "[", "]"), maximumDepth: .max) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: nested(1, "[", "]"), maximumDepth: 0) }
    #expect(try JSONValue(parsing: nested(0, "[", "]"), maximumDepth: 0) == 1)
  }

  @Test("nesting as deep as the default allows fits a small stack, writing and release included")
  func smallStack() async throws {
    let text = String(repeating: "{\"a\":[", count: 256) + String(repeating: "]}", count: 256)
    let written = await withCheckedContinuation { continuation in
      let thread = Thread {
        let value = try? JSONValue(parsing: text.utf8)
        continuation.resume(returning: value?.serialized())
      }
      thread.stackSize = 4 << 20
      thread.start()
    }
    #expect(written == text)
  }

  @Test("keys are told apart by their bytes")
  func canonicallyEquivalentKeys() throws {
    let value = try JSONValue(parsing: "{\"\u{E9}\":1,\"e\u{301}\":2}".utf8)
    #expect(value.objectValue?.count == 2)
    #expect(value["\u{E9}"] == 1)
    #expect(value["e\u{301}"] == 2)
  }

  @Test("large objects are checked for a key twice in linear time")
  func largeObject() throws {
    let members = (0..<100_000).map { "\"k\($0)\":\($0)" }
    let value = try JSONValue(parsing: "{\(members.joined(separator: ","))}".utf8)
    #expect(value.objectValue?.count == 100_000)
    let twice = "{\(members.joined(separator: ",")),\"k77777\":0}"
    #expect(throws: JSONError.self) { try JSONValue(parsing: twice.utf8) }
    #expect(try JSONValue(parsing: twice.utf8, duplicateKeys: .lastWins)["k77777"] == 0)
  }

  @Test("every kind of byte collection is read alike")
  func collections() throws {
    let text = "{\"a\":[1,\"é\"]}"
    let expected: JSONValue = ["a": [1, "é"]]
    #expect(try JSONValue(parsing: text.utf8) == expected)
    #expect(try JSONValue(parsing: Array(text.utf8)) == expected)
    #expect(try JSONValue(parsing: Data(text.utf8)) == expected)
    #expect(try JSONValue(parsing: Data(" \(text)".utf8).dropFirst()) == expected)
    #expect(try JSONValue(parsing: Array(text.utf8.reversed()).reversed()) == expected)
    #expect(try Array(text.utf8).withUnsafeBytes { try JSONValue(parsing: $0) } == expected)
  }

  @Test("a document cut or changed anywhere is refused or read, never a crash")
  func damaged() throws {
    let document = Array(#"{"a":[1,-2.5e3,true,false,null,"é\ud834\udd1e\n"],"b":{"c":"text long enough"}}"#.utf8)
    for length in document.indices {
      #expect(throws: JSONError.self) { try JSONValue(parsing: document[..<length]) }
    }
    var refused = 0
    for index in document.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = document
        changed[index] = byte
        do { _ = try JSONValue(parsing: changed) } catch { refused += 1 }
      }
    }
    #expect(refused > document.count * 128)
  }
}
