import BelfryTestKit
import Foundation
import Testing

@testable import BelfryEngine
@testable import BelfryModel
@testable import BelfryWeb

@Suite("Presses over links that are made together")
struct AnswerPressTests {
  private let rung: RungReminder

  init() throws { rung = try RungReminder() }

  private func press(
    _ action: UInt16, hours: Int = 168, of other: UUID? = nil, isForPage: Bool = false
  ) throws -> LinkPress {
    let opened = try LinkReader(file: rung.server.keys)
      .open(rung.token(action, hours: hours, of: other), at: rung.server.time.now)
    let link: AnswerLink? = if case .valid(let link) = opened { link } else { nil }
    return LinkPress(link: try #require(link), latestAnswer: nil, isForPage: isForPage)
  }

  // As `done`, `page done` or `paused`, or the kind of the error.
  private func made(_ presses: [LinkPress]) -> [String] {
    let decoy = Decoy(access: rung.server.access, takeBacks: RecentTakeBacks())
    return LinkPress.make(presses, rung.server.belfry, decoy).map { result in
      switch result {
      case .success(.paused): "paused"
      case .success(.pressed(.answered(let answer, _), .page)): "page \(answer.effect.name)"
      case .success(.pressed(.answered(let answer, _), .program)): answer.effect.name
      case .success(let other): "\(other)"
      case .failure(let error): ((error as? BelfryError)?.kind).map { "\($0)" } ?? "\(error)"
      }
    }
  }

  @Test("each has its own outcome, in order, whatever becomes of the others")
  func outcomes() throws {
    let presses = [
      try press(9), try press(2), try press(1, isForPage: true), try press(1, of: UUID()), try press(4),
      try press(2, hours: 24),
    ]
    #expect(made(presses) == ["notFound", "done", "page done", "notFound", "refused", "already"])
    #expect(try rung.answers() == ["later done", "done done", "away refused", "later already"])
    #expect(try rung.item() == "Milk checked" && rung.extraRinging() == [])
  }

  @Test("a link that only shows does nothing, while others act")
  func paused() throws {
    let now = rung.server.time.now
    let paused = try press(1)
    try rung.server.access.pause(link: paused.link.identity, until: now.addingTimeInterval(600), at: now)
    #expect(made([paused, try press(2, hours: 24), paused]) == ["paused", "done", "paused"])
    #expect(try rung.answers() == ["later done"])
    #expect(made([paused, paused]) == ["paused", "paused"])
  }

  @Test("a file of pauses that cannot be read stops all of them before anything is done")
  func unreadable() throws {
    try Data("no database".utf8).write(to: URL(filePath: rung.server.accessFile.path))
    #expect(made([try press(1), try press(2)]) == ["storeFailed", "storeFailed"])
    #expect(try rung.answers() == [])
  }
}
