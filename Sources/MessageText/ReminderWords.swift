import BelfryCore
import FoundationEssentials
import OrderedJSON
import RecurrenceRules

/// What a reminder says to people, in words.
public struct ReminderWords: Hashable, Sendable {
  /// Something that can be done from it.
  public struct Action: Hashable, Sendable {
    /// The name to give to `belfry act`.
    public let identifier: String
    /// What its button says.
    public let title: String
    /// Whether it destroys something.
    public let isDestructive: Bool
  }

  /// The most bytes of a text and of the notes that are shown.
  public static let longestText = 16_384
  /// The most items of a list that are named.
  public static let mostItems = 100

  /// What this tells of a delivery that failed; `nil` for a reminder.
  public let failure: DeliveryFailure?
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
  /// What can be done.
  public let actions: [Action]
  /// The reminder's identity, for `belfry act`.
  public let reminderID: String
  /// The item's number; `nil` for a list's own reminder.
  public let itemID: Int64?
  /// Whether it was made to find out whether a sink works, so that no such item is there.
  public let isTest: Bool

  /// What a content says at an attempt.
  public init(_ content: ReminderContent, at now: Date, lateSeconds: Int, zones: ZoneDatabase) {
    let data = content.data
    failure = content.failure
    list = content.listName.bounded(toBytes: 1_024)
    text = content.text.bounded(toBytes: Self.longestText)
    notes = data["item"]?["notes"]?.stringValue?.bounded(toBytes: Self.longestText)
    let fireDate = content.fireDate
    let moment = data["item"]?["due_date"]?.stringValue ?? fireDate
    let zone = Self.zoneName(data).flatMap { try? zones.zone($0) }
    let instant = parseRFC3339(moment)
    due = Self.words(for: moment, at: instant, in: zone)
    let distance = instant?.timeIntervalSince(now) ?? 0
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
    actions = (data["actions"]?.arrayValue ?? []).map { action in
      Action(
        identifier: action["identifier"]?.stringValue ?? "", title: action["title"]?.stringValue ?? "",
        isDestructive: action["destructive"]?.boolValue ?? false)
    }
    reminderID = content.reminderID?.text ?? ""
    itemID = content.itemID
    isTest = content.isTest
  }

  /// The words of every reminder in a message.
  public static func all(_ attempt: DeliveryAttempt, zones: ZoneDatabase) -> [ReminderWords] {
    attempt.message.contents.map {
      ReminderWords($0, at: attempt.startedAt, lateSeconds: attempt.lateSeconds, zones: zones)
    }
  }

  /// The name of the zone in which the times are written, where the content has it.
  private static func zoneName(_ data: JSONObject) -> String? {
    if let name = data["time_zone"]?.stringValue { return name }
    let name = data["item"]?["time_zone"]?.stringValue
    return name == "floating" ? nil : name
  }

  private static func words(for moment: String, at instant: Date?, in zone: Zone?) -> String {
    guard let wall = WallTime(parsing: String(moment.prefix(16))) else { return moment }
    let date = wall.date
    let day =
      "\(weekdays[date.weekday.rawValue - 1]), \(date.day) \(months[date.month - 1]) \(date.year) at \(wall.time)"
    let offset = moment.hasSuffix("Z") ? "UTC" : "UTC\(moment.suffix(6))"
    guard let zone, let instant, zone.wallTime(at: instant) == wall else { return "\(day) \(offset)" }
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
