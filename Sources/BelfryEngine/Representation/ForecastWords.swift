import BelfryModel
import CivilTime
import FoundationEssentials

extension Reach {
  /// The place of a step in words, `step 2 of 3 to ben`; `nil` for a reminder that is not a step.
  public var words: String? {
    guard let place, place.ring > 1 || place.step > 1 else { return nil }
    guard let escalation else { return "step \(place.step), which the config no longer has" }
    let ring = place.ring > 1 ? ", ring \(place.ring)," : ""
    let target = names.isEmpty ? "nobody" : names.inSentence
    return "step \(place.step) of \(escalation.steps.count)\(ring) to \(target)"
  }
}

extension Moment {
  /// The steps that follow a reminder, in short: `then ben 08:10; anna and ben 08:30 and 5 more times`.
  ///
  /// - Parameter instant: the fire date of the reminder; a day is named if it differs from the day of this instant.
  package func words(_ steps: [ComingStep], after instant: Date) -> String? {
    guard !steps.isEmpty else { return nil }
    let shown = steps.prefix(Self.mostSteps).map { words($0, after: instant) }
    let others = steps.count - shown.count
    let more = others == 0 ? [] : [counted(others, "more step")]
    return "then " + (shown + more).joined(separator: "; ")
  }

  private static let mostSteps = 4

  private func words(_ step: ComingStep, after instant: Date) -> String {
    let names = step.to.isEmpty ? "\(step.given.inSentence) (nobody is reached)" : step.to.inSentence
    let more = step.times == 1 ? "" : step.times == 2 ? " and once more" : " and \(step.times - 1) more times"
    return "\(names) \(time(step.at.date, after: instant))\(more)"
  }

  /// The time of an instant, with its day if that differs from the day of an earlier instant.
  package func time(_ instant: Date, after earlier: Date) -> String {
    let wall = zone.wallTime(at: instant)
    return wall.date == zone.wallTime(at: earlier).date ? "\(wall.time)" : short(instant)
  }
}
