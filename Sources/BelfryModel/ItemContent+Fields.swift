/// The fields of an item that are properties in calendars: its tags are CATEGORIES, its priority PRIORITY (RFC 5545,
/// sections 3.8.1.2 and 3.8.1.9).
///
/// The reader of each foreign format turns its data into properties, from which the fields are taken here; writers put
/// them back. Data of earlier versions is read in the same way. A new field that other programs know belongs here.
extension ItemContent {
  private static let (tagsName, priorityName) = ("CATEGORIES", "PRIORITY")

  /// Sets the fields that the properties give. A value that a field cannot hold stays a property.
  package mutating func takeFields() {
    guard !properties.isEmpty else { return }
    // The properties of components, such as alarms, say nothing about the item.
    let components = properties.drop { !$0.hasPrefix("BEGIN:") }
    var rest: [String] = []
    for line in properties[..<components.startIndex] {
      if let names = ContentLine.texts(of: line, named: Self.tagsName) {
        let left = names.filter { (try? tags.insert($0.trimmingWhitespace())) == nil }
        if !left.isEmpty { rest.append(left == names ? line : ContentLine.texts(Self.tagsName, left)) }
      } else if priority == nil,
        let number = ContentLine.text(of: line, named: Self.priorityName).flatMap({ Int64($0) }),
        line == "\(Self.priorityName):\(number)", let found = ItemPriority(number: number)
      {
        priority = found
      } else {
        rest.append(line)
      }
    }
    properties = rest + components
  }

  /// The properties, after those for the fields.
  package var propertiesWithFields: [String] { fieldProperties() + properties }

  /// The properties for the fields, with categories before its tags.
  package func fieldProperties(_ categories: [String] = []) -> [String] {
    let names = categories + tags.names
    return [
      names.isEmpty ? nil : ContentLine.texts(Self.tagsName, names),
      priority.map { "\(Self.priorityName):\($0.number)" },
    ].compactMap(\.self)
  }
}
