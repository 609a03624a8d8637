import BelfryEngine
import ConfigKeys
import Testing
import Transport

@Suite("URLs of servers")
struct ServerURLTests {
  @Test(
    "a URL is taken apart and put together again",
    arguments: [
      ("https://example.org", "https://example.org/"), ("HTTP://Example.ORG:80/a?b=c", "http://example.org:80/a?b=c"),
      ("https://[2001:db8::1]:443/", "https://[2001:db8::1]:443/"),
      ("https://bücher.example/x", "https://xn--bcher-kva.example/x"),
      ("https://127.0.0.1/%20", "https://127.0.0.1/%20"), ("https://a_b.example?x", "https://a_b.example/?x"),
    ])
  func read(text: String, written: String) throws {
    #expect(try ServerURL(text, schemes: ["http", "https"]).text == written)
  }

  @Test(
    "what is no such URL is refused, and not quoted",
    arguments: [
      "", "hush", "file:///hush", "javascript:hush", "https:/hush", "https://", "https:///hush", "https://a@hush/",
      "https://a:b@hush/",
      "https://hush:0/", "https://hush:65536/", "https://hush:/", "https://hush:8a/", "https://hush:+80/",
      "https://hush#x", "https://hu sh/",
      "https://hush/\r\nX: y", "https://hush/\u{0}", "https://hush/ä", "https://[hush]/", "https://[::1/",
      "https://[::1]x/", "https://hush..org/",
      "https://hush\\@evil.example/", "https://hush/\\", "https://hush\u{2028}/", "https://hush%00/", "ftp://hush",
      "https://-hush/",
    ])
  func refused(text: String) {
    #expect {
      try ServerURL(text, schemes: ["http", "https"])
    } throws: { error in
      (error as? ConfigProblem)?.message.contains("hush") == false
    }
  }
}
