import ConfigKeys

extension QuietHours {
  /// The section `quiet_hours` of a sink.
  static let configType = ConfigType<QuietHours>.section { section in
    let from = section.require("from", .timeOfDay, "When the quiet begins, on the local clock.")
    let to = section.require("to", .located(.timeOfDay), "When it ends, on the next day where that is earlier.")
    guard let from, let to else { return nil }
    guard let hours = QuietHours(from: from, to: to.value) else {
      section.error("the quiet hours begin and end at \(from): name two times", at: to.position)
      return nil
    }
    return hours
  }
}
