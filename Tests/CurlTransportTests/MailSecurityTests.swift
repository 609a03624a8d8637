import BelfryEngine
import CurlTransport
import Foundation
import TestSupport
import Testing
import Transport

@Suite("Signing in and encryption of mail")
struct MailSecurityTests {
  let transport = CurlTransport()
  let authority: TestAuthority
  let options: TransferOptions
  let password = MailCredential(username: "me", proof: .password("pass word\"é"))

  init() throws {
    authority = try TestAuthority()
    options = TransferOptions(caFile: authority.certificate)
  }

  private func configuration(_ mechanisms: [String] = ["PLAIN", "LOGIN"]) -> MailCollector.Configuration {
    var configuration = MailCollector.Configuration()
    configuration.passwords = ["me": "pass word\"é"]
    configuration.tokens = ["me": "token-1"]
    configuration.mechanisms = mechanisms
    configuration.requiresSTARTTLS = true
    return configuration
  }

  @Test(
    "the way of signing in is one that the server offers",
    arguments: [["PLAIN", "LOGIN"], ["PLAIN"], ["LOGIN"], ["XOAUTH2"]])
  func mechanisms(offered: [String]) async throws {
    let server = try MailCollector(configuration(offered), authority: authority)
    let credential = offered == ["XOAUTH2"] ? MailCredential(username: "me", proof: .token("token-1")) : password
    let place = MailServer.at(server.url, .required, credential, options: options)
    let probed = try await transport.probe(place)
    #expect(probed.code == 235 && probed.stage == .authentication, "\(probed)")
    #expect(try await transport.send(.sample(), through: place).code == 250)
    let mail = try #require(try server.received().first)
    #expect(mail.login == "me" && mail.isEncrypted)
    #expect(try server.received().count == 1)
  }

  @Test("a wrong password or token is the server's word, in its stage", arguments: [["PLAIN"], ["LOGIN"], ["XOAUTH2"]])
  func wrongCredential(offered: [String]) async throws {
    let server = try MailCollector(configuration(offered), authority: authority)
    let credential = MailCredential(
      username: "me", proof: offered == ["XOAUTH2"] ? .token("token-2") : .password("wrong"))
    let place = MailServer.at(server.url, .required, credential, options: options)
    for reply in [try await transport.probe(place), try await transport.send(.sample(), through: place)] {
      #expect(reply.code == 535 && reply.stage == .authentication, "\(reply)")
      #expect(reply.text.hasPrefix("5.7.8"))
    }
    #expect(try server.received().isEmpty)
  }

  @Test("no way of signing in that both know: a failure, and nothing of the credential is said")
  func noMechanism() async throws {
    let server = try MailCollector(configuration(["XOAUTH2"]), authority: authority)
    let trace = RecordedTrace()
    var options = options
    options.trace = trace.hear
    let failed = await failure { [options] () async throws(TransferFailure) in
      try await transport.send(.sample(), through: .at(server.url, .required, password, options: options))
    }
    #expect(failed?.kind == .untrusted)
    #expect(!trace.lines.contains { if case .sent(let text) = $0 { text.hasPrefix("AUTH") } else { false } })
  }

  @Test("with a credential no mail is sent unauthenticated: a server without AUTH is a failure, for mail and probe")
  func unsigned() async throws {
    let server = try RudeServer(.refusingAfterDot)
    let trace = RecordedTrace()
    let url = "smtp://\(server.address)"
    let place = MailServer.at(url, .none, password, options: TransferOptions(trace: trace.hear))
    let failures = [
      await failure { () async throws(TransferFailure) in try await transport.send(.sample(), through: place) },
      await failure { () async throws(TransferFailure) in try await transport.probe(place) },
    ]
    for failed in failures {
      #expect(failed?.kind == .untrusted && failed?.reason.contains("AUTH") == true, "\(failed?.reason ?? "")")
    }
    let sent = trace.lines.compactMap { if case .sent(let line) = $0 { line } else { nil } }
    #expect(
      sent.contains { $0.hasPrefix("EHLO") } && !sent.contains { $0.hasPrefix("MAIL") }, "\(sent)")
    // Without a credential the mail is sent.
    #expect(try await transport.send(.sample(), through: .at(url)).stage == .data)
  }

  @Test("a server's ways that nobody here knows are named, and so is what it says of a token")
  func denied() async throws {
    let token = MailCredential(username: "me", proof: .token("token-1"))
    for (manner, credential, words) in [
      (RudeServer.Manner.foreignAuthentication, password, "(PLAIN, LOGIN), but CRAM-MD5"),
      (.refusingToken, token, #"{"status":"401","scope":"mail"}"#),
    ] {
      let server = try RudeServer(manner)
      let failed = await failure { () async throws(TransferFailure) in
        try await transport.send(.sample(), through: .at("smtp://\(server.address)", .none, credential))
      }
      #expect(failed?.kind == .untrusted && failed?.reason.contains(words) == true, "\(failed?.reason ?? "")")
    }
  }

  @Test("TLS from the first byte")
  func implicit() async throws {
    var configuration = configuration()
    configuration.requiresSTARTTLS = false
    let server = try MailCollector(configuration, authority: authority, isImplicit: true)
    let place = MailServer.at(server.url, .required, password, options: options)
    #expect(try await transport.send(.sample(), through: place).code == 250)
    #expect(try server.received().first?.isEncrypted == true)
  }

  @Test("a certificate that nobody vouches for: untrusted, however TLS begins")
  func untrusted() async throws {
    for isImplicit in [false, true] {
      let server = try MailCollector(authority: authority, isImplicit: isImplicit)
      for security in [MailServer.Security.required, .opportunistic] {
        let failed = await failure { () async throws(TransferFailure) in
          try await transport.send(.sample(), through: .at(server.url, security))
        }
        #expect(failed?.kind == .untrusted, "\(failed?.reason ?? "")")
      }
      #expect(try server.received().isEmpty)
    }
  }

  @Test("without STARTTLS: required fails, opportunistic goes on, but never with a password")
  func noEncryption() async throws {
    var configuration = configuration()
    configuration.requiresSTARTTLS = false
    configuration.passwords = [:]
    configuration.tokens = [:]
    let server = try MailCollector(configuration)
    for (security, credential) in [
      (MailServer.Security.required, nil), (.required, password), (.opportunistic, password),
    ] {
      let trace = RecordedTrace()
      let place = MailServer.at(server.url, security, credential, options: TransferOptions(trace: trace.hear))
      let failed = await failure { () async throws(TransferFailure) in
        try await transport.send(.sample(), through: place)
      }
      #expect(failed?.kind == .untrusted, "\(failed?.reason ?? "")")
      #expect(!trace.lines.contains { if case .sent(let text) = $0 { text.hasPrefix("AUTH") } else { false } })
    }
    #expect(try server.received().isEmpty)
    #expect(try await transport.send(.sample(), through: .at(server.url, .opportunistic)).code == 250)
    #expect(try await transport.send(.sample(), through: .at(server.url, .none)).code == 250)
    // A kept connection without encryption is not reused where encryption is required.
    let failed = await failure { () async throws(TransferFailure) in
      try await transport.send(.sample(), through: .at(server.url, .required))
    }
    #expect(failed?.kind == .untrusted)
  }

  @Test("opportunistic encrypts where it can")
  func opportunistic() async throws {
    let server = try MailCollector(configuration(), authority: authority)
    let place = MailServer.at(server.url, .opportunistic, password, options: options)
    #expect(try await transport.send(.sample(), through: place).code == 250)
    #expect(try server.received().first?.isEncrypted == true)
  }
}
