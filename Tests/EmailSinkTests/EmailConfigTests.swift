import BelfryEngine
import BelfryTestKit
import ConfigKeys
import MustacheTemplates
import TestSupport
import Testing

@testable import EmailSink

@Suite("The config of a mail sink")
struct EmailConfigTests {
  private static let ordinary =
    "    url: smtp://mail.example.org:587\n    from: a@example.org\n    to: [b@example.org]\n"

  private let config = SinkConfig(EmailSinkPlugin.self, called: "mail", templates: MustacheLanguage())

  @Test("the contract's sample is in order and makes the sink that it describes")
  func sample() throws {
    let section = """
          url: smtp://mail.example.org:587
          tls: required
          username: me
          password_file: smtp-password
          from: "Belfry <belfry@example.org>"
          to: [me@example.org, "You <you@example.org>"]
          subject: "{{list}}: {{text}}"
          group_by: list
          attach_ics: false
          ca_file: my-ca.pem

      """
    let configuration = try config.load(section)
    #expect(configuration.warnings == [])
    let sink = try configuration.sinks[0].plugin.makeSink(.none)
    #expect(sink.recipients == ["me@example.org", "you@example.org"])
    #expect(sink.grouping == .list && sink.concurrency == 4)
  }

  @Test(
    "what is wrong is told at its place",
    arguments: [
      (
        "    subject: x\n",
        ["x:2:3: error: missing key 'url'", "x:2:3: error: missing key 'from'", "x:2:3: error: missing key 'to'"]
      ),
      (
        "    url: http://mail.example.org\n    from: a@example.org\n    to: [b@example.org]\n",
        ["x:4:10: error: the URL does not start with smtp:// or smtps://"]
      ),
      (
        "    url: smtp://me:pw@mail.example.org\n    from: a@example.org\n    to: [b@example.org]\n",
        ["x:4:10: error: the URL holds a user name or password: use the keys for them"]
      ),
      (
        "    url: smtp://mail.example.org/x\n    from: a@example.org\n    to: [b@example.org]\n",
        ["x:4:10: error: the URL of a mail server ends with its host or port"]
      ),
      (
        "    url: smtp://mail.example.org\n    from: nobody\n    to: [b@example.org, \"c\\r\\nd@e\", b@example.org, (x)]\n",
        [
          "x:5:11: error: an address needs an '@'",
          "x:6:25: error: an address cannot contain a line break or another control character",
          "x:6:37: error: 'b@example.org' is named twice", "x:6:52: error: an address needs an '@'",
        ]
      ),
      (ordinary.replacing("[b@example.org]", with: "[]"), ["x:6:9: error: 'to' names nobody"]),
      (
        ordinary.replacing("[b@example.org]", with: "b@example.org"),
        ["x:6:9: error: expected a list, found 'b@example.org'"]
      ),
      (
        ordinary + "    subject: \"{{list\"\n",
        ["x:7:14: error: the template does not parse, line 1, column 7: a tag is not complete"]
      ),
      (
        ordinary + "    html: |\n      <p>\n      {{#item}}\n",
        ["x:7:11: error: the template does not parse, line 3, column 1: a section has no end"]
      ),
      (ordinary + "    password: x\n", ["x:7:5: error: 'password' goes with 'username'"]),
      (ordinary + "    username: x\n", ["x:7:5: error: 'username' goes with 'password' or 'token'"]),
      (
        ordinary + "    username: x\n    token_env: T\n    password: y\n",
        ["x:9:5: error: 'password' is a second way to sign in, beside 'token'"]
      ),
      (
        ordinary.replacing("smtp://", with: "smtps://") + "    tls: none\n",
        ["x:7:10: error: smtps:// is encrypted from the first byte: leave out 'tls', or write smtp://"]
      ),
      (
        ordinary + "    username: x\n    password: y\n    tls: none\n",
        ["x:9:10: warning: 'tls: none' lets the password go out unencrypted"]
      ),
      (
        ordinary + "    username: x\n    token: y\n    tls: opportunistic\n",
        ["x:9:10: warning: 'tls: opportunistic' is as 'required' here: the token goes out encrypted or not at all"]
      ),
      (ordinary + "    tls: opportunistic\n", []),
      (
        ordinary + "    subject: \"{{lst}}: {{nosuch}} {{item.text}}\"\n    html: \"{{#item}}{{notse}}{{/item}}\"\n",
        [
          "x:7:14: warning: the template uses the unknown name 'lst', which no reminder has; did you mean 'list'?",
          "x:7:14: warning: the template uses the unknown name 'nosuch', which no reminder has",
          "x:8:11: warning: the template uses the unknown name 'notse', which no reminder has; did you mean 'notes'?",
        ]
      ),
      (
        ordinary + "    group_by: lists\n",
        ["x:7:15: error: expected one of none, list, all, found 'lists'; did you mean 'list'?"]
      ),
    ])
  func wrong(section: String, lines: [String]) { #expect(config.complaints(section) == lines) }
}
