import BelfryTestKit
import CurlTransport
import Foundation
import TestSupport
import Testing
import Transport

@Suite("HTTP requests that fail")
struct HTTPFailureTests {
  let transport = CurlTransport()

  @Test(
    "what a server does wrong has its kind, soon, and with words",
    arguments: [
      (RudeServer.Manner.silent, TransferFailure.Kind.timedOut), (.garbage, .protocolViolation), (.reset, .interrupted),
      (.closing, .interrupted), (.slowBody, .timedOut), (.slowHeader, .timedOut), (.endlessHeader, .protocolViolation),
      (.truncated, .interrupted),
    ])
  func rude(manner: RudeServer.Manner, kind: TransferFailure.Kind) async throws {
    let server = try RudeServer(manner)
    // A server that ends the transfer itself gets a long deadline, which a busy machine does not reach.
    let options = kind == .timedOut ? TransferOptions(timeoutSeconds: 1.2) : .patient
    let taken = await duration {
      let failed = await failure { () async throws(TransferFailure) in
        try await transport.send(.post("http://\(server.address)/", options: options))
      }
      #expect(failed?.kind == kind, "\(failed?.reason ?? "no failure")")
      #expect(failed?.reason.isEmpty == false)
    }
    #expect(taken < TimeLimit.ending)
  }

  @Test("a server that never ends the handshake is unreachable at the deadline: nothing was sent")
  func endlessHandshake() async throws {
    let server = try RudeServer(.silent)
    let options = TransferOptions(timeoutSeconds: 1.2)
    let failed = await failure { () async throws(TransferFailure) in
      try await transport.send(.post("https://\(server.address)/", options: options))
    }
    #expect(failed?.kind == .unreachable && failed?.reason == "no connection within 1.2 s", "\(failed?.reason ?? "")")
  }

  @Test("a request for public hosts connects to no other, whatever its name stands for")
  func privateHosts() async throws {
    let server = try RudeServer(.hugeBody)
    var options = TransferOptions.patient
    options.isForPublicHosts = true
    let port = server.address.split(separator: ":").last ?? ""
    for host in [server.address, "localhost:\(port)", "[::1]:\(port)", "[::ffff:127.0.0.1]:\(port)"] {
      let failed = await failure { () async throws(TransferFailure) in
        try await transport.send(.post("http://\(host)/", options: options))
      }
      #expect(failed == TransferFailure(.unreachable, "the host has no public address"), "\(host)")
      let probed = await failure { () async throws(TransferFailure) in
        try await transport.probe(url: "http://\(host)/", options: options)
      }
      #expect(probed?.kind == .unreachable)
    }
    #expect(try server.connections().isEmpty)
    #expect(try await transport.send(.post("http://\(server.address)/")).status == 200)
  }

  @Test("of a 1 GB body only the start is read, and the status counts")
  func huge() async throws {
    let server = try RudeServer(.hugeBody)
    let response = try await transport.send(.post("http://\(server.address)/"))
    #expect(response.status == 200)
    #expect(response.body == Array(repeating: UInt8(ascii: "x"), count: HTTPResponse.keptBody))
    try await eventually("the connection is closed") { try server.connections() == ["open", "closed"] }
  }

  @Test("a refused connection or unknown host is unreachable")
  func unreachable() async throws {
    let port = try ServerProcess.freePort()
    for url in ["http://127.0.0.1:\(port)/", "https://127.0.0.1:\(port)/", "http://nowhere.invalid/"] {
      let failed = await failure { () async throws(TransferFailure) in try await transport.send(.post(url)) }
      #expect(failed?.kind == .unreachable, "\(url): \(failed?.reason ?? "")")
    }
  }

  @Test("an authority that nobody named, another host's certificate, one that is over, no TLS at all: untrusted")
  func untrusted() async throws {
    let authority = try TestAuthority()
    let trusting = TransferOptions(caFile: authority.certificate)
    let good = try NginxServer(.tls(authority))
    let other = try NginxServer(.tls(authority), showing: authority.identity("other.example"))
    let plain = try NginxServer()
    let cases: [(String, TransferOptions)] = [
      (good.url, TransferOptions()), (good.url, TransferOptions(caFile: try TestAuthority().certificate)),
      (good.url, TransferOptions(caFile: "/nonexistent.pem")), (other.url, trusting),
      (plain.url.replacing("http://", with: "https://"), trusting),
    ]
    for (url, options) in cases {
      for isProbe in [false, true] {
        let failed = await failure { () async throws(TransferFailure) -> Int in
          if !isProbe { return try await transport.send(.post("\(url)/204", options: options)).status }
          try await transport.probe(url: url, options: options)
          return 0
        }
        #expect(failed?.kind == .untrusted, "\(url) \(failed?.reason ?? "")")
      }
    }
    #expect(try await transport.send(.post("\(good.url)/204", options: trusting)).status == 204)
  }

  @Test("a key with a passphrase, and a pipe where a file should be, fail at once and say why")
  func files() async throws {
    let authority = try TestAuthority()
    let server = try NginxServer(.mutual(authority))
    let client = try authority.locked(try authority.identity("belfry", for: .client), passphrase: "sesame")
    let folder = try TemporaryFolder()
    let pipe = folder.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let locked = TransferOptions(
      caFile: authority.certificate, clientCertificate: client.certificate, clientKey: client.key)
    let cases: [(TransferOptions, String)] = [
      (locked, "passphrase"), (TransferOptions(caFile: pipe), "not a regular file"),
      (TransferOptions(caFile: authority.certificate, clientCertificate: pipe), "not a regular file"),
      (
        TransferOptions(caFile: authority.certificate, clientCertificate: client.certificate, clientKey: pipe),
        "not a regular file"
      ),
    ]
    for (options, words) in cases {
      let failures = [
        await failure { () async throws(TransferFailure) in
          try await transport.send(.post("\(server.url)/204", options: options))
        },
        await failure { () async throws(TransferFailure) in try await transport.probe(url: server.url, options: options)
        },
      ]
      for failed in failures {
        #expect(failed?.kind == .untrusted && failed?.reason.contains(words) == true, "\(failed?.reason ?? "")")
      }
    }
    let failed = await failure { () async throws(TransferFailure) in
      try await transport.send(.sample(), through: .at("smtps://localhost:1", options: TransferOptions(caFile: pipe)))
    }
    #expect(failed?.kind == .untrusted && failed?.reason.contains("not a regular file") == true)
  }

  @Test("a cancelled task ends at once, and its connection with it; others go on")
  func cancellation() async throws {
    let silent = try RudeServer(.silent)
    let server = try NginxServer()
    let hanging = Task { () async -> TransferFailure? in
      await failure { () async throws(TransferFailure) in try await transport.send(.post("http://\(silent.address)/")) }
    }
    try await eventually("the request is under way") { try silent.connections() == ["open"] }
    let taken = try await duration {
      hanging.cancel()
      #expect(await hanging.value?.kind == .cancelled)
      _ = try await transport.send(.post("\(server.url)/204"))
    }
    #expect(taken < TimeLimit.ending)
    try await eventually("the connection is closed") { try silent.connections() == ["open", "closed"] }
  }

  @Test("a task that is cancelled before it begins sends nothing")
  func cancelledBefore() async throws {
    let server = try NginxServer()
    let failed = await Task { () async -> TransferFailure? in
      withUnsafeCurrentTask { $0?.cancel() }
      return await failure { () async throws(TransferFailure) in
        try await transport.send(.post("\(server.url)/204"))
      }
    }.value
    #expect(failed?.kind == .cancelled)
    #expect(server.accessLog.isEmpty)
  }

  @Test("a server that hangs delays no other, however many requests hang")
  func bulkhead() async throws {
    let silent = try RudeServer(.silent)
    let server = try NginxServer()
    let hanging = (1...50).map { _ in
      Task { () async -> TransferFailure? in
        await failure { () async throws(TransferFailure) in
          try await transport.send(.post("http://\(silent.address)/"))
        }
      }
    }
    try await eventually("all are under way") { try silent.connections().count == 50 }
    let taken = try await duration {
      for _ in 1...100 { _ = try await transport.send(.post("\(server.url)/204")) }
    }
    #expect(taken < TimeLimit.ending)
    await transport.close()
    for task in hanging { #expect(await task.value?.kind == .cancelled) }
  }

  @Test("a closed transport says so, and leaves neither threads nor descriptors behind")
  func closing() async throws {
    let server = try NginxServer()
    for _ in 1...20 {
      let transport = CurlTransport()
      _ = try await transport.send(.post("\(server.url)/204"))
      await transport.close()
      let failed = await failure { () async throws(TransferFailure) in
        try await transport.send(.post("\(server.url)/204"))
      }
      #expect(failed?.kind == .cancelled)
    }
  }
}
