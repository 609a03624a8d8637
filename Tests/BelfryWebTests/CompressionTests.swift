import CZlib
import Testing

@testable import BelfryWeb

@Suite("Compressed replies")
struct CompressionTests {
  private static let gzip = "Accept-Encoding: gzip\r\n"

  /// A server with a list that takes more than a kilobyte, and a token.
  private func api() async throws -> (APIServer, String) {
    let api = try APIServer()
    let token = try api.token(.edit)
    for number in 1...6 {
      #expect(try await api.send("POST", "/items", #"{"text": "More \#(number)"}"#, as: token).status == 201)
    }
    return (api, token)
  }

  @Test(
    "the field Accept-Encoding is read as RFC 9110 has it",
    arguments: [
      (nil, false), ("", false), ("gzip", true), ("GZip", true), ("x-gzip", true), ("br, gzip;q=0.8", true),
      ("*", true), ("br", false), ("gzip;q=0", false), ("gzip ; q=0.000", false), ("*;q=1, gzip;q=0", false),
      ("identity;q=1, gzip;q=0.5", false), ("identity;q=0.5, *;q=0.5", true), ("gzip;q=high", false),
    ] as [(String?, Bool)])
  func accepted(field: String?, isPreferred: Bool) {
    #expect(AcceptedCodings(field).prefersGzip == isPreferred)
  }

  @Test("what was compressed in pieces is the whole again")
  func pieces() throws {
    let noise = String((0..<3_000).map { Character(UnicodeScalar(UInt8($0 * $0 % 94 + 33))) })
    let pieces = ["", String(repeating: "bell ", count: 50_000), "tower", noise]
    let gzip = Gzip()
    let short = pieces.flatMap { gzip.compress($0.utf8) } + gzip.compress([], isLast: true)
    #expect(short.count < 10_000)
    #expect(try inflated(short) == Array(pieces.joined().utf8))
  }

  @Test("texts are compressed from a kilobyte on, for who asks for it; each form has a tag of its own")
  func forms() async throws {
    let (api, token) = try await api()
    let plain = try await api.send("GET", "/items", as: token)
    let short = try await api.send("GET", "/items", as: token, Self.gzip)
    #expect(plain["content-encoding"] == [] && plain["vary"] == ["Accept-Encoding"])
    #expect(short["content-encoding"] == ["gzip"] && short["vary"] == ["Accept-Encoding"])
    let (tag, shortTag) = (try #require(plain["etag"].first), try #require(short["etag"].first))
    #expect(shortTag == "\(tag.dropLast()).gzip\"")
    #expect(short.body.utf8.count < plain.body.utf8.count)
    #expect(try await api.send("GET", "/items/1", as: token, Self.gzip)["content-encoding"] == [])
    #expect(try await api.send("HEAD", "/items", as: token, Self.gzip)["etag"] == [tag])
  }

  @Test("the tag of either form tells that nothing changed, and which version is to be changed")
  func tags() async throws {
    let (api, token) = try await api()
    let tag = try #require(try await api.send("GET", "/items", as: token)["etag"].first)
    let shortTag = "\(tag.dropLast()).gzip\""
    for known in [tag, shortTag, "W/\(shortTag)"] {
      let reply = try await api.send("GET", "/items", as: token, "\(Self.gzip)If-None-Match: \(known)\r\n")
      #expect(reply.status == 304 && reply["etag"] == [known.contains(shortTag) ? shortTag : tag], "\(reply)")
      #expect(reply["vary"] == ["Accept-Encoding"])
    }
    // Who no longer takes gzip has no use for its form.
    #expect(try await api.send("GET", "/items", as: token, "If-None-Match: \(shortTag)\r\n").status == 200)
    let item = try #require(try await api.send("GET", "/items/1", as: token)["etag"].first)
    let change = "If-Match: \(item.dropLast()).gzip\"\r\n"
    #expect(try await api.send("PATCH", "/items/1", #"{"notes": "n"}"#, as: token, change).status == 200)
  }

  @Test("a page is compressed only for requests that no other site can make a browser send")
  func begun() async throws {
    let fixture = try PageFixture()
    let visitor = try fixture.visitor()
    for (field, isShort) in [
      ("Sec-Fetch-Site: same-origin\r\n", true), ("Sec-Fetch-Site: none\r\n", true),
      ("Sec-Fetch-Site: cross-site\r\n", false), ("Sec-Fetch-Site: same-site\r\n", false), ("", false),
    ] {
      let fields = visitor.replacing("Sec-Fetch-Site: same-origin\r\n", with: Self.gzip + field)
      let page = try await fixture.server.get("/search?q=milk", fields)
      #expect(page.status == 200 && page["content-encoding"] == (isShort ? ["gzip"] : []), "\(field)")
    }
  }

  @Test("files are the same for everybody, also for a page of another site; streams are never compressed")
  func files() async throws {
    let (api, token) = try await api()
    for path in [AssetRoutes.script.path, AssetRoutes.stylesheet.path, "/api/openapi.json"] {
      let reply = try await api.server.get(path, "\(Self.gzip)Sec-Fetch-Site: cross-site\r\nCookie: a=b\r\n")
      #expect(reply.status == 200 && reply["content-encoding"] == ["gzip"] && reply["vary"] == ["Accept-Encoding"])
      #expect(try await api.server.get(path)["content-encoding"] == [])
    }
    let address = api.server.address
    let head = try await onThread {
      let connection = try Connection(to: address)
      try connection.send(
        "GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n\(Self.gzip)\r\n")
      return try connection.text(until: "\r\n\r\n")
    }
    #expect(head.hasPrefix("HTTP/1.1 200") && !head.lowercased().contains("content-encoding"))
  }

  private func inflated(_ bytes: [UInt8]) throws -> [UInt8] {
    var (bytes, stream) = (bytes, z_stream())
    #expect(inflateInit2_(&stream, 31, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK)
    defer { inflateEnd(&stream) }
    let count = bytes.count
    return bytes.withUnsafeMutableBufferPointer { input in
      [UInt8](unsafeUninitializedCapacity: 1_000_000) { output, filled in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        #expect(inflate(&stream, Z_FINISH) == Z_STREAM_END)
        filled = Int(stream.total_out)
      }
    }
  }
}
