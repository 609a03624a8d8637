import OrderedJSON
import TestSupport
import Testing

@Suite("JSONTestSuite")
struct ConformanceTests {
  /// Objects with duplicate keys, which the reader refuses although the suite accepts them.
  static let duplicated = JSONTestSuite.names("y_").filter { $0.contains("duplicated_key") && !$0.contains("empty") }

  /// The treatment of files that a parser may accept or refuse: the value's compact form, or part of the error.
  static let choices: [String: Choice] = [
    "i_own_huge_exponent.json": .refusal("too large"),
    "i_own_tiny_exponent.json": .value("[0.0]"),
    "i_own_byte_order_mark.json": .refusal("byte order mark"),
    "i_own_overlong.json": .refusal("not UTF-8"),
    "i_own_latin1.json": .refusal("not UTF-8"),
    "i_number_double_huge_neg_exp.json": .value("[0.0]"),
    "i_number_huge_exp.json": .refusal("too large"),
    "i_number_neg_int_huge_exp.json": .refusal("too large"),
    "i_number_pos_double_huge_exp.json": .refusal("too large"),
    "i_number_real_neg_overflow.json": .refusal("too large"),
    "i_number_real_pos_overflow.json": .refusal("too large"),
    "i_number_real_underflow.json": .value("[0.0]"),
    "i_number_too_big_neg_int.json": .value("[-1.2312312312312312e+29]"),
    "i_number_too_big_pos_int.json": .value("[1e+20]"),
    "i_number_very_big_negative_int.json": .value("[-2.374623746732769e+47]"),
    "i_object_key_lone_2nd_surrogate.json": .refusal("half of a surrogate pair"),
    "i_string_1st_surrogate_but_2nd_missing.json": .refusal("half of a surrogate pair"),
    "i_string_1st_valid_surrogate_2nd_invalid.json": .refusal("half of a surrogate pair"),
    "i_string_UTF-16LE_with_BOM.json": .refusal("UTF-16"),
    "i_string_UTF-8_invalid_sequence.json": .refusal("not UTF-8"),
    "i_string_UTF8_surrogate_U+D800.json": .refusal("not UTF-8"),
    "i_string_incomplete_surrogate_and_escape_valid.json": .refusal("half of a surrogate pair"),
    "i_string_incomplete_surrogate_pair.json": .refusal("half of a surrogate pair"),
    "i_string_incomplete_surrogates_escape_valid.json": .refusal("half of a surrogate pair"),
    "i_string_invalid_lonely_surrogate.json": .refusal("half of a surrogate pair"),
    "i_string_invalid_surrogate.json": .refusal("half of a surrogate pair"),
    "i_string_invalid_utf-8.json": .refusal("not UTF-8"),
    "i_string_inverted_surrogates_U+1D11E.json": .refusal("half of a surrogate pair"),
    "i_string_iso_latin_1.json": .refusal("not UTF-8"),
    "i_string_lone_second_surrogate.json": .refusal("half of a surrogate pair"),
    "i_string_lone_utf8_continuation_byte.json": .refusal("not UTF-8"),
    "i_string_not_in_unicode_range.json": .refusal("not UTF-8"),
    "i_string_overlong_sequence_2_bytes.json": .refusal("not UTF-8"),
    "i_string_overlong_sequence_6_bytes.json": .refusal("not UTF-8"),
    "i_string_overlong_sequence_6_bytes_null.json": .refusal("not UTF-8"),
    "i_string_truncated-utf-8.json": .refusal("not UTF-8"),
    "i_string_utf16BE_no_BOM.json": .refusal("UTF-16"),
    "i_string_utf16LE_no_BOM.json": .refusal("UTF-16"),
    "i_structure_500_nested_arrays.json": .value(
      String(repeating: "[", count: 500) + String(repeating: "]", count: 500)),
    "i_structure_UTF-8_BOM_empty_object.json": .refusal("byte order mark"),
  ]

  enum Choice {
    case value(String)
    case refusal(String)
  }

  @Test("the corpus is there in full, or not at all")
  func corpusIsComplete() {
    func published(_ prefix: String) -> Int { JSONTestSuite.names(prefix).count { OwnJSON.named[$0] == nil } }
    #expect([published("y_"), published("n_"), published("i_")] == (Corpus.isThere ? [95, 188, 35] : [0, 0, 0]))
    #expect(Set(JSONTestSuite.names("i_")).isSubset(of: Self.choices.keys))
    #expect(Self.duplicated.count == (Corpus.isThere ? 4 : 2))
  }

  @Test("valid files parse, and their output parses to the same value", arguments: JSONTestSuite.names("y_"))
  func accepted(name: String) throws {
    let policy: JSONDuplicateKeys = Self.duplicated.contains(name) ? .lastWins : .refuse
    let value = try JSONValue(parsing: JSONTestSuite.bytes(name), duplicateKeys: policy)
    for pretty in [false, true] {
      #expect(try JSONValue(parsing: value.serialized(pretty: pretty).utf8) == value)
    }
  }

  @Test("invalid files are refused under both policies for duplicate keys", arguments: JSONTestSuite.names("n_"))
  func refused(name: String) throws {
    let bytes = try JSONTestSuite.bytes(name)
    for policy in [JSONDuplicateKeys.refuse, .lastWins] {
      #expect(throws: JSONError.self) { try JSONValue(parsing: bytes, duplicateKeys: policy) }
    }
  }

  @Test("files that may be accepted or refused follow the table", arguments: JSONTestSuite.names("i_"))
  func chosen(name: String) throws {
    let bytes = try JSONTestSuite.bytes(name)
    switch try #require(Self.choices[name]) {
    case .value(let expected):
      #expect(try JSONValue(parsing: bytes).serialized() == expected)
    case .refusal(let words):
      let error = #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
      #expect(error?.message.contains(words) == true, "\(String(describing: error))")
    }
  }

  @Test("a key twice is refused unless the last may win", arguments: duplicated)
  func duplicateKeys(name: String) throws {
    let bytes = try JSONTestSuite.bytes(name)
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
    #expect(error?.message == "the key \"a\" is in its object twice")
    #expect(error?.column == 10)
    let value = try JSONValue(parsing: bytes, duplicateKeys: .lastWins)
    #expect(value.objectValue?.keys == ["a"])
    #expect(value["a"] == (name.contains("and_value") ? "b" : "c"))
  }
}
