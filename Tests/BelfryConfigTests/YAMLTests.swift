import BelfryConfig
import BelfryEngine
import Foundation
import TestSupport
import Testing

@Suite("YAML is read as far as a config needs it, and the rest is refused by name")
struct YAMLTests {
  @Test(
    "what YAML offers beyond a config's needs is refused with one error",
    arguments: [
      Complaint(
        "default_list: &a Inbox\nalert: { sound: *a }\n",
        "x.yaml:1:15: error: anchors (&) are not supported",
        "x.yaml:2:17: error: aliases (*) are not supported; put a value that starts with * in quotes"),
      Complaint(
        "routes: [{ lists: [*], sinks: [] }]\n",
        """
        x.yaml:1:21: error: not valid YAML: did not find expected alphabetic or numeric character while scanning an \
        alias (from line 1)
        """
      ),
      Complaint("default_list: !!str 5\n", "x.yaml:1:15: error: tags (!) are not supported"),
      Complaint("default_list: !secret a\n", "x.yaml:1:15: error: tags (!) are not supported"),
      Complaint("missed: !!map { grace: 1h }\n", "x.yaml:1:9: error: tags (!) are not supported"),
      Complaint("missed:\n  <<: { grace: 1h }\n", "x.yaml:2:3: error: merge keys (<<) are not supported"),
      Complaint(
        "default_list: A\n---\ndefault_list: B\n",
        "x.yaml:2:1: error: a second YAML document starts here: a config must be only one"),
      Complaint(
        "default_list: A\n---\n", "x.yaml:2:1: error: a second YAML document starts here: a config must be only one"),
      Complaint("- a\n- b\n", "x.yaml:1:1: error: expected a section of keys, found a list"),
      Complaint("just text\n", "x.yaml:1:1: error: expected a section of keys, found 'just text'"),
      Complaint("no\n", "x.yaml:1:1: error: expected a section of keys, found 'no'"),
      Complaint("*a\n", "x.yaml:1:1: error: aliases (*) are not supported; put a value that starts with * in quotes"),
      Complaint("1: a\n", "x.yaml:1:1: error: a key must be text: put '1' in quotes"),
      Complaint("no: a\n", "x.yaml:1:1: error: a key must be text: put 'no' in quotes"),
      Complaint("sinks:\n  on: { type: stdout }\n", "x.yaml:2:3: error: a key must be text: put 'on' in quotes"),
      Complaint("? [a, b]\n: c\n", "x.yaml:1:3: error: a key must be text, not a list or section"),
      Complaint("{ a: b }: c\n", "x.yaml:1:1: error: a key must be text, not a list or section"),
      Complaint("~: c\n", "x.yaml:1:1: error: a key must not be empty"),
      Complaint("? \n: c\n", "x.yaml:1:2: error: a key must not be empty"),
      Complaint("%YAML 1.2\n---\n", "x.yaml:1:1: error: directives (%) are not supported"),
      Complaint("%TAG !e! tag:e.org:\n---\n", "x.yaml:1:1: error: directives (%) are not supported"),
    ])
  func refused(_ complaint: Complaint) { #expect(Fixture.complaints(complaint.text) == complaint.lines) }

  @Test(
    "what is no YAML is refused where it goes wrong",
    arguments: [
      Complaint("missed:\n\tgrace: 1h\n", "x.yaml:2:1: error: not valid YAML: a tab cannot indent; use spaces"),
      Complaint(
        "default_list: @home\n",
        "x.yaml:1:15: error: not valid YAML: '@' cannot start a value; put the value in quotes"),
      Complaint(
        "default_list: `x`\n", "x.yaml:1:15: error: not valid YAML: '`' cannot start a value; put the value in quotes"),
      Complaint(
        "alert: { sound: a\n",
        "x.yaml:2:1: error: not valid YAML: did not find expected ',' or '}' while parsing a flow mapping (from line 1)"
      ),
      Complaint(
        "a: b: c\n", "x.yaml:1:5: error: not valid YAML: mapping values are not allowed in this context"),
      Complaint(
        "stoer: 1\nstoer: 2\n- c\n",
        "x.yaml:2:1: error: duplicate key 'stoer', first given on line 1",
        "x.yaml:3:1: error: not valid YAML: did not find expected key while parsing a block mapping (from line 1)"),
      Complaint(
        "default_list: \"a\n",
        "x.yaml:2:1: error: not valid YAML: found unexpected end of stream while scanning a quoted scalar (from line 1)"
      ),
    ])
  func syntax(_ complaint: Complaint) { #expect(Fixture.complaints(complaint.text) == complaint.lines) }

  @Test(
    "bytes that are no UTF-8 text are refused where they stand",
    arguments: [
      (Array("a: ü".utf8) + [0xff], "1:5", "not UTF-8 text: invalid leading UTF-8 octet"),
      (Array("a: 1\n".utf8) + [0xe2, 0x82], "2:1", "not UTF-8 text: incomplete UTF-8 octet sequence"),
      (Array("a: ".utf8) + [0xc0, 0x80], "1:4", "not UTF-8 text: invalid length of a UTF-8 sequence"),
      (Array("a: ".utf8) + [0xed, 0xa0, 0x80], "1:4", "not UTF-8 text: invalid Unicode character"),
      (Array("a: ".utf8) + [0x00], "1:4", "a control character is not allowed here"),
      (Array("a: x".utf8) + [0x07], "1:5", "a control character is not allowed here"),
      ([0xff, 0xfe, 0x61, 0x00], "1:1", "not UTF-8 text: invalid leading UTF-8 octet"),
    ] as [([UInt8], String, String)])
  func bytes(bytes: [UInt8], place: String, message: String) {
    #expect(Fixture.complaints(bytes: bytes) == ["x.yaml:\(place): error: \(message)"])
  }

  @Test(
    "an empty text is the default",
    arguments: ["", "\n", "# only a comment\n", "---\n", "---\n...\n", "{}\n", "\u{feff}", " \n "])
  func empty(text: String) throws {
    let configuration = try Fixture.load(text)
    #expect(configuration.settings == Settings())
    #expect(configuration.store.type == "sqlite")
    #expect(configuration.store.path == "/home/me/.local/share/belfry/belfry.sqlite")
    #expect(configuration.sinks.map(\.name) == ["terminal"])
    #expect(configuration.sinks.map(\.type) == ["stdout"])
    #expect(configuration.warnings == [])
  }

  @Test(
    "a byte order mark, Windows line ends and JSON are read",
    arguments: [
      "\u{feff}default_list: A\nhistory: 1d\n", "default_list: A\r\nhistory: 1d\r\n",
      "{\"default_list\": \"A\", \"history\": \"1d\"}", "--- # one\n'default_list': >-\n  A\n\"history\": 1d\n...\n",
    ])
  func variants(text: String) throws {
    let settings = try Fixture.load(text).settings
    #expect(settings.defaultList == "A")
    #expect(settings.history.description == "1d")
  }

  @Test("columns count from 1 also behind a byte order mark")
  func byteOrderMark() {
    #expect(Fixture.complaints("\u{feff}default_list: []\n") == ["x.yaml:1:15: error: expected text, found a list"])
  }

  @Test(
    "texts that a parser must refuse are refused: our own, and those of the YAML test suite",
    arguments: try refusedTexts())
  func corpus(text: [UInt8]) {
    let bytes = text
    let complaints = Fixture.complaints(bytes: bytes)
    #expect(complaints.contains { $0.contains(": error: ") })
    #expect(complaints.allSatisfy { $0.wholeMatch(of: /x\.yaml:[1-9][0-9]*:[1-9][0-9]*: (error|warning): .+/) != nil })
  }

  @Test("the YAML test suite is there, or not at all")
  func corpusIsThere() throws {
    #expect(
      try Corpus.isThere
        ? refusedTexts().count >= OwnYAML.refused.count + 40 : refusedTexts().count == OwnYAML.refused.count)
  }
}

/// Texts of our own, and those in corpus/yaml, in its folders and their subfolders.
private func refusedTexts() throws -> [[UInt8]] {
  try OwnYAML.refused.map { Array($0.utf8) }
    + Corpus.files(in: "yaml", ending: "in.yaml").map { [UInt8](try Data(contentsOf: $0)) }
}
