import OrderedJSON
import Testing

@Suite("JSON that a person may see")
struct TerminalJSONTests {
  @Test(
    "what steers a terminal is escaped, and reads back",
    arguments: [
      ("a\u{7f}b", "\"a\\u007Fb\""), ("\u{9b}31m", "\"\\u009B31m\""),
      ("\u{80}\u{9f}\u{a0}", "\"\\u0080\\u009F\u{a0}\""),
      ("\u{202e}x\u{2066}", "\"\\u202Ex\\u2066\""), ("\u{61c}\u{200f}\u{2029}", "\"\\u061C\\u200F\\u2029\""),
      ("plain é 漢 😀", "\"plain é 漢 😀\""), ("\u{1b}", "\"\\u001B\""),
    ])
  func escapes(text: String, written: String) throws {
    let value: JSONValue = ["k": .string(text), text: .null]
    let document = TerminalJSON.escaped(value.serialized())
    #expect(document.utf8.elementsEqual("{\"k\":\(written),\(written):null}".utf8))
    #expect(TerminalJSON.escaped(Array(value.serialized().utf8)) == Array(document.utf8))
    #expect(try JSONValue(parsing: document.utf8) == value)
  }
}
