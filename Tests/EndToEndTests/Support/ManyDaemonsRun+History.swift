import Foundation
import Testing

extension ManyDaemonsRun {
  /// What has happened.
  var history: DaemonHistory {
    get throws {
      var history = DaemonHistory()
      (history.faults, history.terms, history.slots) = (faults, terms, Self.slots)
      let share = setup.items / Self.sinks
      for item in 1...setup.items { history.planned[item] = "hook\((item - 1) / share)" }
      history.arrivals = try box.lines("collected").map { line in
        let words = line.split(separator: " ")
        return DaemonHistory.Arrival(
          time: try #require(Double(words[0])), identity: String(words[1]), item: try #require(Int(words[2])))
      }
      let checked = """
        SELECT id, extract(epoch FROM pg_xact_commit_timestamp(xmin)) FROM belfry.item WHERE is_checked
        """
      for line in try query(checked).split(separator: "\n") {
        let words = line.split(separator: "|")
        let time: Double = try #require(Double(words[1]))
        history.answers[try #require(Int(words[0]))] = time
      }
      return history
    }
  }

  /// The takeovers, and how often reminders arrived.
  var summary: String {
    let repeats = box.lines("collected").count - Set(box.lines("collected").map { $0.split(separator: " ")[1] }).count
    return "takeovers after \(takeovers) s, \(box.lines("collected").count) arrivals, \(repeats) of them repeats"
  }
}
