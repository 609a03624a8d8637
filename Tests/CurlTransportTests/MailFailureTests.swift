import BelfryTestKit
import CurlTransport
import Foundation
import TestSupport
import Testing
import Transport

@Suite("Mail that fails")
struct MailFailureTests {
  let transport = CurlTransport()

  static let stages: [(String, SMTPReply.Stage)] = [
    ("CONNECT", .greeting), ("EHLO,HELO", .hello), ("MAIL", .sender), ("RCPT", .recipient), ("DATA", .data),
    (".", .data),
  ]

  @Test("a refusal is the server's code and its words, in its stage", arguments: stages)
  func refusals(words: String, stage: SMTPReply.Stage) async throws {
    for (option, code) in [("-f", 500), ("-r", 450)] {
      let server = try SMTPSink([option, words])
      let reply = try await transport.send(.sample(), through: .at(server.url))
      // A refused connection has its own code of the same class.
      #expect(reply.code == code || (words == "CONNECT" && reply.code / 100 == code / 100), "\(option): \(reply)")
      #expect(reply.stage == stage, "\(option): \(reply)")
      #expect(!reply.text.isEmpty)
    }
  }

  @Test("421 with a dropped connection is a reply; one dropped without a word is an interruption", arguments: stages)
  func drops(words: String, stage: SMTPReply.Stage) async throws {
    let polite = try SMTPSink(["-Q", words])
    let reply = try await transport.send(.sample(), through: .at(polite.url))
    #expect(reply.code == 421 && reply.stage == stage, "\(reply)")
    let rude = try SMTPSink(["-q", words])
    let failed = await failure { () async throws(TransferFailure) in
      try await transport.send(.sample(), through: .at(rude.url))
    }
    #expect(failed?.kind == .interrupted, "\(failed?.reason ?? "")")
    #expect(stage == .greeting || failed?.reason.hasSuffix(", after \(stage.words)") == true, "\(failed?.reason ?? "")")
    #expect(failed?.reason.contains("errno") == false)
  }

  @Test("a server that hangs: timed out at the deadline, in every stage", arguments: stages)
  func hangs(words: String, stage: SMTPReply.Stage) async throws {
    let server = try SMTPSink(words.split(separator: ",").flatMap { ["-W", "\($0):600"] })
    let taken = await duration {
      let failed = await failure { () async throws(TransferFailure) in
        try await transport.send(.sample(), through: .at(server.url, options: TransferOptions(timeoutSeconds: 0.7)))
      }
      #expect(failed?.kind == .timedOut, "\(failed?.reason ?? "")")
    }
    #expect(taken > .milliseconds(600) && taken < TimeLimit.ending, "\(taken)")
  }

  @Test("a server that hangs after the dot delays neither another one nor itself, and cancelling ends at once")
  func bulkhead() async throws {
    let hanging = try SMTPSink(["-W", ".:600"])
    let good = try SMTPSink()
    let task = Task { () async -> TransferFailure? in
      await failure { () async throws(TransferFailure) in
        try await transport.send(.sample(), through: .at(hanging.url))
      }
    }
    await eventually("the mail is sent up to its dot") { hanging.dialogue.contains("DATA") }
    let taken = try await duration {
      for _ in 1...20 { _ = try await transport.send(.sample(), through: .at(good.url)) }
      task.cancel()
      #expect(await task.value?.kind == .cancelled)
    }
    #expect(taken < TimeLimit.ending)
    #expect(try good.mails().count == 20)
  }

  @Test("the answer to QUIT is not awaited")
  func quitting() async throws {
    let server = try SMTPSink(["-W", "QUIT:600", "-f", "RCPT"])
    let good = try SMTPSink(["-W", "QUIT:600"])
    let taken = try await duration {
      for _ in 1...3 {
        _ = try await transport.send(.sample(), through: .at(server.url))
        _ = try await transport.send(.sample(), through: .at(good.url))
      }
      await transport.close()
    }
    #expect(taken < TimeLimit.ending)
    await eventually("QUIT was said") { good.dialogue.contains("QUIT") }
  }

  @Test(
    "each misbehaviour of a server has its kind of failure, in time",
    arguments: [
      (RudeServer.Manner.silent, TransferFailure.Kind.timedOut), (.garbage, .protocolViolation),
      (.droppingAfterDot, .interrupted), (.slowReply, .timedOut), (.endlessReply, .protocolViolation),
    ])
  func rude(manner: RudeServer.Manner, kind: TransferFailure.Kind) async throws {
    let server = try RudeServer(manner)
    // A server that ends the transfer itself gets a long deadline, which a busy machine does not reach.
    let options = kind == .timedOut ? TransferOptions(timeoutSeconds: 1.5) : .patient
    let taken = await duration {
      let failed = await failure { () async throws(TransferFailure) in
        try await transport.send(.sample(), through: .at("smtp://\(server.address)", options: options))
      }
      #expect(failed?.kind == kind, "\(failed?.reason ?? "")")
    }
    #expect(taken < TimeLimit.ending)
  }

  @Test("a refusal of several lines is told whole")
  func severalLines() async throws {
    let server = try RudeServer(.refusingAfterDot)
    let reply = try await transport.send(.sample(), through: .at("smtp://\(server.address)"))
    #expect(reply == SMTPReply(code: 554, text: "5.7.1 First line 5.7.1 Second line", stage: .data))
  }

  @Test("a refused connection or unknown host is unreachable, also for a probe")
  func unreachable() async throws {
    for url in ["smtp://127.0.0.1:\(try ServerProcess.freePort())", "smtps://nowhere.invalid"] {
      let failed = await failure { () async throws(TransferFailure) in
        try await transport.send(.sample(), through: .at(url))
      }
      #expect(failed?.kind == .unreachable, "\(failed?.reason ?? "")")
      let probed = await failure { () async throws(TransferFailure) in try await transport.probe(.at(url)) }
      #expect(probed?.kind == .unreachable)
    }
  }

  @Test("a server that restarted meanwhile gets the next mail all the same")
  func restarted() async throws {
    let server = try SMTPSink()
    #expect(try await transport.send(.sample(), through: .at(server.url)).code == 250)
    let probed = try await transport.probe(.at(server.url))
    #expect(probed.code == 250 && probed.stage == .hello)
    let port = Int(server.url.split(separator: ":").last ?? "") ?? 0
    server.stop()
    let again = try SMTPSink(on: port)
    #expect(try await transport.send(.sample(), through: .at(server.url)).code == 250)
    #expect(try again.mails().count == 1)
  }

  @Test("closing ends what is under way as cancelled")
  func closing() async throws {
    let server = try SMTPSink(["-W", ".:600"])
    let tasks = (1...4).map { _ in
      Task { () async -> TransferFailure? in
        await failure { () async throws(TransferFailure) in
          try await transport.send(.sample(), through: .at(server.url))
        }
      }
    }
    await eventually("all are under way") { server.dialogue.ranges(of: "DATA").count >= 4 }
    let taken = await duration {
      await transport.close()
      for task in tasks { #expect(await task.value?.kind == .cancelled) }
    }
    #expect(taken < TimeLimit.ending)
  }
}
