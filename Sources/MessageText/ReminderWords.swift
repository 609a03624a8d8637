import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials

/// The texts of a reminder for people: what is due, when, and how late it is.
package struct ReminderWords: Hashable, Sendable {
  /// The longest text or notes shown, in bytes.
  static let longestText = 16_384
  /// The most unchecked items listed.
  package static let mostItems = 100
  /// The longest text in the news of its answer, in bytes.
  private static let longestTitle = 250

  /// The content that is described.
  package let content: ReminderContent
  package let list: String
  /// The item's text; for a list's own reminder its message, or without one the number of open items: `3 open`.
  package let text: String
  /// The text for a place where nothing else names the list: `Groceries: 3 open`.
  package let headline: String
  /// The item's notes, if any.
  package let notes: String?
  /// The due time, or the fire time of a list's own reminder: `Saturday, 21 November 2026 at 09:00 CET
  /// (Europe/Zurich)`.
  package let due: String
  /// The distance from now to that time: `in 2 h`, `now`, `5 min ago`.
  package let relative: String
  /// True if the item is already due; false for a reminder before its due time.
  let isDue: Bool
  /// The state of the reminder in a sentence, for the copies of a message that was delivered; `nil` for a reminder.
  package let state: String?
  /// The time of that state, in the form of ``due``; `nil` for a reminder.
  package let stateTime: String?
  /// The news of its answer, for a sink that cannot change delivered messages; `nil` for other messages.
  package let news: String?
  /// The course of its escalation so far: `Anna has not answered since 08:00 (step 2 of 3)`; `nil` at the first ringing,
  /// and in an update.
  package let escalation: String?
  /// The lateness of the reminder itself, such as `2 h 5 min`; `nil` below a minute, and in an update.
  package let late: String?
  /// The unchecked items, for a list's own reminder.
  package let unchecked: [String]
  /// The number of further unchecked items.
  package let uncheckedBeyond: Int
  /// The links by which it is answered; `nil` if it has none.
  package let links: ReminderLinks?
  /// The token of each action's button, `nil` for an action that no token carries out; empty if it has no buttons.
  package let buttons: [String?]

  /// The words of a content at the time of an attempt.
  package init(
    _ content: ReminderContent, at now: Date, lateSeconds: Int, zones: ZoneDatabase, links: ReminderLinks? = nil,
    buttons: [String?] = []
  ) {
    (self.content, self.links, self.buttons) = (content, links, buttons)
    list = content.listName.bounded(toBytes: 1_024)
    text = content.wording.bounded(toBytes: Self.longestText)
    headline = content.wording == content.text ? text : "\(list): \(text)"
    notes = content.item?.notes?.bounded(toBytes: Self.longestText)
    let moment = content.item?.due ?? content.fireDate
    let zone = Self.zoneName(content).flatMap { try? zones.zone($0) }
    due = Self.words(for: moment, in: zone)
    let distance = moment.date.timeIntervalSince(now)
    relative =
      if abs(distance) < 60 { "now" } else if distance > 0 {
        "in \(RelativeTime.span(distance))"
      } else {
        "\(RelativeTime.span(-distance)) ago"
      }
    isDue = distance < 60
    state = content.update.map { $0.sentence.capitalizedFirst }
    stateTime = content.update.map { Self.words(for: $0.at, in: zone) }
    news = content.news(of: content.text.onOneLine().bounded(toBytes: Self.longestTitle))
    escalation = content.escalationSentence?.bounded(toBytes: 1_024)
    late = lateSeconds < 60 || content.update != nil ? nil : RelativeTime.span(TimeInterval(lateSeconds))
    let texts = content.uncheckedTexts
    unchecked = texts.prefix(Self.mostItems).map { $0.bounded(toBytes: 512) }
    uncheckedBeyond = texts.count - unchecked.count
  }

  /// The words of the first `limit` reminders in an attempt's message.
  package static func all(_ attempt: DeliveryAttempt, zones: ZoneDatabase, limit: Int = .max) -> [ReminderWords] {
    attempt.message.contents.prefix(limit).enumerated().map { index, content in
      ReminderWords(
        content, at: attempt.startedAt, lateSeconds: attempt.lateSeconds, zones: zones,
        links: attempt.links.indices.contains(index) ? attempt.links[index] : nil,
        buttons: attempt.buttons.indices.contains(index) ? attempt.buttons[index] : [])
    }
  }

  /// The actions that it offers, with their links; empty if it has none.
  package var linkedActions: [(action: OfferedAction, link: ActionLink)] {
    links.map { Array(zip(content.actions, $0.actions)) } ?? []
  }

  /// The actions that it offers, with their links; those for small displays are first.
  package var linkedActionsForSmallDisplays: [(action: OfferedAction, link: ActionLink)] {
    let linked = linkedActions
    return content.actions.placesForSmallDisplays.filter(linked.indices.contains).map { linked[$0] }
  }

  /// The actions to whose pages a button may lead.
  package var pagedActions: [(action: OfferedAction, link: ActionLink)] {
    linkedActions.filter { $0.link.token != nil || $0.action.isOpenedByButton }
  }

  /// The effect of a press of a button.
  package enum ButtonEffect: Hashable, Sendable {
    /// The token is sent back over the message's channel.
    case answering(token: String)
    case opening(url: String)
  }

  /// The effect of the button of the action at a place; `nil` for one without a button of its own.
  package func buttonEffect(at place: Int) -> ButtonEffect? {
    if buttons.indices.contains(place), let token = buttons[place] { return .answering(token: token) }
    guard content.actions[place].isOpenedByButton, let links, links.actions.indices.contains(place) else { return nil }
    return .opening(url: links.actions[place].url)
  }

  /// The lines of a chat's message: the text, the state and the escalation; and unless the reminder has ended, the open
  /// items, the list, due time, lateness and notes.
  ///
  /// - Parameters:
  ///   - withText: whether to say the text.
  ///   - withList: whether to say the list.
  ///   - mostUnchecked: the most unchecked items that are named.
  package func chatLines(
    withText: Bool = true, withList: Bool = true, mostUnchecked: Int = ReminderWords.mostItems
  ) -> [String] {
    var lines = [withText ? withList ? headline : text : nil, state, escalation].compactMap(\.self)
    guard content.update?.state != .answered else { return lines }
    let named = unchecked.prefix(mostUnchecked)
    lines += named.map { "• \($0)" }
    let beyond = unchecked.count - named.count + uncheckedBeyond
    if beyond > 0 { lines.append("… and \(beyond) more") }
    lines.append([withList ? list : nil, "\(due), \(relative)"].compactMap(\.self).joined(separator: " · "))
    if let late { lines.append("This reminder is \(late) late.") }
    if let notes { lines += ["", notes] }
    return lines
  }

  /// The name of the zone in which the times are shown, if the content has one.
  private static func zoneName(_ content: ReminderContent) -> String? {
    if let name = content.timeZone { return name }
    guard case .fixed(let name) = content.item?.record.item.zone else { return nil }
    return name
  }

  private static func words(for moment: OffsetInstant, in zone: Zone?) -> String {
    let (instant, wall) = (moment.date, moment.wallTime)
    let date = wall.date
    let (weekday, month) = (WhenWords.name(of: date.weekday), WhenWords.name(ofMonth: date.month))
    let day = "\(weekday), \(date.day) \(month) \(date.year) at \(wall.time)"
    let offset = moment.offsetMinutes == nil ? "UTC" : "UTC\(moment.offset)"
    guard let zone, zone.wallTime(at: instant) == wall else { return "\(day) \(offset)" }
    let abbreviation = zone.abbreviation(at: instant)
    let isWord = abbreviation.utf8.allSatisfy { (0x41...0x5a).contains($0) }
    guard zone.identifier != "UTC" else { return "\(day) UTC" }
    return "\(day) \(isWord ? abbreviation : offset) (\(zone.identifier))"
  }
}

extension ReminderContent {
  /// The text. If it is only the name of the list, it is the number of open items instead, since messages name the list
  /// anyway.
  var wording: String { openCount.map { "\($0) open" } ?? text }
}
