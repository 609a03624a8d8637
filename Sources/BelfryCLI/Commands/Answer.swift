import AnswerTokens
import ArgumentParser
import BelfryEngine
import BelfryModel
import BelfryRuntime
import FoundationEssentials
import Glibc
import SystemFiles

struct AnswerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "answer", abstract: "Answer a reminder by the token of a link or button.",
    discussion: """
      belfry answer - < token          from standard input
      belfry answer "$TOKEN"

      A webhook's body has a token for each action: a script that reads a reply topic or a bot hands it on here. The
      same token twice changes nothing the second time. Other users of the machine see a token that stands among the
      arguments while the command runs; '-' reads it from standard input. A destructive action needs 'belfry act'.
      """)

  @Argument(help: ArgumentHelp("The token, or - for standard input.", valueName: "token"))
  var token: String

  @OptionGroup var options: DataOptions

  func run() throws {
    let session = try Session(options)
    let token = try verified(session)
    guard token.action > 0 else {
      throw BelfryError(
        .badInput, "the token names no action: it only shows the reminder",
        hint: "'belfry act' with the reminder's identity and an action answers it")
    }
    do {
      let press = Press(token, command: "answer")
      let action = try session.belfry.action(press.choice, of: token.reminder)
      try session.finish(try session.belfry.answer(press), action: action, on: token.reminder, options: options)
    } catch let error as BelfryError where error.kind == .notFound {
      throw BelfryError(
        .badInput, "the reminder of the token is not in this store; it may have been deleted", hint: Self.keysHint)
    }
  }

  private func verified(_ session: Session) throws -> AnswerToken {
    let words = try text().split(whereSeparator: \.isWhitespace)
    let ring = try session.keyRingFile().read()
    do throws(TokenRefusal) {
      guard words.count == 1, let ring else { throw .bad }
      return try ring.verify(String(words[0]), for: .link, at: session.belfry.time.now)
    } catch {
      switch error {
      case .bad: throw BelfryError(.badInput, "this token was not signed by this Belfry's keys", hint: Self.keysHint)
      case .expired(let token):
        let end = try session.belfry.hindsight().planner.floatingZone.readable(token.expiry.date)
        throw BelfryError(.badInput, "the token has expired: \(end)", hint: "'belfry act' answers the reminder")
      }
    }
  }

  private func text() throws -> String { token == "-" ? try Self.standardInput() : token }

  // Reads at most `most` bytes, since no token is longer.
  private static func standardInput() throws -> String {
    do throws(SystemCallFailure) {
      return String(decoding: try OpenFile.read(STDIN_FILENO, upTo: most), as: UTF8.self)
    } catch {
      throw BelfryError(.storeFailed, "standard input: \(String(cString: strerror(error.code)))")
    }
  }

  private static let most = 4_096
  private static let keysHint = "answers.key_file in the config must name the key file that signed the token"
}
