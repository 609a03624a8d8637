import Digests
import Foundation
import OrderedJSON
import Testing

@testable import BelfryWeb

@Suite("The script, and what an installed page needs")
struct AssetTests {
  @Test(
    "files whose path changes with what they say are kept for ever, the worker is asked for each time",
    arguments: [
      (AssetRoutes.script, "text/javascript; charset=utf-8"),
      (AssetRoutes.passkeys, "text/javascript; charset=utf-8"),
      (AssetRoutes.push, "text/javascript; charset=utf-8"), (AssetRoutes.icon, "image/svg+xml"),
      (AssetRoutes.manifest, "application/manifest+json"), (AssetRoutes.worker, "text/javascript; charset=utf-8"),
    ])
  func files(asset: Asset, type: String) async throws {
    let server = try Server()
    let reply = try await server.get(asset.path)
    #expect(reply.status == 200 && reply["content-type"] == [type] && !reply.body.isEmpty)
    let isWorker = asset.path == "/worker.js"
    #expect(reply["cache-control"] == [isWorker ? "no-cache" : "public, max-age=31536000, immutable"])
  }

  @Test("the manifest names the icon as pictures, each of the size that it has")
  func pictures() async throws {
    let server = try Server()
    let icons = try await server.get(AssetRoutes.manifest.path).json["icons"]?.arrayValue ?? []
    #expect(icons.compactMap { $0["sizes"] } == ["any", "192x192", "512x512"])
    let pictures = [(192, PackageResources.icon_192_png), (512, PackageResources.icon_512_png)]
    for (icon, (size, bytes)) in zip(icons.dropFirst(), pictures) {
      let reply = try await server.get(try #require(icon["src"]?.stringValue), "Accept-Encoding: gzip\r\n")
      #expect(reply.status == 200 && reply["content-type"] == ["image/png"] && reply["content-encoding"] == [])
      #expect(reply["content-length"] == ["\(bytes.count)"])
      // The width and the height follow the signature and the beginning of the first part.
      let side = [0, 0, UInt8(size >> 8), UInt8(size & 255)]
      #expect(Array(bytes[16..<24]) == side + side)
    }
  }

  @Test("pages for who has signed in name them, and a value of their session; others have no script")
  func pages() async throws {
    let fixture = try PageFixture()
    let visitor = try fixture.visitor()
    let page = try await fixture.server.get("/", visitor).body
    let mark = try #require(page.firstMatch(of: #/<main [^>]*data-session="([^"]+)"/#)).1
    for asset in [AssetRoutes.script, AssetRoutes.icon, AssetRoutes.manifest] {
      #expect(page.contains("\"\(asset.path)\""))
    }
    #expect(try await fixture.server.get("/search", visitor).body.contains("data-session=\"\(mark)\""))
    #expect(try await !fixture.server.get("/", try fixture.visitor()).body.contains("data-session=\"\(mark)\""))
    let signIn = try await fixture.server.get("/sign-in").body
    #expect(signIn.matches(of: /<script/).count == 1 && signIn.contains("src=\"\(AssetRoutes.passkeys.path)\""))
    #expect(try await !fixture.server.get("/sign-in", host: "127.0.0.1").body.contains("<script"))
  }

  @Test(
    "every page names the icon, which browsers otherwise look for where none is",
    arguments: ["/", "/sign-in", "/sign-in/x", "/a/x", "/nowhere", "/lists/9"])
  func icon(path: String) async throws {
    let fixture = try PageFixture()
    for visitor in [PageFixture.html, try fixture.visitor()] {
      let body = try await fixture.server.get(path, visitor).body
      #expect(body.contains("<link rel=\"icon\" type=\"image/svg+xml\" href=\"\(AssetRoutes.icon.path)\">"), "\(body)")
    }
  }

  @Test("a browser whose session is over is told to give up what it kept; others are not")
  func clearing() async throws {
    let server = try PageFixture().server
    let over = try await server.get("/", PageFixture.html + "Cookie: a=b; belfry=over\r\n")
    #expect(over.status == 401 && over["clear-site-data"] == ["\"cache\", \"storage\""])
    for fields in ["", "Cookie: a=b\r\n", "Authorization: Bearer bfy_wrong\r\nCookie: belfry=x\r\n"] {
      let reply = try await server.get("/", PageFixture.html + fields)
      #expect(reply.status == 401 && reply["clear-site-data"] == [], "\(fields)")
    }
  }
}
