import BelfryEngine
import BelfryModel
import CivilTime
import ConfigKeys
import FoundationEssentials
import MessageText
import OrderedJSON

/// Checks that a template renders a body that a receiver can read.
enum TemplateCheck {
  /// Parses a template; one for JSON is rendered for two sample reminders, and the results are parsed.
  ///
  /// - Parameter language: parses it; without one only the tags are checked.
  /// - Returns: the template.
  /// - Throws: ``ConfigProblem`` with the place in the template, or in the rendered JSON.
  static func check(
    _ text: String, contentType: String, language: (any TemplateLanguage)?
  ) throws(ConfigProblem) -> Template {
    let escaping = TemplateEscaping.of(contentType)
    let template = try Template(text, escaping: escaping, language: language)
    guard escaping == .json else { return template }
    for attempt in samples {
      let words = ReminderWords.all(attempt, zones: ZoneDatabase(environment: [:]))
      guard let body = template.render(TemplateValues(attempt, words: words)) else { break }
      do throws(JSONError) {
        _ = try JSONValue(parsing: body.utf8)
      } catch {
        throw ConfigProblem("the template does not make JSON, which 'content_type' asks for: \(error)")
      }
    }
    return template
  }

  /// Sample reminders of an item and of a list, with a value for every name.
  private static var samples: [DeliveryAttempt] {
    let instant = Date(timeIntervalSince1970: 1_795_248_000)
    let words = ItemContent(
      text: "Buy \"milk\"", notes: "two\nbottles", shouldRemind: true, alerts: [.zero], nag: nil,
      category: "shopping", key: nil, tags: (try? ItemTags(["home"])) ?? .empty,
      priority: ItemPriority(.high), properties: [])
    var item = Item(id: 1, uuid: .belfry, listID: 1, position: 1, content: words, createdAt: instant)
    item.due = (try? FireDate(instant)).map { DueDate(local: Zone.utc.wallTime(at: instant), instant: $0) }
    let snapshot = ItemSnapshot(item, list: "Groceries", nextFireDate: nil, zone: .utc, now: instant)
    let list = ListSnapshot(id: 1, name: "Groceries", unchecked: [snapshot, snapshot])
    return [ReminderContent.Subject.item(snapshot), .list(list)].map { subject in
      let content = ReminderContent(
        reminderID: .belfry, fireDate: OffsetInstant(instant, in: .utc),
        alert: ReminderAlert(
          title: "Groceries", body: item.text, action: "View list", sound: "default", badge: 3),
        subject: subject, category: "shopping", actions: [OfferedAction(identifier: "ok", title: "OK")],
        timeZone: Zone.utc.identifier,
        escalation: EscalationNote(
          name: "home", step: 2, of: 3, ring: 1, since: OffsetInstant(instant - 600, in: .utc), asked: ["anna"],
          people: ["anna"], tellsAnswer: true))
      let message = Message(id: .belfry, sink: "sample", contents: [content], createdAt: instant)
      let url = "https://belfry.example.org/a/token"
      return DeliveryAttempt(
        deliveryID: 1, message: message, recipient: nil, startedAt: instant, lateSeconds: 0,
        links: [ReminderLinks(answerURL: url, actions: [ActionLink(url: url, token: "token")])])
    }
  }
}

extension TemplateEscaping {
  /// The escaping of values in a body of a media type.
  static func of(_ contentType: String) -> TemplateEscaping {
    let type = contentType.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    if type == "application/json" || type.hasSuffix("+json") { return .json }
    if type == "application/x-www-form-urlencoded" { return .form }
    return type.hasSuffix("/html") || type.hasSuffix("xml") ? .html : .text
  }
}

extension ConfigType where Value == String {
  /// A media type such as `text/plain; charset=utf-8`.
  static var mediaType: ConfigType {
    .scalar(.line, write: { $0 }) { scalar, _ throws(ConfigProblem) in
      guard scalar.kind == .text else { return nil }
      let type = scalar.text.prefix { $0 != ";" }
      guard HeaderFields.isValue(scalar.text), type.split(separator: "/", omittingEmptySubsequences: false).count == 2,
        !type.hasPrefix("/"), !type.hasSuffix("/"), !type.contains(" ")
      else { throw ConfigProblem("expected a media type such as text/plain, found \(inQuotes(scalar.text))") }
      return scalar.text
    }
  }
}
