import ConfigKeys

extension QuietHours {
  private static let fromKey = RequiredConfigKey("from", .timeOfDay, "When the quiet begins, on the local clock.")
  private static let toKey = RequiredConfigKey("to", .timeOfDay, "When it ends, on the next day where that is earlier.")

  /// The section `quiet_hours` of a sink.
  static let configType = ConfigType<QuietHours>.section([fromKey, toKey]) { section in
    guard let from = section.value(fromKey), let to = section.value(toKey) else { return nil }
    guard let hours = QuietHours(from: from, to: to) else {
      section.error("the quiet hours begin and end at \(from): name two times", at: section.position(of: toKey.name))
      return nil
    }
    return hours
  }
}
