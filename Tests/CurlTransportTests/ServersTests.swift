import Testing
import TestSupport

/// Tests of the servers used by other tests, with the program `curl`.
@Suite("The servers of the test kit")
struct ServersTests {
  @Test("nginx answers with the status that the path names", arguments: [204, 301, 410, 429, 503])
  func nginx(status: Int) async throws {
    let server = try NginxServer()
    #expect(try curl("-o", "/dev/null", "-w", "%{http_code}", "-d", "x", "\(server.url)/\(status)") == "\(status)")
    await eventually("the request is logged") { server.accessLog.count == 1 }
  }

  @Test("nginx shows a certificate of the test's authority and wants one where it is told to")
  func tls() throws {
    let authority = try TestAuthority()
    let server = try NginxServer(.mutual(authority))
    let client = try authority.identity("belfry", for: .client)
    let base = ["--cacert", authority.certificate, "\(server.url)/200"]
    #expect(try curl(base + ["--cert", client.certificate, "--key", client.key]) == "ok")
    #expect(try curl(base).contains("400"))
  }

  @Test("the collector keeps requests and gives its answers in turn")
  func collector() throws {
    let server = try HTTPCollector(answers: [.init(503), .init(200, body: "fine")])
    let sent = ["-d", "a=1", server.url, "-H", "X-A: b"]
    #expect(try curl(sent) == "")
    #expect(try curl(sent) == "fine")
    let received = try server.received()
    #expect(received.map(\.text) == ["a=1", "a=1"])
    #expect(received.first?.field("x-a") == "b")
  }

  @Test("smtp-sink and the mail collector take a mail")
  func mail() throws {
    let sink = try SMTPSink()
    let collector = try MailCollector(authority: TestAuthority())
    for url in [sink.url, collector.url] {
      _ = try curl(
        url, "--mail-from", "a@example.org", "--mail-rcpt", "b@example.org", "-F", "=hello", "-k", "--ssl-reqd")
    }
    _ = try curl(sink.url, "--mail-from", "a@example.org", "--mail-rcpt", "b@example.org", "-F", "=hello")
    #expect(try sink.mails().count == 1)
    let received = try collector.received()
    #expect(received.map(\.recipients) == [["b@example.org"]])
    #expect(received.first?.isEncrypted == true)
    #expect(received.first?.hasOnlyCRLF == true)
  }

  @Test("a stopped server is gone, and its port with it")
  func stopping() throws {
    let server = try NginxServer()
    server.stop()
    #expect(try curl("-w", "%{exitcode}", "\(server.url)/200") == "7")
  }
}
