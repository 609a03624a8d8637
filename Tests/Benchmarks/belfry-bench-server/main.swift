import FoundationEssentials
import Hummingbird
import Logging
import NIOPosix

// As long as the JSON of an answer.
let answer = """
  {"id":1,"reminder_id":"25029a0f-869a-585c-973d-e0fb66e51f82","item_id":1,"list":"Inbox","text":"Item 1",\
  "action":"done","do":"check","person":null,"channel":"link","at":"2026-11-21T09:00:02Z","effect":"done",\
  "taken_back_at":null}

  """

// The bytes of a page, with the tag by which its reader has it already.
let page = try CommandLine.arguments.dropFirst(2).first.map { try Data(contentsOf: URL(filePath: $0)) } ?? Data()
let tag = "\"page\""

let router = Router()
router.get("page") { request, _ in
  if request.headers[.ifNoneMatch] == tag { return Response(status: .notModified, headers: [.eTag: tag]) }
  return Response(
    status: .ok, headers: [.contentType: "text/html; charset=utf-8", .eTag: tag],
    body: ResponseBody(byteBuffer: ByteBuffer(bytes: page)))
}
router.get("readyz") { _, _ in "ready\n" }
router.post("a/:token") { request, _ in
  _ = try await request.body.collect(upTo: 4_096)
  return Response(
    status: .ok, headers: [.contentType: "application/json"],
    body: ResponseBody(byteBuffer: ByteBuffer(string: answer)))
}

// One thread reads and writes, as in `belfry-web`.
let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8_080
let server = Application(
  router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)),
  eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup(numberOfThreads: 1)),
  logger: Logger(label: "server") { _ in SwiftLogNoOpLogHandler() })
try await server.runService()
