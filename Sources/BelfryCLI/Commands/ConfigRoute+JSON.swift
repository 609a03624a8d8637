import BelfryEngine
import CivilTime
import OrderedJSON

extension Destinations {
  /// The route of a reminder as `--json` shows it: the deciding entries of `routes`, its present recipients, and the
  /// steps of its escalation.
  func json(list: String, category: String?, _ escalation: Escalation?) -> JSONValue {
    let routes = escalation == nil ? session.settings.routes.deciding(list: list, category: category) : []
    let names = session.firstNames(list: list, category: category)
    return [
      "list": .string(list),
      "category": category.map { .string($0) } ?? .null,
      "routes": .array(routes.map { .integer(Int64($0 + 1)) }),
      "sinks": sinks(names),
      "away": .array(absentees(names).map { .string($0) }),
      "escalation": escalation.map { .string($0.name) } ?? .null,
      "again_after": escalation?.againAfter.map { .string($0.iso8601) } ?? .null,
      "again": escalation?.againAfter == nil ? .null : escalation.map { .string($0.again.rawValue) } ?? .null,
      "steps": .array((escalation?.steps ?? []).enumerated().map { step($1, number: $0 + 1) }),
    ]
  }

  private func step(_ step: Escalation.Step, number: Int) -> JSONValue {
    [
      "step": .integer(Int64(number)),
      "after": .string(step.after.iso8601),
      "to": .array(step.to.map { .string($0) }),
      "sinks": sinks(step.to),
      "away": .array(absentees(step.to).map { .string($0) }),
      "every": step.every.map { .string($0.iso8601) } ?? .null,
      "times": .integer(Int64(step.times)),
    ]
  }

  private func sinks(_ names: [String]) -> JSONValue {
    .array(
      recipients(of: names).map { recipient in
        [
          "name": .string(recipient.sink),
          "person": recipient.person.map { .string($0.name) } ?? .null,
          "address": recipient.address.map { .string($0) } ?? .null,
        ]
      })
  }
}
