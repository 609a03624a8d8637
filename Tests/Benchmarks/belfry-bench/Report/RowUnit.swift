/// The unit of a row's numbers.
enum RowUnit: String, Codable {
  case milliseconds = "ms"
  /// A number in a second.
  case perSecond = "/s"
  /// A number in an hour.
  case perHour = "/h"
  /// Processor time, in seconds in an hour.
  case secondsPerHour = "CPU s/h"
  /// Memory or disk, in 2²⁰ bytes.
  case mebibytes = "MiB"
  case bytes = "B"
  /// Processor instructions, in millions.
  case millions = "million"
  case count = ""
}
