/// The shape of a config value, from which error messages, the JSON Schema and the reference follow.
public indirect enum ConfigShape: Sendable {
  /// Text of any number of lines.
  case text
  /// Text of one line, not empty.
  case line
  /// A file or folder; `~` is the home folder, a relative path refers to the config file's folder.
  case path
  /// `true` or `false`.
  case boolean
  /// A whole number in a range.
  case integer(ClosedRange<Int>)
  case choice([String])
  /// A time of day, `09:00`.
  case timeOfDay
  /// A day, `2026-12-24`, or a minute of one, `2026-12-24 18:00`.
  case day
  /// A duration in whole minutes; its days are wall-clock days.
  case calendarDuration
  /// An exact duration of at least this many seconds.
  case duration(atLeast: Int)
  /// A whole number, or a name of one line, as services identify things.
  case identifier
  /// A count per unit of time, `60/m`.
  case rateLimit
  /// `local` or the name of a time zone.
  case zone
  /// A secret text of one line, or a list of several if allowed.
  case secret(allowsSeveral: Bool)
  /// A list of values of one shape.
  case list(ConfigShape)
  /// A section with these keys.
  case section([ConfigKey])
  /// A section whose keys are names that the user chooses.
  case map(ConfigShape)
  /// A section with these keys and those of the plug-in that its key `type` names.
  case plugin([ConfigKey], [any ConfigPlugin.Type])

  /// The words after `expected` in a message.
  public var expectation: String {
    switch self {
    case .text, .line, .secret: "text"
    case .path: "a path"
    case .boolean: "true or false"
    case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .choice(let words): words.count == 1 ? words.joined() : "one of \(words.joined(separator: ", "))"
    case .timeOfDay: "a time such as 09:00"
    case .day: "a day such as 2026-12-24 or 2026-12-24 18:00"
    case .calendarDuration: "a duration such as 10m, 1h30m, 2d or 1w"
    case .duration(let minimum):
      minimum <= 1 ? "a duration such as 15s, 10m or 1h30m" : "a duration of at least \(ExactDuration.text(minimum))"
    case .identifier: "a number or a name"
    case .rateLimit: "a number and a unit of time such as 60/m"
    case .zone: "local or a time zone such as Europe/Zurich"
    case .list: "a list"
    case .section, .map, .plugin: "a section of keys"
    }
  }
}
