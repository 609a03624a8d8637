import OrderedJSON
import Testing

@Suite("Objects")
struct ObjectTests {
  @Test("members keep their order through changes")
  func order() {
    var object: JSONObject = ["b": 1, "a": 2]
    object["c"] = 3
    object["b"] = 4
    object.append("d", 5)
    object["a"] = nil
    object["none"] = nil
    #expect(object.keys == ["b", "c", "d"])
    #expect(object["b"] == 4)
    #expect(object["a"] == nil)
    #expect(object.members.map(\.value) == [4, 3, 5])
  }

  @Test("a null member is there, a missing one is not")
  func nullIsNotMissing() {
    let object: JSONObject = ["a": nil]
    #expect(object["a"] == JSONValue.null)
    #expect(object["b"] == nil)
    #expect(object.count == 1)
  }

  @Test("the last value of a duplicate key counts, in the first one's place", arguments: [2, 23, 24, 25, 200])
  func equalKeys(count: Int) {
    let pairs = (0..<count).map { ("k\($0)", JSONValue.integer(Int64($0))) }
    let object = JSONObject(pairs + [("k1", "last")])
    #expect(object.count == count)
    #expect(object.keys[1] == "k1")
    #expect(object["k1"] == "last")
  }

  @Test("accessors give the value of their own kind and nil for others")
  func accessors() {
    #expect(JSONValue.null.isNull)
    #expect(!JSONValue.bool(false).isNull)
    #expect(JSONValue.bool(true).boolValue == true)
    #expect(JSONValue.integer(1).boolValue == nil)
    #expect(JSONValue.integer(1).integerValue == 1)
    #expect(JSONValue.number(1).integerValue == nil)
    #expect(JSONValue.integer(1).doubleValue == 1)
    #expect(JSONValue.number(1.5).doubleValue == 1.5)
    #expect(JSONValue.string("1").doubleValue == nil)
    #expect(JSONValue.string("x").stringValue == "x")
    #expect(JSONValue.null.stringValue == nil)
    #expect(JSONValue.array([1]).arrayValue == [1])
    #expect(JSONValue.null.arrayValue == nil)
    #expect(JSONValue.object(["a": 1]).objectValue == ["a": 1])
    #expect(JSONValue.array([]).objectValue == nil)
    #expect(JSONValue.array([])["a"] == nil)
  }
}
