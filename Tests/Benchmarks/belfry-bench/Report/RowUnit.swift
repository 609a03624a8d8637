/// The unit of a row's numbers.
enum RowUnit: String, Codable {
  /// Time, in thousandths of a second.
  case milliseconds = "ms"
  /// How many a second.
  case perSecond = "/s"
  /// How many an hour.
  case perHour = "/h"
  /// Processor time in seconds an hour.
  case secondsPerHour = "CPU s/h"
  /// Memory or disk, in 2²⁰ bytes.
  case mebibytes = "MiB"
  /// Bytes.
  case bytes = "B"
  /// Instructions of the processor, in millions.
  case millions = "million"
  /// How many.
  case count = ""
}
