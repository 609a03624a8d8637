import BelfryEngine
import CivilTime
import Foundation
import Testing

@Suite("Names of people and sinks")
struct RecipientNamesTests {
  private static let firstHour = Absence(from: WallTime(minutesSinceEpoch: 0), until: WallTime(minutesSinceEpoch: 60))
  private let anna = Person(name: "anna", sinks: ["phone", "mail", "off"], address: "anna@example.org")
  private let ben = Person(
    name: "ben", sinks: ["mail", "chat"], address: "ben@example.org", away: [firstHour].compactMap(\.self))
  private let cleo = Person(name: "cleo", sinks: ["chat", "desk", "post"])

  /// The recipients as `sink:person:address`, at an instant after everybody's absence.
  private func recipients(of names: String..., at seconds: TimeInterval = 3_600) -> [String] {
    resolver.recipients(of: names, at: Date(timeIntervalSince1970: seconds), in: .utc)
      .map { "\($0.sink):\($0.person?.name ?? ""):\($0.address ?? "")" }
  }

  private var resolver: RecipientNames {
    var settings = Settings()
    settings.people = [anna, ben, cleo]
    return RecipientNames(
      settings, enabled: ["log", "phone", "mail", "chat", "desk", "post"], addressable: ["mail", "post"])
  }

  @Test("a person stands for their enabled sinks, in the person's order")
  func person() {
    #expect(recipients(of: "anna") == ["phone:anna:", "mail:anna:anna@example.org"])
  }

  @Test("a sink that takes no address, or a person without one: to the person whose alone the sink is")
  func owner() {
    #expect(recipients(of: "cleo") == ["chat::", "desk:cleo:", "post:cleo:"])
    #expect(recipients(of: "ben") == ["mail:ben:ben@example.org", "chat::"])
  }

  @Test("a sink by its own name goes to its own recipients, and to the person whose alone it is")
  func sink() {
    #expect(recipients(of: "log", "phone", "mail", "off") == ["log::", "phone:anna:", "mail::"])
  }

  @Test("each recipient is named once, though several names lead there")
  func once() {
    #expect(
      recipients(of: "ben", "phone", "cleo", "anna", "chat", "anna") == [
        "mail:ben:ben@example.org", "chat::", "phone:anna:", "desk:cleo:", "post:cleo:", "mail:anna:anna@example.org",
      ])
    #expect(recipients(of: "mail", "anna") == ["mail::", "phone:anna:", "mail:anna:anna@example.org"])
  }

  @Test("whoever is away is left out, but not a sink by its own name")
  func absent() {
    #expect(recipients(of: "ben", "chat", at: 3_599) == ["chat::"])
    #expect(recipients(of: "ben", at: 0) == [])
    #expect(recipients(of: "ben", at: -1).count == 2)
    let absentees = [-1, 0, 3_599, 3_600].map { seconds in
      resolver.absentees(among: ["chat", "ben", "anna"], at: Date(timeIntervalSince1970: seconds), in: .utc).map(\.name)
    }
    #expect(absentees == [[], ["ben"], ["ben"], []])
  }

  @Test("where the routes name nothing, or nothing that is known, nobody gets anything")
  func nobody() {
    #expect(recipients() == [])
    #expect(recipients(of: "off", "nobody") == [])
  }
}
