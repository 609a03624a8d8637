import BelfryTestKit
import Foundation

/// Somebody's press in a chaos run.
struct ChaosPress: Hashable, CustomStringConvertible {
  /// The way in which it is made.
  enum Way: CaseIterable {
    /// The page of the link, for a program and for a browser.
    case link, page
    /// `belfry answer`, with the token as its argument and on its standard input.
    case command, input
    /// `belfry act`, each use of which is a separate answer.
    case act
    /// The page behind a session or an access token.
    case session

    /// The channel of its answer.
    var channel: String {
      switch self {
      case .link, .page, .command, .input: "link"
      case .act: "cli"
      case .session: "web"
      }
    }
  }

  /// An action of the reminders, by its number.
  enum Action: Int, CaseIterable {
    case done = 1
    case later, heard

    /// The actions as a config has them.
    static let config = """
      actions:
        - { identifier: done, title: Done, do: check }
        - { identifier: later, title: Later, do: snooze, for: 1h }
        - { identifier: heard, title: Heard, do: acknowledge }

      """

    var identifier: String { "\(self)" }

    /// How strong it is: one that is not stronger than the answer in force changes nothing.
    var strength: Int { 4 - rawValue }
  }

  let way: Way
  let action: Action

  var description: String { "\(action) by \(way)" }

  /// Two to five presses, some of them doubled.
  static func several(using random: inout SeededGenerator) -> [ChaosPress] {
    (0..<Int.random(in: 2...5, using: &random)).flatMap { _ in
      let way = Way.allCases[Int.random(in: 0..<Way.allCases.count, using: &random)]
      let action = Action.allCases[Int.random(in: 0..<Action.allCases.count, using: &random)]
      return Array(repeating: ChaosPress(way: way, action: action), count: Int.random(in: 1...2, using: &random))
    }
  }

  /// Presses once.
  ///
  /// - Parameter access: an access token.
  /// - Returns: the part of the reply that must be the same for each repetition; `nil` if there was none, or one that
  ///   asks for a retry.
  func carryOut(_ item: RungItem, _ face: RunningWebFace, access: String) async throws -> String? {
    let token = item.tokens[action.rawValue - 1]
    let options = RunOptions(input: way == .input ? Data("\(token)\n".utf8) : nil, isUrgent: true)
    switch way {
    case .link: return try text(await face.post("/a/\(token)"), \.body)
    case .page: return try text(await face.post("/a/\(token)", as: .page), \.notice)
    case .command: return try text(await face.box.belfry("answer", token, "--json", options: options))
    case .input: return try text(await face.box.belfry("answer", "-", "--json", options: options))
    case .act:
      return try text(
        await face.box.belfry("act", item.reminder, action.identifier, "--json", options: options))
    case .session:
      let path = "/reminders/\(item.reminder)/actions/\(action.rawValue)"
      let headers = ["Authorization: Bearer \(access)"]
      return try text(await face.post(path, "latest=0", as: .page, headers: headers), \.notice)
    }
  }

  private func text(_ reply: WebReply?, _ part: (WebReply) -> String?) throws -> String? {
    guard let reply, reply.status != 503 else { return nil }
    guard reply.status == 200, let text = part(reply) else { throw Unexpected(press: self, reply: "\(reply)") }
    return text
  }

  private func text(_ outcome: Outcome) throws -> String? {
    guard outcome.status != 75 else { return nil }
    guard outcome.isDone else { throw Unexpected(press: self, reply: "\(outcome)") }
    return outcome.output
  }

  /// The error of a reply that no press should get.
  struct Unexpected: Error, CustomStringConvertible {
    let press: ChaosPress
    let reply: String

    var description: String { "\(press): \(reply)" }
  }
}
