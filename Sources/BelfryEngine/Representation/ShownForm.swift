import BelfryModel
import OrderedJSON

/// The members of an object in `--json` and the API, each declared once, in the order in which they are written.
///
/// Its JSON and its schema follow from it, so that neither has a member that the other lacks.
package struct ShownForm<Source>: Sendable {
  /// The name of its schema; `nil` for an object that occurs only inside others.
  package let name: String?
  fileprivate let members: [ShownMembers<Source>.Entry]
  private let isOpen: Bool

  /// A form.
  ///
  /// - Parameters:
  ///   - isOpen: whether later versions may have more members, which readers then ignore.
  ///   - describe: adds the members.
  package init(_ name: String? = nil, isOpen: Bool = false, _ describe: (inout ShownMembers<Source>) -> Void) {
    var list = ShownMembers<Source>()
    describe(&list)
    (self.name, members, self.isOpen) = (name, list.entries, isOpen)
  }

  package func json(_ source: Source) -> JSONValue {
    var object = JSONObject()
    object.reserveCapacity(members.count)
    append(source, to: &object)
    return .object(object)
  }

  fileprivate func append(_ source: Source, to object: inout JSONObject) {
    for member in members { member.append(source, &object) }
  }

  /// The shape of its JSON.
  package var shape: FieldShape { .object(members.flatMap { $0.shapes() }, isOpen: isOpen) }
}

/// The members of a form under construction.
package struct ShownMembers<Source> {
  /// A member, or all members of another form.
  fileprivate struct Entry: Sendable {
    let shapes: @Sendable () -> [FieldShape.Member]
    let append: @Sendable (Source, inout JSONObject) -> Void
  }

  fileprivate var entries: [Entry] = []

  /// Adds a member that always has a value.
  ///
  /// - Parameter words: the meaning of the member; `nil` if the name says it.
  package mutating func add<Value>(
    _ name: String, _ type: ShownType<Value>, _ words: String? = nil, _ value: @escaping @Sendable (Source) -> Value
  ) {
    entries.append(
      Entry {
        [FieldShape.Member(name, type.shape(), words)]
      } append: { source, object in
        object.append(name, type.json(value(source)))
      })
  }

  /// Adds a member that is `null` if there is no value.
  package mutating func addNullable<Value>(
    _ name: String, _ type: ShownType<Value>, _ words: String? = nil, _ value: @escaping @Sendable (Source) -> Value?
  ) {
    entries.append(
      Entry {
        [FieldShape.Member(name, .nullable(type.shape()), words)]
      } append: { source, object in
        object.append(name, value(source).map(type.json) ?? .null)
      })
  }

  /// Adds a member that is left out if there is no value.
  package mutating func addOptional<Value>(
    _ name: String, _ type: ShownType<Value>, _ words: String? = nil, _ value: @escaping @Sendable (Source) -> Value?
  ) {
    entries.append(
      Entry {
        [FieldShape.Member(name, type.shape(), words, isOptional: true)]
      } append: { source, object in
        if let value = value(source) { object.append(name, type.json(value)) }
      })
  }

  /// Adds the members of another form.
  package mutating func include<Part>(_ form: ShownForm<Part>, _ part: @escaping @Sendable (Source) -> Part) {
    entries.append(
      Entry {
        form.members.flatMap { $0.shapes() }
      } append: { source, object in
        form.append(part(source), to: &object)
      })
  }
}
