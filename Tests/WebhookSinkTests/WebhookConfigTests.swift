import Testing

@testable import WebhookSink

@Suite("The config of a webhook")
struct WebhookConfigTests {
  @Test(
    "what is in order has nothing to complain about",
    arguments: [
      "    url: https://example.org/x\n",
      "    url_file: chat-url\n    secret_file: [a, b]\n    headers: { X-Team: home }\n",
      "    url_env: HOOK\n    format: slack\n", "    url_credential: hook\n    username: me\n    password_file: p\n",
      "    url: http://[::1]:8080/x?y=z\n    token: abc\n    timeout: 30s\n    concurrency: 1\n",
      "    url: https://bücher.example/x\n    authorization: ApiKey x\n    ca_file: ca.pem\n",
      "    url: https://ntfy.sh/bells\n    format: ntfy\n",
      "    url: https://ntfy.sh/bells\n    format: ntfy\n    reply_topic: https://ntfy.sh/answers\n",
      "    url_file: bells\n    format: ntfy\n    reply_topic_file: answers\n    token_file: token\n",
      "    url: https://a.example\n    format: template\n    body: '{\"t\":\"{{text}}\"}'\n",
      "    url: https://a.example\n    format: template\n    content_type: text/plain\n    body: '{{text}}'\n",
    ])
  func inOrder(section: String) { #expect(Hooking.complaints(section) == []) }

  @Test(
    "what is wrong is told at its place, and no secret is quoted",
    arguments: [
      ("    format: slack\n", ["x:2:3: error: missing key 'url'"]),
      (
        "    url: ftp://hidden\n",
        ["x:4:10: error: 'url' cannot be used: the URL does not start with http:// or https://"]
      ),
      (
        "    url: https://me:hidden@example.org/\n",
        [
          "x:4:10: error: 'url' cannot be used: the URL holds a user name or password: use the keys for them"
        ]
      ),
      (
        "    url: \"https://example.org/a b\"\n",
        ["x:4:10: error: 'url' cannot be used: the URL holds a space or a control character"]
      ),
      (
        "    url: https://example.org/\n    url_file: f\n",
        ["x:5:5: error: 'url_file' gives 'url' a second time, beside 'url'"]
      ),
      ("    url: 12345678\n", ["x:4:10: error: expected text; put it in quotes"]),
      (
        "    url: https://a.example\n    secret: whsec_hidden\n",
        ["x:5:13: error: 'secret' cannot be used: it must be whsec_ followed by base64"]
      ),
      (
        "    url: https://a.example\n    format: slack\n    secret_file: s\n",
        ["x:6:5: error: 'secret' belongs to 'format: standard' and 'format: template' only"]
      ),
      (
        "    url: https://a.example\n    headers: { Host: a, X-A: b, x-a: c, 'a b': d, Webhook-Id: e, Authorization: f }\n",
        [
          "x:5:16: error: the header 'Host' cannot be set in the config",
          "x:5:33: error: the header 'x-a' is given twice",
          "x:5:41: error: 'a b' is not a valid name of a header",
          "x:5:51: error: the header 'Webhook-Id' cannot be set in the config",
          "x:5:66: error: the header 'Authorization' has keys of its own: username and password, token, or authorization",
        ]
      ),
      (
        "    url: https://a.example\n    headers: { X-A: \"b\\r\\nX-B: c\" }\n",
        ["x:5:21: error: a header's value is one line of printable ASCII"]
      ),
      (
        "    url: https://a.example\n    username: me\n",
        ["x:5:5: error: 'username' goes with 'password'"]
      ),
      (
        "    url: https://a.example\n    username: me\n    password: p\n    token: t\n",
        ["x:7:5: error: 'token' is a second way to sign in, beside 'password'"]
      ),
      (
        "    url: https://a.example\n    token: \"a\\nb\"\n",
        ["x:5:12: error: 'token' cannot be used: it holds a line break or another control character"]
      ),
      ("    url: https://a.example\n    format: template\n", ["x:2:3: error: missing key 'body'"]),
      ("    url: https://a.example\n    body: x\n", ["x:5:5: error: 'body' belongs to 'format: template' only"]),
      (
        "    url: https://a.example\n    format: template\n    body: '{\"a\": \"{{text\"}'\n",
        ["x:6:11: error: the template does not parse, line 1, column 14: a tag is not complete"]
      ),
      (
        "    url: https://a.example\n    format: template\n    body: '{{>other}}'\n",
        [
          "x:6:11: error: the template cannot be used, line 1, column 1: partials and blocks are not supported"
        ]
      ),
      (
        "    url: https://a.example/\n    format: ntfy\n",
        ["x:4:10: error: the URL does not end in a topic, as in https://ntfy.sh/mytopic"]
      ),
      (
        "    url: https://a.example\n    reply_topic: https://a.example/answers\n",
        ["x:5:5: error: 'reply_topic' belongs to 'format: ntfy' only"]
      ),
      (
        "    url: https://a.example/hidden\n    format: ntfy\n    reply_topic: HTTPS://A.example/hidden\n",
        ["x:6:18: error: 'reply_topic' must differ from the topic of the messages"]
      ),
      (
        "    url: https://a.example/x\n    format: ntfy\n    reply_topic: https://a.example/hidden/\n",
        [
          "x:6:18: error: 'reply_topic' cannot be used: the URL does not end in a topic, as in https://ntfy.sh/mytopic"
        ]
      ),
      (
        "    url: https://a.example/x\n    format: ntfy\n    reply_topic: https://a.example/y?auth=hidden\n",
        [
          "x:6:18: error: 'reply_topic' cannot be used: the URL has a query, which everybody who gets a message would see"
        ]
      ),
      (
        "    url: https://a.example\n    client_key: k\n",
        ["x:5:5: error: 'client_key' goes with 'client_certificate'"]
      ),
      (
        "    url: https://a.example\n    format: slak\n",
        [
          "x:5:13: error: expected one of \(WebhookFormat.allCases.map(\.rawValue).joined(separator: ", ")), found 'slak'; "
            + "did you mean 'slack'?"
        ]
      ),
    ])
  func wrong(section: String, lines: [String]) {
    let complaints = Hooking.complaints(section)
    #expect(complaints == lines)
    #expect(!complaints.joined().contains("hidden"))
  }

  @Test("a template that makes no JSON is told at once")
  func noJSON() {
    let complaints = Hooking.complaints(
      "    url: https://a.example\n    format: template\n    body: '{\"a\": {{text}}}'\n")
    #expect(complaints.count == 1)
    #expect(complaints.first?.hasPrefix("x:6:11: error: the template does not make JSON") == true)
  }
}
