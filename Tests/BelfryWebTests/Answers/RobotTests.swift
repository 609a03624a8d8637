import Foundation
import Testing

@testable import BelfryEngine
@testable import BelfryWeb

@Suite("Robots that press what people are to press")
struct RobotTests {
  /// The orders in which a robot may press the controls of a page.
  enum Order: CaseIterable {
    case asTheyStand, fromTheEnd, fromTheSecond

    func callAsFunction(_ forms: [PageForm]) -> [PageForm] {
      switch self {
      case .asTheyStand: forms
      case .fromTheEnd: forms.reversed()
      // The decoy is last, and if something was answered, taking it back is first.
      case .fromTheSecond: Array(forms.dropFirst() + forms.prefix(1))
      }
    }
  }

  @Test("one that presses every control leaves nothing behind, and destroys nothing", arguments: Order.allCases)
  func everyControl(order: Order) async throws {
    let rung = try RungReminder()
    let forms = PageForm.all(in: try await rung.page(rung.token()).body)
    #expect(forms.count == 5)
    for form in order(forms) { _ = try await rung.server.press(form) }
    #expect(try rung.item() == "Milk" && rung.extraRinging() == [])
    let inForce = try rung.server.belfry.sheet(of: rung.reminder).answer
    #expect(inForce == nil)
  }

  @Test("an answer that stood before it came stands again", arguments: [1, 2, 3] as [UInt16], Order.allCases)
  func standing(action: UInt16, order: Order) async throws {
    for seconds in [5.0, 300] {
      let rung = try await RungReminder(answered: action, before: seconds)
      let before = try Lasting(rung)
      let forms = PageForm.all(in: try await rung.page(rung.token()).body)
      #expect(forms.dropFirst().first?.label == "Take it back")
      for form in order(forms) { _ = try await rung.server.press(form) }
      #expect(try Lasting(rung) == before)
      rung.server.time.advance(by: 600)
      let back = try await rung.server.press(forms[1])
      #expect(try back.status == 200 && back.body.contains("Taken back") && Lasting(rung) != before)
    }
  }

  @Test("it stands again also after one that goes on with the buttons of the replies")
  func replies() async throws {
    let rung = try await RungReminder(answered: 2, before: 5)
    let before = try Lasting(rung)
    let forms = PageForm.all(in: try await rung.page(rung.token()).body)
    let shown = PageForm.all(in: try await rung.server.press(forms[1]).body)
    for label in ["Later", "Done"] {
      let form = try #require(shown.first { $0.label == label })
      #expect(try await rung.server.press(form).status == 200)
    }
    #expect(try rung.item() == "Milk checked")
    #expect(try await rung.server.press(forms[0]).status == 429)
    #expect(try Lasting(rung) == before)
  }

  @Test("it stands again also where the config was read anew meanwhile")
  func reload() async throws {
    let rung = try await RungReminder(answered: 1, before: 5)
    let before = try Lasting(rung)
    let forms = PageForm.all(in: try await rung.page(rung.token()).body)
    #expect(try await rung.server.press(forms[1]).status == 200)
    try rung.server.reload()
    #expect(try await rung.server.press(forms[0]).status == 429)
    #expect(try Lasting(rung) == before)
  }

  /// The part of a reminder that a robot must not change.
  private struct Lasting: Equatable {
    let item: String?
    let ringing: [Int]
    let answer: Int64?

    init(_ rung: RungReminder) throws {
      (item, ringing) = (try rung.item(), try rung.extraRinging())
      answer = try rung.server.belfry.sheet(of: rung.reminder).answer?.id
    }
  }

  @Test("all at once it leaves nothing behind either")
  func atOnce() async throws {
    for _ in 1...8 {
      let rung = try RungReminder()
      let forms = PageForm.all(in: try await rung.page(rung.token()).body)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for form in forms { group.addTask { _ = try await rung.server.press(form) } }
        try await group.waitForAll()
      }
      #expect(try rung.item() == "Milk" && rung.extraRinging() == [])
      #expect(try rung.server.belfry.sheet(of: rung.reminder).answer == nil)
    }
  }

  @Test("all at once it changes no answer that stood before", arguments: [1, 2] as [UInt16])
  func standingAtOnce(action: UInt16) async throws {
    for _ in 1...8 {
      let rung = try await RungReminder(answered: action, before: 5)
      let before = try Lasting(rung)
      let forms = PageForm.all(in: try await rung.page(rung.token()).body)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for form in forms { group.addTask { _ = try await rung.server.press(form) } }
        try await group.waitForAll()
      }
      #expect(try Lasting(rung) == before)
    }
  }

  @Test("after the decoy the link only shows for ten minutes, whatever action it names; another link acts")
  func pause() async throws {
    let rung = try RungReminder()
    let decoy = try await rung.server.post("/a/\(rung.token(2))/confirm", RungReminder.browser)
    #expect(decoy.status == 429 && decoy["retry-after"] == ["600"])
    #expect(decoy.body.contains("the buttons return Sat 21 Nov 2026 09:10"))
    let digest = try rung.digest()
    rung.server.time.advance(by: 599)
    for token in [rung.token(), rung.token(1)] {
      let page = try await rung.page(token)
      #expect(page.status == 200 && PageForm.all(in: page.body).isEmpty && page.body.contains("Milk"))
    }
    #expect(try await rung.press(1).status == 429)
    #expect(try await rung.press(1, RungReminder.program).status == 429)
    #expect(try await rung.server.post("/a/\(rung.token())/take-back", body: "answer=1").status == 429)
    #expect(try rung.digest() == digest)
    #expect(try await rung.server.post("/a/\(rung.token(1, hours: 24))").status == 200)
    rung.server.time.advance(by: 1)
    #expect(try await rung.page(rung.token()).status == 200)
  }

  @Test("the decoy takes back what this link did within the last minute, and no more")
  func reach() async throws {
    let rung = try RungReminder()
    #expect(try await rung.press(3).status == 200)
    rung.server.time.advance(by: 61)
    #expect(try await rung.press(2).status == 200)
    #expect(try await rung.server.post("/a/\(rung.token())/confirm").status == 429)
    let answers = try rung.server.belfry.store.read { try $0.answers(of: .item(1)) }
    #expect(answers.map { $0.takenBackAt != nil } == [false, true])
    #expect(try rung.extraRinging() == [])
  }

  @Test("people, screen readers and the keyboard do not meet the decoy")
  func hidden() async throws {
    let rung = try RungReminder()
    let page = try await rung.page(rung.token()).body
    let decoy = try #require(page.firstMatch(of: #/<form [^>]*class="decoy"[^>]*><button[^>]*>/#)?.0)
    #expect(decoy.contains(#"aria-hidden="true""#) && decoy.contains(#"tabindex="-1""#) && decoy.contains("hidden"))
    #expect(PageForm.all(in: page).first?.label.hasPrefix("Leave this alone") == true)
  }
}

extension RungReminder {
  /// A reminder that was answered over another link, some seconds before a robot.
  fileprivate init(answered action: UInt16, before seconds: Double) async throws {
    try self.init()
    #expect(try await server.post("/a/\(token(action, hours: 24))").status == 200)
    server.time.advance(by: seconds)
  }
}
