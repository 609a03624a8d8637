import BelfryTestKit
import Foundation
import OrderedJSON
import Testing

@Suite("Writing")
struct WritingTests {
  static let sample: JSONValue = [
    "z": nil, "a": [1, 2.5, true, "é"], "empty": [[], JSONValue.object([:])], "o": ["k": false],
  ]

  @Test("the compact form has members in order and no white space")
  func compact() {
    #expect(Self.sample.serialized() == #"{"z":null,"a":[1,2.5,true,"é"],"empty":[[],{}],"o":{"k":false}}"#)
  }

  @Test("the pretty form is indented by two spaces a level")
  func pretty() {
    let expected = """
      {
        "z": null,
        "a": [
          1,
          2.5,
          true,
          "é"
        ],
        "empty": [
          [],
          {}
        ],
        "o": {
          "k": false
        }
      }
      """
    #expect(Self.sample.serialized(pretty: true) == expected)
  }

  @Test("only what must be is escaped")
  func escapes() {
    let text = "\" \\ / \u{0}\u{8}\t\n\u{B}\u{C}\r\u{1F}\u{7F} \u{2028}\u{2029} 日𝄞"
    #expect(
      JSONValue.string(text).serialized()
        == "\"\\\" \\\\ / \\u0000\\b\\t\\n\\u000B\\f\\r\\u001F\u{7F} \u{2028}\u{2029} 日𝄞\"")
  }

  @Test("special characters are escaped at any position", arguments: ["\"", "\\", "\n", "\u{1F}"])
  func escapedAnywhere(special: String) throws {
    for length in 1...24 {
      for place in 0..<length {
        let text = String(repeating: "a", count: place) + special + String(repeating: "é", count: length - place - 1)
        let written = JSONValue.string(text).serialized()
        #expect(written.utf8.count == text.utf8.count + (special == "\u{1F}" ? 7 : 3))
        #expect(try JSONValue(parsing: written.utf8) == .string(text))
      }
    }
  }

  @Test("numbers come back the same, kind and bits")
  func numbers() throws {
    let values: [JSONValue] = [
      0, -1, .integer(.max), .integer(.min), 1.0, -0.0, 0.1, 1e20, 1e-7, .number(.leastNonzeroMagnitude),
      1.7976931348623157e308, 1e16,
    ]
    for value in values {
      let read = try JSONValue(parsing: value.serialized().utf8)
      #expect(read == value)
      #expect(read.doubleValue?.bitPattern == value.doubleValue?.bitPattern)
      #expect(read.integerValue == value.integerValue)
    }
  }

  @Test("NaN and infinity are written as null")
  func notFinite() {
    #expect(
      JSONValue.array([.number(.nan), .number(.infinity), .number(-.infinity)]).serialized() == "[null,null,null]")
  }

  @Test("writing adds to what is there")
  func appends() {
    var bytes = Array("x=".utf8)
    JSONValue.bool(true).write(into: &bytes)
    #expect(bytes == Array("x=true".utf8))
  }

  @Test("any value comes back from its own output byte for byte")
  func roundTrip() throws {
    var generator = SeededGenerator(seed: 42)
    for _ in 0..<500 {
      let value = randomValue(depth: 0, using: &generator)
      for pretty in [false, true] {
        let text = value.serialized(pretty: pretty)
        let read = try JSONValue(parsing: text.utf8)
        #expect(read == value)
        #expect(read.serialized(pretty: pretty).utf8.elementsEqual(text.utf8))
      }
    }
  }

  @Test("Foundation reads what is written as the same document")
  func foundationAgrees() throws {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<200 {
      let value = JSONValue.array([randomValue(depth: 0, using: &generator)])
      let read = try JSONSerialization.jsonObject(with: Data(value.serialized().utf8))
      let again = try JSONSerialization.data(withJSONObject: read, options: [.sortedKeys])
      #expect(try sorted(JSONValue(parsing: again)) == sorted(value))
    }
  }

  private func randomValue(depth: Int, using generator: inout SeededGenerator) -> JSONValue {
    switch Int.random(in: 0..<(depth < 5 ? 8 : 6), using: &generator) {
    case 0: .null
    case 1: .bool(Bool.random(using: &generator))
    case 2: .integer(Int64(truncatingIfNeeded: generator.next() >> (generator.next() % 64)))
    case 3: .number(Double.random(in: -1e6...1e6, using: &generator))
    case 4, 5: .string(randomText(using: &generator))
    case 6:
      .array(
        (0..<Int.random(in: 0...5, using: &generator)).map { _ in randomValue(depth: depth + 1, using: &generator) })
    default:
      .object(
        JSONObject(
          (0..<Int.random(in: 0...40, using: &generator)).map { _ in
            (randomText(using: &generator), depth < 2 ? randomValue(depth: depth + 2, using: &generator) : .null)
          }))
    }
  }

  private func randomText(using generator: inout SeededGenerator) -> String {
    let ranges: [ClosedRange<UInt32>] = [
      0x20...0x7E, 0x20...0x7E, 0x01...0x1F, 0x80...0x7FF, 0x800...0xD7FF, 0x10000...0x1F9FF,
    ]
    var text = ""
    for _ in 0..<Int.random(in: 0...24, using: &generator) {
      let value = ranges[Int.random(in: 0..<ranges.count, using: &generator)].randomElement(using: &generator)
      if let value, let scalar = UnicodeScalar(value) { text.unicodeScalars.append(scalar) }
    }
    return text
  }

  /// The value with members in the order of their keys and every number as a Double, which is all that Foundation keeps.
  private func sorted(_ value: JSONValue) -> JSONValue {
    switch value {
    case .integer(let integer): .number(Double(integer))
    case .array(let elements): .array(elements.map(sorted))
    case .object(let object):
      .object(
        JSONObject(
          object.members.map { ($0.key, sorted($0.value)) }.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }))
    default: value
    }
  }
}
