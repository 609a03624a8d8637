import Foundation

/// A description of the machine.
struct Machine: Codable {
  /// The model and number of its processors.
  var processor: String
  /// The system's name and release.
  var system: String
  /// The type of the file system with the data.
  var fileSystem: String
  /// The time of the run, in UTC.
  var moment: String

  private enum CodingKeys: String, CodingKey {
    case processor, system, moment
    case fileSystem = "file_system"
  }

  /// This machine, with the data in a folder.
  init(scratch: String) {
    var name = utsname()
    uname(&name)
    let release = withUnsafeBytes(of: name.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    system = "Linux \(release)"
    processor = "\(sysconf(Int32(_SC_NPROCESSORS_ONLN))) × \(Self.processorName ?? "an unknown processor")"
    fileSystem = Self.fileSystem(of: scratch) ?? "an unknown file system"
    moment = Timestamp.text(Int(Clock.wall))
  }

  private static var processorName: String? {
    let lines = lines(of: "/proc/cpuinfo")
    let line = lines.first { $0.hasPrefix("model name") }
    return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
  }

  // The type of the file system that contains the folder.
  private static func fileSystem(of folder: String) -> String? {
    let mounts = lines(of: "/proc/mounts").map { $0.split(separator: " ") }.filter { $0.count > 2 }
    let above = mounts.filter { "\(folder)/".hasPrefix($0[1] == "/" ? "/" : "\($0[1])/") }
    return above.max { $0[1].count < $1[1].count }.map { String($0[2]) }
  }

  private static func lines(of file: String) -> [Substring] {
    ((try? String(contentsOfFile: file, encoding: .utf8)) ?? "").split(whereSeparator: \.isNewline)
  }
}
