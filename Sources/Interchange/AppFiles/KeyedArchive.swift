import CivilTime
import FoundationEssentials
import PropertyLists

/// An archive of NSKeyedArchiver: objects in a flat array, which refer to each other by index.
///
/// No class is instantiated, and references are followed one step at a time, so cycles do no harm.
struct KeyedArchive: ObjectGraph {
  /// The root objects by name, as references.
  let roots: PropertyListDictionary
  private let objects: [PropertyList]

  /// True if a property list has the keys of an archive.
  static func isRecognised(_ content: PropertyList) -> Bool {
    guard let dictionary = content.dictionaryValue else { return false }
    return dictionary["$top"] != nil || dictionary["$objects"] != nil
  }

  /// The archive in a property list.
  ///
  /// - Throws: `ImportError` when its frame is damaged or of another archiver.
  init(_ content: PropertyList) throws(ImportError) {
    let frame = content.dictionaryValue
    if let archiver = frame?["$archiver"], archiver != .string("NSKeyedArchiver") {
      throw ImportError(message: "is not an archive of NSKeyedArchiver but of \(archiver.stringValue ?? archiver.kind)")
    }
    guard let roots = frame?["$top"]?.dictionaryValue else {
      throw ImportError(
        message: "is a damaged archive: it has no dictionary $top; copy it from the app or a backup again")
    }
    guard let objects = frame?["$objects"]?.arrayValue else {
      throw ImportError(
        message: "is a damaged archive: it has no array $objects; copy it from the app or a backup again")
    }
    self.roots = roots
    self.objects = objects
  }

  func value(of raw: PropertyList) throws(EntryFault) -> PropertyList? {
    guard let object = try object(raw) else { return nil }
    guard let fields = object.dictionaryValue, fields["$class"] != nil else { return object }
    if isKind(fields, of: "NSString"), let text = try inner("NS.string", of: fields), case .string = text {
      return text
    }
    if isKind(fields, of: "NSDate"), let time = try inner("NS.time", of: fields) {
      switch time {
      case .real(let seconds): return .date(Date(timeIntervalSinceReferenceDate: seconds))
      case .integer(let seconds): return .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
      default: break
      }
    }
    throw EntryFault(reason: "it is \(nameOfClass(fields)) without a value of a known kind")
  }

  func elements(of raw: PropertyList) throws(EntryFault) -> [PropertyList] {
    guard let object = try object(raw) else { throw EntryFault(reason: "it is null, not an array") }
    guard let fields = object.dictionaryValue else { throw EntryFault(reason: "it is \(object.kind), not an array") }
    guard isKind(fields, of: "NSArray") else { throw EntryFault(reason: "it is \(nameOfClass(fields)), not an array") }
    guard let elements = fields["NS.objects"]?.arrayValue else {
      throw EntryFault(reason: "it is an array without elements (NS.objects)")
    }
    return elements
  }

  func fields(of raw: PropertyList, ofClass name: String) throws(EntryFault) -> PropertyListDictionary {
    guard let object = try object(raw) else { throw EntryFault(reason: "it is null, not a \(name)") }
    guard let fields = object.dictionaryValue else { throw EntryFault(reason: "it is \(object.kind), not a \(name)") }
    guard isKind(fields, of: name) else { throw EntryFault(reason: "it is \(nameOfClass(fields)), not a \(name)") }
    return fields
  }

  /// The object that a raw value refers to; the value itself if it is not a reference, nil for null.
  private func object(_ raw: PropertyList) throws(EntryFault) -> PropertyList? {
    guard case .uid(let number) = raw else { return raw }
    if number == 0 { return nil }
    guard let place = Int(exactly: number), place < objects.count else {
      throw EntryFault(reason: "it refers to object \(number), which is not in the archive")
    }
    if case .uid = objects[place] { throw EntryFault(reason: "it refers to a reference") }
    return objects[place]
  }

  private func inner(_ key: String, of fields: PropertyListDictionary) throws(EntryFault) -> PropertyList? {
    guard let raw = fields[key] else { return nil }
    return try object(raw)
  }
}

extension KeyedArchive {
  /// True if an object's class is, or inherits from, a class. Modules do not count: `Checklists.Checklist`,
  /// `MyApp.Checklist` and `_TtC5MyApp9Checklist` are all `Checklist`.
  private func isKind(_ fields: PropertyListDictionary, of name: String) -> Bool {
    classNames(of: fields).contains { Self.withoutModule($0) == name }
  }

  /// The names of an object's class and its superclasses, in this order.
  private func classNames(of fields: PropertyListDictionary) -> [String] {
    guard let reference = fields["$class"], case .uid = reference,
      let description = (try? object(reference))?.dictionaryValue
    else { return [] }
    let own = description["$classname"]?.stringValue
    let all = description["$classes"]?.arrayValue?.prefix(16).compactMap(\.stringValue) ?? []
    return (own.map { [$0] } ?? []) + all
  }

  private func nameOfClass(_ fields: PropertyListDictionary) -> String {
    classNames(of: fields).first.map { "of class \(inQuotes($0))" } ?? "of no class"
  }

  private static func withoutModule(_ name: String) -> String {
    if name.hasPrefix("_TtC") { return lastMangledPart(of: name.dropFirst(4)) ?? name }
    return name.split(separator: ".").last.map(String.init) ?? name
  }

  /// The last part of a mangled name, in which each part follows its length: `Checklist` of `5MyApp9Checklist`.
  private static func lastMangledPart(of mangled: Substring) -> String? {
    var rest = mangled
    var last: Substring?
    while let length = Int(rest.prefix { $0.isASCII && $0.isNumber }), length > 0 {
      rest = rest.drop { $0.isASCII && $0.isNumber }
      last = rest.prefix(length)
      rest = rest.dropFirst(length)
    }
    return rest.isEmpty ? last.map(String.init) : nil
  }
}
