import BelfryEngine
import BelfryModel
import CivilTime
import Digests
import FoundationEssentials
import OrderedJSON

/// A reader of the alerts in a body, which finds all their faults. Alerts are independent, so those without a fault are
/// read even if others have some.
struct AlertReader {
  /// The `status` of an alert in the webhook of Alertmanager.
  enum Status: String, CaseIterable {
    case firing, resolved
  }

  /// The label that names the list of an alert's item.
  static let listLabel = "belfry_list"
  /// The label that names the category of an alert's item.
  static let categoryLabel = "belfry_category"

  /// The lists to which the visitor is limited. They belong to an alert's key, so visitors of other lists have other
  /// items.
  let lists: [UUID]
  private(set) var faults: [FieldFault] = []

  init(lists: [UUID]) { self.lists = lists }

  /// The alerts of Alertmanager's webhook, version 4.
  mutating func webhook(_ body: JSONObject) -> [Alert] {
    guard body["version"] == "4" else {
      faults.append(
        FieldFault("version", "'version' is not \"4\"", hint: "this takes Alertmanager's webhook, version 4"))
      return []
    }
    guard let values = body["alerts"]?.arrayValue else {
      faults.append(FieldFault("alerts", "'alerts' is not an array"))
      return []
    }
    return values.enumerated().compactMap { index, value in
      let (place, known) = ("alerts[\(index)]", faults.count)
      let status = value["status"]?.stringValue.flatMap(Status.init)
      if status == nil { faults.append(FieldFault("\(place).status", "'\(place).status' is not firing or resolved")) }
      // Without a start, a report could not be distinguished from a late one about an earlier event.
      if value["startsAt"] == nil { faults.append(FieldFault("\(place).startsAt", "'\(place).startsAt' is missing")) }
      let alert = alert(value, at: place) { _ in status == .resolved ? .resolved : .firing(until: nil) }
      return faults.count == known ? alert : nil
    }
  }

  /// The alerts that Prometheus sends.
  mutating func prometheus(_ values: [JSONValue]) -> [Alert] {
    values.enumerated().compactMap { index, value in
      let known = faults.count
      let alert = alert(value, at: "[\(index)]") { .firing(until: $0) }
      return faults.count == known ? alert : nil
    }
  }

  private mutating func alert(
    _ value: JSONValue, at place: String, _ state: (_ end: Date?) -> Alert.State
  ) -> Alert? {
    guard value.objectValue != nil else {
      faults.append(FieldFault(place, "'\(place)' is not an object"))
      return nil
    }
    let known = faults.count
    // An empty label is an absent one, for Prometheus and Alertmanager too.
    let labels = texts(value["labels"], at: "\(place).labels").filter { !$0.value.isEmpty }
    let annotations = texts(value["annotations"], at: "\(place).annotations")
    if labels.isEmpty, faults.count == known {
      faults.append(FieldFault("\(place).labels", "'\(place).labels' has no label", hint: "labels identify an alert"))
    }
    let (start, end) = (date(value["startsAt"], at: "\(place).startsAt"), date(value["endsAt"], at: "\(place).endsAt"))
    if let start, let end, end < start {
      faults.append(FieldFault("\(place).endsAt", "'\(place).endsAt' is before 'startsAt'"))
    }
    let words = AlertWords(labels: labels, annotations: annotations, link: value["generatorURL"]?.stringValue)
    var alert = Alert(key: key(labels), text: words.text, notes: words.notes, startsAt: start, state: state(end))
    (alert.list, alert.category) = (labels[Self.listLabel], labels[Self.categoryLabel])
    return alert
  }

  private mutating func texts(_ value: JSONValue?, at place: String) -> [String: String] {
    guard let value, !value.isNull else { return [:] }
    guard let object = value.objectValue else {
      faults.append(FieldFault(place, "'\(place)' is not an object"))
      return [:]
    }
    var texts: [String: String] = [:]
    for member in object.members {
      guard let text = member.value.stringValue else {
        faults.append(FieldFault("\(place).\(member.key)", "'\(place).\(member.key)' is not a text"))
        continue
      }
      texts[member.key] = text
    }
    return texts
  }

  private mutating func date(_ value: JSONValue?, at place: String) -> Date? {
    guard let value, !value.isNull, value != Self.never else { return nil }
    guard let date = value.stringValue.flatMap(parseRFC3339) else {
      faults.append(
        FieldFault(place, "'\(place)' is not a time of RFC 3339", hint: "write it as 2026-11-21T08:00:00Z"))
      return nil
    }
    return date
  }

  /// The zero value of Go's time, which means that there is none.
  private static let never: JSONValue = "0001-01-01T00:00:00Z"

  // The length before each text ensures that different sets of labels give different bytes.
  private func key(_ labels: [String: String]) -> String {
    let names = labels.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let texts = names.flatMap { [$0, labels[$0] ?? ""] } + lists.map(\.uuidString).sorted()
    let bytes = texts.flatMap { Array("\($0.utf8.count):\($0)".utf8) }
    return "alert \(Base64URL.encode(SHA256.digest(bytes)))"
  }
}

/// The text and notes of the item for an alert.
private struct AlertWords {
  let labels: [String: String]
  let annotations: [String: String]
  let link: String?

  private static let nameLabel = "alertname"

  /// The alert's name with its summary, or else with its labels.
  var text: String {
    let summary = annotations["summary"].map(Self.line) ?? ""
    let others = labels.filter { $0.key != Self.nameLabel }.map { "\($0.key)=\($0.value)" }.sorted()
    let detail = summary.isEmpty ? others.joined(separator: ", ") : summary
    let name = "Alert \(labels[Self.nameLabel] ?? "")"
    return Self.line(detail.isEmpty ? name : "\(Self.line(name)): \(detail)")
  }

  /// Its description, and where to see it; `nil` if it has neither.
  var notes: String? {
    let parts = [annotations["description"], link].compactMap(\.self).map(Self.line).filter { !$0.isEmpty }
    return parts.isEmpty ? nil : parts.joined(separator: "\n")
  }

  // A label may hold line breaks, which the text of an item may not.
  private static func line(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar -> Character in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: " "
      default: Character(scalar)
      }
    }
    return String(scalars).split(separator: " ").joined(separator: " ")
  }
}
