import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials

/// What a reminder says to people, in words.
public struct ReminderWords: Hashable, Sendable {
  /// The most bytes of a text and of the notes that are shown.
  public static let longestText = 16_384
  /// The most items of a list that are named.
  public static let mostItems = 100

  /// The content that the words describe.
  public let content: ReminderContent
  /// The list's name.
  public let list: String
  /// The item's text, or what the list's own reminder says.
  public let text: String
  /// What else there is to say about the item.
  public let notes: String?
  /// When it is due, or when the list's own reminder rang: `Saturday, 21 November 2026 at 09:00 CET (Europe/Zurich)`.
  public let due: String
  /// How far off that is: `in 2 h`, `now`, `5 min ago`.
  public let relative: String
  /// Whether the item is due, and not only announced.
  public let isDue: Bool
  /// How late the reminder itself is, `2 h 5 min`; `nil` below a minute.
  public let late: String?
  /// What is unchecked, for a list's own reminder.
  public let unchecked: [String]
  /// How many more there are.
  public let uncheckedBeyond: Int

  /// What a content says at an attempt.
  public init(_ content: ReminderContent, at now: Date, lateSeconds: Int, zones: ZoneDatabase) {
    self.content = content
    list = content.listName.bounded(toBytes: 1_024)
    text = content.text.bounded(toBytes: Self.longestText)
    notes = content.item?.notes?.bounded(toBytes: Self.longestText)
    let moment = content.item?.due ?? content.fireDate
    due = Self.words(for: moment, in: Self.zoneName(content).flatMap { try? zones.zone($0) })
    let distance = moment.date.timeIntervalSince(now)
    relative =
      if abs(distance) < 60 { "now" } else if distance > 0 {
        "in \(RelativeTime.span(distance))"
      } else {
        "\(RelativeTime.span(-distance)) ago"
      }
    isDue = distance < 60
    late = lateSeconds < 60 ? nil : RelativeTime.span(TimeInterval(lateSeconds))
    let texts = content.uncheckedTexts
    unchecked = texts.prefix(Self.mostItems).map { $0.bounded(toBytes: 512) }
    uncheckedBeyond = texts.count - unchecked.count
  }

  /// The words of every reminder in a message.
  public static func all(_ attempt: DeliveryAttempt, zones: ZoneDatabase) -> [ReminderWords] {
    attempt.message.contents.map {
      ReminderWords($0, at: attempt.startedAt, lateSeconds: attempt.lateSeconds, zones: zones)
    }
  }

  /// The name of the zone in which the times are written, where the content has it.
  private static func zoneName(_ content: ReminderContent) -> String? {
    if let name = content.timeZone { return name }
    guard case .fixed(let name) = content.item?.record.item.zone else { return nil }
    return name
  }

  private static func words(for moment: OffsetInstant, in zone: Zone?) -> String {
    let (instant, wall) = (moment.date, moment.wallTime)
    let date = wall.date
    let day =
      "\(weekdays[date.weekday.rawValue - 1]), \(date.day) \(months[date.month - 1]) \(date.year) at \(wall.time)"
    let offset = moment.offsetMinutes == nil ? "UTC" : "UTC\(moment.offset)"
    guard let zone, zone.wallTime(at: instant) == wall else { return "\(day) \(offset)" }
    let abbreviation = zone.abbreviation(at: instant)
    let isWord = abbreviation.utf8.allSatisfy { (0x41...0x5a).contains($0) }
    guard zone.identifier != "UTC" else { return "\(day) UTC" }
    return "\(day) \(isWord ? abbreviation : offset) (\(zone.identifier))"
  }

  private static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]
}
