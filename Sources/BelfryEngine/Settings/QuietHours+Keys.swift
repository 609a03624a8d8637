import ConfigKeys

extension QuietHours {
  /// The section `quiet_hours` of a sink or person.
  static let configType = ConfigType<QuietHours>.section { section in
    let from = section.require("from", .timeOfDay, "The start, on the local clock.")
    let to = section.require("to", .located(.timeOfDay), "The end; on the next day if it is earlier than the start.")
    guard let from, let to else { return nil }
    guard let hours = QuietHours(from: from, to: to.value) else {
      section.error("the quiet hours begin and end at \(from): name two times", at: to.position)
      return nil
    }
    return hours
  }
}
