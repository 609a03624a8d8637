import CurlTransport
import Foundation
import TestSupport
import Testing
import Transport

/// Each test runs in a separate process, since the environment belongs to the whole process.
@Suite("Proxies from the environment")
struct CurlProxyTests {
  @Test("HTTP goes through the proxy, but not to the hosts that are excepted; mail never does")
  func proxy() async throws {
    await #expect(processExitsWith: .success) {
      let proxy = try HTTPCollector(answers: [.init(202)])
      let server = try NginxServer()
      let sink = try SMTPSink()
      setenv("http_proxy", proxy.url, 1)
      setenv("all_proxy", proxy.url, 1)
      setenv("no_proxy", "127.0.0.1", 1)
      let transport = CurlTransport()
      let proxied = try await transport.send(.post("http://elsewhere.invalid/hook"))
      #expect(proxied.status == 202)
      let direct = try await transport.send(.post("\(server.url)/204"))
      #expect(direct.status == 204)
      setenv("no_proxy", "", 1)
      let mailed = try await transport.send(.sample(), through: .at(sink.url))
      #expect(mailed.code == 250)
      #expect(try proxy.received().map(\.path) == ["http://elsewhere.invalid/hook"])
    }
  }

  @Test("a proxy that wants to know who we are, for an https host too: ours to mend")
  func notLetIn() async throws {
    await #expect(processExitsWith: .success) {
      for status in [401, 403, 407] {
        let proxy = try HTTPCollector(answers: [.init(status)])
        setenv("https_proxy", proxy.url, 1)
        let failed = await failure { () async throws(TransferFailure) in
          try await CurlTransport().send(.post("https://elsewhere.invalid/hook"))
        }
        #expect(failed?.kind == .untrusted, "\(status)")
      }
    }
  }

  @Test("proxy credentials are secrets of the transport: as written, decoded, and in Basic")
  func secrets() async throws {
    await #expect(processExitsWith: .success) {
      setenv("http_proxy", "http://puser:PR0XY%40PASS@127.0.0.1:99999", 1)
      setenv("ALL_PROXY", "t0ken@proxy.invalid:3128", 1)
      setenv("https_proxy", "http://127.0.0.1:1", 1)
      let transport = CurlTransport()
      let secrets = Set(transport.secrets.map(\.revealed))
      let failed = await failure { () async throws(TransferFailure) in
        try await transport.send(.post("http://elsewhere.invalid/hook"))
      }
      let reason = Redaction(transport.secrets).reason(failed?.reason ?? "")
      let expected: Set = [
        "puser:PR0XY%40PASS", "PR0XY%40PASS", "puser:PR0XY@PASS", "PR0XY@PASS", "t0ken",
        Data("puser:PR0XY%40PASS".utf8).base64EncodedString(), Data("puser:PR0XY@PASS".utf8).base64EncodedString(),
        Data("t0ken:".utf8).base64EncodedString(),
      ]
      #expect(secrets == expected)
      #expect(reason.contains("<redacted>@127") && !reason.contains("PASS"))
    }
  }

  @Test("a proxy that lets nobody through to an https host: unreachable")
  func refusal() async throws {
    await #expect(processExitsWith: .success) {
      let proxy = try NginxServer()
      setenv("https_proxy", proxy.url, 1)
      let failed = await failure { () async throws(TransferFailure) in
        try await CurlTransport().send(.post("https://elsewhere.invalid/hook"))
      }
      #expect(failed?.kind == .unreachable)
    }
  }
}
