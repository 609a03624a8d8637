/// The members of a JSON object, in order.
///
/// Keys are compared by their bytes in UTF-8 (RFC 8259 section 8.3), so `é` composed and decomposed are two keys.
public struct JSONObject: Hashable, Sendable {
  /// One key with its value.
  public struct Member: Hashable, Sendable {
    /// The name, unique in its object.
    public let key: String
    /// The value under the key.
    public var value: JSONValue

    /// A key with its value.
    public init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// The members, in order, each key once.
  public private(set) var members: [Member]

  /// An object of members; of equal keys the last value counts, in the first one's place.
  public init(_ members: [(String, JSONValue)] = []) {
    self.members = []
    self.members.reserveCapacity(members.count)
    var index = MemberIndex()
    for (key, value) in members {
      if let position = index.position(of: key, in: self.members) {
        self.members[position].value = value
      } else {
        self.members.append(Member(key: key, value: value))
      }
    }
  }

  /// An object of members with different keys, which is not checked.
  init(uniqueMembers: [Member]) { members = uniqueMembers }

  /// The keys in the order of the text.
  public var keys: [String] { members.map(\.key) }

  /// The number of members, each with a key of its own.
  public var count: Int { members.count }

  /// The value under a key, found by linear search. Setting replaces it in place or adds it at the end; nil removes it.
  public subscript(key: String) -> JSONValue? {
    get {
      members.first { $0.key.hasSameBytes(as: key) }?.value
    }
    set {
      let position = members.firstIndex { $0.key.hasSameBytes(as: key) }
      switch (position, newValue) {
      case (let position?, let value?): members[position].value = value
      case (let position?, nil): members.remove(at: position)
      case (nil, let value?): members.append(Member(key: key, value: value))
      case (nil, nil): break
      }
    }
  }

  /// Makes room for a number of members.
  package mutating func reserveCapacity(_ count: Int) { members.reserveCapacity(count) }

  /// Adds a member at the end. The key must be new, which is not checked, so that large objects build in linear time.
  public mutating func append(_ key: String, _ value: JSONValue) {
    members.append(Member(key: key, value: value))
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// An object with its members in the order written. The keys must differ, which is not checked.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(uniqueMembers: elements.map { Member(key: $0.0, value: $0.1) })
  }
}

/// Finds keys while an object grows: by linear search at first, by hash once that is slower.
struct MemberIndex {
  private struct Key: Hashable {
    let text: String

    static func == (one: Key, other: Key) -> Bool { one.text.hasSameBytes(as: other.text) }

    func hash(into hasher: inout Hasher) {
      for byte in text.utf8 { hasher.combine(byte) }
    }
  }

  private static let linearLimit = 24
  private var positions: [Key: Int] = [:]

  /// The place of a key among members, to which members may only have been appended since the last call.
  mutating func position(of key: String, in members: [JSONObject.Member]) -> Int? {
    guard members.count > Self.linearLimit else {
      return members.firstIndex { $0.key.hasSameBytes(as: key) }
    }
    while positions.count < members.count {
      positions[Key(text: members[positions.count].key)] = positions.count
    }
    return positions[Key(text: key)]
  }
}

extension String {
  /// True if both have the same UTF-8 bytes; `==` is also true for canonically equivalent texts.
  @inline(__always)
  func hasSameBytes(as other: String) -> Bool {
    utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
  }
}
