import BelfryTestKit
import CivilTime
import Foundation
import Testing

@testable import BelfryModel

@Suite struct EscalationPlaceTests {
  @Test("every place has a number of its own, which grows with the run, then the step, then the ring")
  func numbers() {
    var last = 0
    for run in [1, 2, 3, 1 << 24] {
      for step in 1...20 {
        for ring in 1...100 {
          let place = EscalationPlace(run: run, step: step, ring: ring)
          #expect(place.number > last && EscalationPlace(number: place.number) == place, "\(place)")
          last = place.number
        }
      }
    }
    #expect(last < 1 << 40, "beyond what stores keep")
    #expect(EscalationPlace(run: 1, step: 2, ring: 3).number == (32 + 2) * 128 + 3)
  }

  @Test(
    "the number of no place is refused",
    arguments: [
      0, -1, .min, .max, 4_096, 4_095, (32 + 1) * 128, (32 + 1) * 128 + 101, (32 + 0) * 128 + 1, (32 + 21) * 128 + 1,
      (32 + 31) * 128 + 127, (0 + 2) * 128 + 1, ((1 << 24 + 1) * 32 + 1) * 128 + 1,
    ])
  func none(number: Int) { #expect(EscalationPlace(number: number) == nil) }

  @Test("a ringing of an escalation has its place in its name")
  func identity() throws {
    let due = try Sample.due().local
    let place = EscalationPlace(run: 3, step: 2, ring: 14)
    let occurrence = Occurrence(owner: .item(1), wallTime: due, lead: .zero, kind: .escalation(place))
    let owner = Sample.uuid("item 1")
    let expected = UUID(namespace: .belfry, name: "item \(owner.text) 2026-11-21T08:00 PT0S escalation 3 2 14")
    #expect(occurrence.reminderID(ownerUUID: owner) == expected)
    #expect(occurrence.kind.isEscalation && !occurrence.kind.isNag && !occurrence.kind.isSnooze)
    #expect(!Occurrence.Kind.nag(1).isEscalation)
  }

  @Test("a message to one person has an identity of its own, that to no one in particular the old one")
  func messageIdentity() {
    let reminders = [Sample.uuid("1"), Sample.uuid("2")]
    let name = "message mail \(reminders[0].text) \(reminders[1].text)"
    #expect(Message.id(sink: "mail", reminders: reminders) == UUID(namespace: .belfry, name: name))
    #expect(Message.id(sink: "mail", reminders: reminders, person: 0) == UUID(namespace: .belfry, name: name))
    #expect(
      Message.id(sink: "mail", reminders: reminders, person: 12) == UUID(namespace: .belfry, name: name + " person 12"))
  }
}
