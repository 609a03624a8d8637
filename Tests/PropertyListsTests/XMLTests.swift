import Foundation
import PropertyLists
import Testing

@Suite("XML property lists")
struct XMLTests {
  private static let opening = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    """

  private func read(_ body: String, allowsControlCharacters: Bool = false) throws(PropertyListError) -> PropertyList {
    try PropertyList(parsing: "<plist>\(body)</plist>".utf8, allowsControlCharacters: allowsControlCharacters)
  }

  @Test("every kind of value is read, in the order of the file")
  func values() throws {
    let text = """
      \(Self.opening)
      <!-- a list --><dict>
        <key>z</key><string>a &lt;b&gt; &amp; &quot;c&apos; &#233;&#x1F600;</string>
        <key>a</key>
        <array><integer> -7 </integer><integer>0xFf</integer><real>1.5e3</real><real>-infinity</real><true/><false></false></array>
        <key>when</key><date>2026-11-21T08:00:42Z</date>
        <key>data</key><data>
          AAEC
          /w==
        </data>
        <key/><dict/>
        <key>e</key><string/>
        <key>uid</key><dict><key>CF$UID</key><integer>3</integer></dict>
        <key>cdata</key><string>x<![CDATA[ <&> ]]>y<!-- no -->z</string>
      </dict>
      </plist>
      <!-- the end -->
      """
    let expected: [(String, PropertyList)] = [
      ("z", .string("a <b> & \"c' é😀")),
      ("a", .array([.integer(-7), .integer(255), .real(1500), .real(-.infinity), .bool(true), .bool(false)])),
      ("when", .date(Date(timeIntervalSince1970: 1_795_248_042))), ("data", .data([0, 1, 2, 255])),
      ("", .dictionary(PropertyListDictionary())), ("e", .string("")), ("uid", .uid(3)), ("cdata", .string("x <&> yz")),
    ]
    let value = try PropertyList(parsing: text.utf8)
    #expect(value == .dictionary(PropertyListDictionary(expected.map { .init(key: $0, value: $1) })))
    #expect(try PropertyList(parsing: [0xEF, 0xBB, 0xBF] + Array(text.utf8)) == value)
    #expect(PropertyListFormat(of: text.utf8) == .xml)
  }

  @Test("line ends inside text become LF, written as a reference they stay")
  func lineEnds() throws {
    #expect(try read("<string>a\r\nb\rc\nd&#13;e&#xA;f\tg</string>") == .string("a\nb\nc\nd\re\nf\tg"))
  }

  @Test("integers are read to the limits of 64 bits")
  func integers() throws {
    #expect(try read("<integer>9223372036854775807</integer>") == .integer(.max))
    #expect(try read("<integer>-9223372036854775808</integer>") == .integer(.min))
    #expect(try read("<integer>+5</integer>") == .integer(5))
    #expect(try read("<integer>9223372036854775808</integer>") == .largeInteger(1 << 63))
    #expect(try read("<integer>0xFFFFFFFFFFFFFFFF</integer>") == .largeInteger(.max))
    for text in [
      "18446744073709551616", "-9223372036854775809", "-0x8000000000000001", "", "1.0", "1 2", "0x", "--1", "0x-5", "١",
    ] {
      #expect(throws: PropertyListError.self, "\(text)") { try read("<integer>\(text)</integer>") }
    }
  }

  @Test("dates agree with Foundation's calendar and refuse what is not in it")
  func dates() throws {
    let formatter = ISO8601DateFormatter()
    for seconds in stride(from: -62_135_596_800.0, through: 253_402_300_799, by: 86_400 * 97 + 3_671) {
      let text = formatter.string(from: Date(timeIntervalSince1970: seconds))
      guard seconds > -12_219_292_800 else { continue }
      #expect(try read("<date>\(text)</date>") == .date(Date(timeIntervalSince1970: seconds)), "\(text)")
    }
    #expect(try read("<date>0001-01-01T00:00:00Z</date>") == .date(.distantPast + 2 * 86_400))
    #expect(try read("<date>12026-01-01T00:00:00Z</date>") == .date(Date(timeIntervalSince1970: 317_336_745_600)))
    #expect(try read("<date>-0001-12-31T00:00:00Z</date>") == .date(Date(timeIntervalSince1970: -62_167_305_600)))
    for text in [
      "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z",
      "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z", "2026-01-01", "2026-01-01T00:00:00",
      "2026-01-01T00:00:00+01:00", "2026-1-1T00:00:00Z", "26-01-01T00:00:00Z", "", "9999999999-01-01T00:00:00Z",
      "1900-02-29T00:00:00Z", "2026-01-01T00:00:00Z.", "2026-01-0AT00:00:00Z",
    ] {
      #expect(throws: PropertyListError.self, "\(text)") { try read("<date>\(text)</date>") }
    }
    #expect(try read("<date> 2000-02-29T23:59:59Z\n</date>") == .date(Date(timeIntervalSince1970: 951_868_799)))
  }

  @Test("an error names line, column in characters, and what was expected")
  func errorPositions() {
    let cases: [(String, String)] = [
      ("<plist>", "1:8: ends too early: expected an element"),
      ("<plist/>", "1:1: this <plist> holds nothing"),
      ("<plist></plist>", "1:8: expected an element, found \"<\""),
      ("<plist><true/></plist>\njunk", "2:1: expected the end of the file, found \"j\""),
      ("<plist><true/><true/></plist>", "1:15: expected </plist>, found \"<\""),
      ("<?xml version='1.0'?>\n<html/>", "2:1: expected <plist>, found <html>"),
      ("<plist>\r\n<array>\r\n <string>日é</strung>", "3:12: expected </string>, found </strung>"),
      ("<plist><string>日本\u{1}</string></plist>", "1:18: XML text must not hold the character U+0001"),
      ("<plist><string>a&#0;</string></plist>", "1:17: XML text must not hold the character U+0000"),
      ("<plist><string>a\u{FFFF}</string></plist>", "1:16: XML text must not hold the character U+FFFF"),
      (
        "<plist><string>a&b;</string></plist>",
        "1:17: this is not a known entity or character; an \"&\" is written &amp;"
      ),
      ("<plist><string>a&#xD800;</string></plist>", "1:17: this is not a known entity"),
      ("<plist><string>a & b</string></plist>", "1:18: this is not a known entity"),
      ("<plist><string>a<b</string></plist>", "1:17: <string> must hold text only; a \"<\" is written &lt;"),
      ("<plist><string>a", "1:17: ends too early: expected </string>"),
      ("<plist><string>a<!-- b", "1:17: this comment is never closed"),
      ("<plist><string>a<![CDATA[b", "1:17: this CDATA section is never closed"),
      ("<plist><array><true/>x</array></plist>", "1:22: expected an element, found \"x\""),
      ("<plist><dict><string>a</string></dict></plist>", "1:14: expected <key>, found <string>"),
      ("<plist><dict><key>a</key></dict></plist>", "1:26: expected an element, found \"<\""),
      (
        "<plist><dict><key>a</key><true/><key>a</key><true/></dict></plist>",
        "1:8: this dictionary has the key \"a\" twice"
      ),
      ("<plist><key>a</key></plist>", "1:8: a <key> must be in a <dict>, before its value"),
      ("<plist><set></set></plist>", "1:8: property lists have no <set>"),
      ("<plist><string lang='de'>a</string></plist>", "1:16: expected the \">\" of <string>, found \"l\""),
      ("<plist><integer>x</integer></plist>", "1:8: an <integer> must be a whole number within 64 bits"),
      ("<plist><real>x</real></plist>", "1:8: a <real> must be a number"),
      ("<plist><date>x</date></plist>", "1:8: a <date> must look like"),
      ("<plist><data>x</data></plist>", "1:8: this <data> is not Base64"),
      ("<plist><data>AA==AA==</data></plist>", "1:8: this <data> is not Base64"),
      ("<plist version=\"1.0", "1:1: this tag is never closed"),
      (
        "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><string>&a;</string></plist>",
        "1:1: a property list must not declare"
      ),
      ("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><plist/>", "1:1: is said to be in ISO-8859-1: save it as UTF-8"),
      ("", "byte 0: the file is empty"),
      ("{ a = b; }", "byte 0: is not a property list, neither XML in UTF-8 nor binary"),
    ]
    for (text, expected) in cases {
      let error = #expect(throws: PropertyListError.self, "\(text)") { try PropertyList(parsing: text.utf8) }
      #expect(error?.description.hasPrefix(expected) == true, "\(text): \(String(describing: error))")
    }
  }

  @Test("bytes that are not UTF-8 are named where they stand")
  func invalidUTF8() {
    for before in ["", "é日", "a&amp;"] {
      let bytes = Array("<plist><string>\(before)".utf8) + [0xFF] + Array("</string></plist>".utf8)
      let error = #expect(throws: PropertyListError.self) { try PropertyList(parsing: bytes) }
      #expect(error?.offset == 15 + before.utf8.count)
      #expect(error?.position?.column == 16 + before.unicodeScalars.count)
      #expect(error?.message == "these bytes are not UTF-8")
    }
  }

  @Test("characters that XML forbids are read where the caller allows them")
  func controlCharacters() throws {
    let body = "<string>a\u{0}b\u{1B}&#1;\u{FFFE}</string>"
    #expect(throws: PropertyListError.self) { try read(body) }
    #expect(try read(body, allowsControlCharacters: true) == .string("a\u{0}b\u{1B}\u{1}\u{FFFE}"))
  }

  @Test("nesting is bounded", arguments: [257, 100_000])
  func nesting(depth: Int) throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth)
    }
    _ = try read(nested(256))
    for body in [nested(depth), String(repeating: "<dict><key>a</key>", count: depth)] {
      let error = #expect(throws: PropertyListError.self) { try read(body) }
      #expect(error?.message == "is nested deeper than 256 levels")
    }
  }

  @Test("a file cut anywhere is refused, one changed anywhere is refused or read")
  func damaged() throws {
    let body = """
      <dict><key>a&amp;</key><array><integer>12</integer><real>1.5</real><true/><string>é<![CDATA[x]]></string></array>\
      <key>d</key><date>2026-11-21T08:00:42Z</date><key>b</key><data>AAEC</data></dict></plist>
      """
    let document = Array("\(Self.opening)\(body)".utf8)
    _ = try PropertyList(parsing: document)
    for length in document.indices {
      #expect(throws: PropertyListError.self) { try PropertyList(parsing: document[..<length]) }
    }
    var refused = 0
    for index in document.indices {
      for byte in [0x00, 0x0D, 0x20, 0x26, 0x2F, 0x3C, 0x3E, 0x5B, 0x80, 0xFF] as [UInt8] {
        var changed = document
        changed[index] = byte
        do { _ = try PropertyList(parsing: changed) } catch { refused += 1 }
      }
    }
    #expect(refused > document.count * 4)
  }
}
