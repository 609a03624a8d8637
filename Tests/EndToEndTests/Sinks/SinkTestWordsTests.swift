import Foundation
import Testing
import TestSupport

@Suite("What belfry sinks test and config check say of a sink that does not work")
struct SinkTestWordsTests {
  @Test("a key with a passphrase is told, on a terminal too, where nobody is asked for it")
  func passphrase() async throws {
    let authority = try TestAuthority()
    let server = try NginxServer(.mutual(authority))
    let client = try authority.locked(try authority.identity("belfry", for: .client), passphrase: "sesame")
    let box = try Sandbox(sinks: [
      "hook: { type: webhook, url: \"\(server.url)/204\", ca_file: \"\(authority.certificate)\", "
        + "client_certificate: \"\(client.certificate)\", client_key: \"\(client.key)\" }"
    ])
    let outcome = try await box.shell("script -qec '\"$BELFRY\" sinks test hook' /dev/null </dev/null")
    #expect(outcome.output.contains("passphrase") && !outcome.output.contains("Enter"), "\(outcome)")
    let check = try await box.belfry("config", "check")
    #expect(check.isDone && check.messages.contains("warning: 'client_key': the file"), "\(check)")
    #expect(try await box.belfry("doctor").output.contains("'client_key': the file"))
  }

  @Test("files of certificates that are missing, pipes or no PEM are told by config check, at their place")
  func files() async throws {
    let url = "type: webhook, url: \"https://127.0.0.1:9/\""
    let box = try Sandbox(sinks: [
      "missing: { \(url), ca_file: no.pem }", "pipe: { \(url), ca_file: pipe }", "text: { \(url), ca_file: text }",
      "idle: { \(url), ca_file: no.pem, enabled: false }",
    ])
    #expect(mkfifo(box.path("pipe"), 0o600) == 0)
    try box.write("hello\n", to: "text")
    let outcome = try await box.belfry("config", "check")
    #expect(outcome.isDone, "\(outcome)")
    let warnings = outcome.messages.split(separator: "\n").filter {
      $0.contains(#/^.*:\d+:\d+: warning: 'ca_file': the file '/#)
    }
    #expect(warnings.count == 3, "\(outcome)")
    let piped = try await box.belfry("sinks", "test", "pipe")
    #expect(piped.status == 69 && piped.messages.contains("is not a regular file"), "\(piped)")
    // Without a dialogue there is nothing to show.
    #expect(!piped.messages.contains("-v"), "\(piped)")
  }

  @Test("after a failure with a dialogue, the command to show it is named; the dialogue has no control characters")
  func dialogue() async throws {
    let server = try RudeServer(.garbage)
    let box = try Sandbox(sinks: [
      "mail: { type: email, url: \"smtp://\(server.address)\", tls: none, from: a@example.org, to: [b@example.org] }",
      "hook: { type: webhook, url_file: none }",
    ])
    let probe = try await box.belfry("config", "check", "--probe")
    #expect(probe.status == 69 && probe.messages.contains("'belfry sinks test mail -v' shows the dialogue"), "\(probe)")
    let shown = try await box.belfry("sinks", "test", "mail", "-v")
    #expect(shown.status == 69 && shown.messages.contains("what a day"), "\(shown)")
    #expect(!shown.messages.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" }, "\(shown)")
    #expect(!(try await box.belfry("sinks", "test", "hook").messages.contains("dialogue")))
  }

  @Test("a name that looks like an option is a name")
  func dashes() async throws {
    let box = try Sandbox()
    for name in ["-v", "--once", ""] {
      let outcome = try await box.belfry("sinks", "test", "--", name)
      #expect(outcome.status == 66 && outcome.messages.contains("there is no sink '\(name)'"), "\(outcome)")
    }
  }

  @Test("a proxy's password is in no output, whatever the proxy answers")
  func proxy() async throws {
    let proxy = try HTTPCollector(answers: [.init(407, body: "not with PR0XY@PASS, cHVzZXI6UFIwWFlAUEFTUw==")])
    let box = try Sandbox(sinks: [
      "plain: { type: webhook, url: \"http://elsewhere.invalid/\" }",
      "tls: { type: webhook, url: \"https://elsewhere.invalid/\" }",
    ])
    let port = proxy.url.split(separator: ":").last?.prefix { $0.isNumber } ?? ""
    for place in ["127.0.0.1:\(port)", "127.0.0.1:99999"] {
      let url = "http://puser:PR0XY%40PASS@\(place)"
      let options = RunOptions(environment: ["http_proxy": url, "HTTPS_PROXY": url])
      for name in ["plain", "tls"] {
        let outcome = try await box.run([Programs.belfry, "sinks", "test", name, "-v"], options)
        #expect(outcome.status == 69 && outcome.messages.contains("<redacted>"), "\(outcome)")
        for secret in ["PR0XY%40PASS", "PR0XY@PASS", "cHVzZXI6UFIwWFlAUEFTUw"] {
          #expect(!outcome.messages.contains(secret), "\(outcome)")
        }
      }
    }
  }

  @Test("the daemon's log says once that a warning of the config is one")
  func logged() async throws {
    let box = try Sandbox(sinks: [
      "mail: { type: email, url: \"smtp://127.0.0.1:9\", tls: none, username: me, password: pw, from: a@example.org, "
        + "to: [b@example.org] }"
    ])
    let outcome = try await box.run([Programs.belfryd, "--once"], RunOptions())
    #expect(outcome.messages.contains(#/belfryd: warning: \S+:\d+:\d+: 'tls: none' lets/#), "\(outcome)")
  }
}
