import BelfryModel
import CivilTime
import NaturalDates

extension ConfigType where Value == String {
  /// Text of any number of lines.
  public static var text: ConfigType {
    textual(.text, write: ConfigText.write) { text, _ in text }
  }

  /// Text of one line, not empty, without white space at its ends.
  public static var line: ConfigType {
    textual(.line, write: ConfigText.write) { text, _ throws(ConfigProblem) in
      do {
        return try TextRules.line(text, what: "the text")
      } catch {
        throw ConfigProblem((error as? BelfryError)?.message ?? "\(error)")
      }
    }
  }

  /// The absolute path of a file or folder.
  ///
  /// `~` at the start is the home folder, a relative path refers to the config file's folder. Nothing else is expanded,
  /// and the file system is not accessed.
  public static var path: ConfigType {
    textual(.path, write: ConfigText.write) { text, context throws(ConfigProblem) in
      guard !text.isEmpty else { throw ConfigProblem("the path is empty") }
      if text.hasPrefix("/") { return text }
      guard text.hasPrefix("~") else { return context.directory + (context.directory == "/" ? "" : "/") + text }
      guard text == "~" || text.hasPrefix("~/") else {
        throw ConfigProblem("expected a path, found \(inQuotes(text)): only ~/ stands for a home folder")
      }
      guard let home = context.environment.home else {
        throw ConfigProblem("the home folder is unknown: set HOME, or write an absolute path")
      }
      return home + String(text.dropFirst())
    }
  }
}

extension ConfigType where Value == Bool {
  /// `true` or `false`, in the spellings of YAML 1.2.
  public static var boolean: ConfigType {
    scalar(.boolean, write: { "\($0)" }) { scalar, _ in
      guard scalar.kind == .boolean else { return nil }
      switch scalar.text {
      case "true", "True", "TRUE": return true
      case "false", "False", "FALSE": return false
      default: return nil
      }
    }
  }
}

extension ConfigType where Value == Int {
  /// A whole number in a range.
  public static func integer(_ range: ClosedRange<Int>) -> ConfigType {
    scalar(.integer(range), write: { "\($0)" }) { scalar, _ in
      guard scalar.kind == .number, let value = Int(scalar.text), range.contains(value) else { return nil }
      return value
    }
  }

  /// An exact duration in seconds, written as `15s`, `10m`, `1h30m` or `7d`, with days of 24 hours.
  public static func duration(atLeast minimum: Int) -> ConfigType {
    textual(.duration(atLeast: minimum), write: { ExactDuration.text($0) }) { text, _ in
      ExactDuration.seconds(text).flatMap { $0 >= minimum ? $0 : nil }
    }
  }
}

extension ConfigType where Value == Double {
  /// An exact duration in seconds, as a floating-point number.
  public static func duration(atLeast minimum: Int) -> ConfigType {
    let seconds = ConfigType<Int>.duration(atLeast: minimum)
    return ConfigType(shape: seconds.shape, write: { seconds.write(Int($0)) }) { node, report in
      seconds.decode(node, &report).map(Double.init)
    }
  }
}

extension ConfigType where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// One of the raw values of an enumeration.
  public static var choice: ConfigType {
    textual(.choice(Value.allCases.map(\.rawValue)), write: \.rawValue) { text, _ in Value(rawValue: text) }
  }
}

extension ConfigType where Value == TimeOfDay {
  /// A time of day, `09:00`.
  package static var timeOfDay: ConfigType {
    textual(.timeOfDay, write: { "\"\($0)\"" }) { text, _ in TimeOfDay(parsing: text) }
  }
}

extension ConfigType where Value == CalendarDuration {
  /// A duration of at least a minute; its days are wall-clock days.
  package static var calendarDuration: ConfigType {
    textual(.calendarDuration, write: { "\($0)" }) { text, _ throws(ConfigProblem) in
      do throws(WhenError) {
        return try CalendarDuration(parsing: text)
      } catch {
        throw ConfigProblem(error.message)
      }
    }
  }
}

/// Texts in the syntax of the config.
package enum ConfigText {
  /// The text in double quotes, with the escapes that JSON and YAML share.
  package static func write(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case "\0"..." ", "\u{7f}"..."\u{9f}", "\u{2028}", "\u{2029}", "\u{feff}":
        guard scalar != " " else {
          quoted += " "
          continue
        }
        let hex = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
