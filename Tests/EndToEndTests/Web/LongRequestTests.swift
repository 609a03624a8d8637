import Foundation
import Testing

@Suite("Long requests to belfry web")
struct LongRequestTests {
  private let box: Sandbox
  private let token: String

  /// A request for ten years of items that ring each minute, of which each shows 300 reminders.
  private static let longest = "/api/v1/agenda?days=3660"

  init() async throws {
    box = try Sandbox()
    try box.write(Sandbox.defaultConfig + "web: { listen: 127.0.0.1:0 }\n", to: "belfry.yaml")
    let alerts = (1...300).map { "--alert \($0)m" }.joined(separator: " ")
    let script = """
      for number in 1 2 3 4 5 6; do
        '\(try Programs.belfry)' add "tick $number" --due 2030-01-01T09:00 --repeat FREQ=MINUTELY \(alerts) >added || exit
      done
      '\(try Programs.belfry)' access add reader --scope read
      """
    let made = try await box.shell(script)
    token = try #require(made.output.firstMatch(of: #/bfy_\S+/#).map { String($0.output) }, "\(made)")
  }

  /// The processor time of a process so far, in ticks.
  private func ticks(_ process: ChildProcess) throws -> Int {
    let words = try #require(box.text("/proc/\(process.pid)/stat").split(separator: ")").last).split(separator: " ")
    return try #require(Int(words[11])) + #require(Int(words[12]))
  }

  /// Waits until a process works, or until it rests.
  private func waitUntil(_ process: ChildProcess, works: Bool) async throws {
    var (last, since) = (try ticks(process), ContinuousClock.now)
    try await EndToEndTests.waitUntil("the web face \(works ? "works" : "rests")", within: 15) {
      let now = try ticks(process)
      if works { return now > last + 20 }
      if now != last { (last, since) = (now, .now) }
      return ContinuousClock.now - since > .milliseconds(300)
    }
  }

  /// Clients that ask for the longest reply.
  private func clients(_ count: Int, of face: RunningWebFace) throws -> [ChildProcess] {
    let words = ["/usr/bin/curl", "-sS", "-H", "Authorization: Bearer \(token)", face.url + Self.longest]
    return try (1...count).map { _ in try box.start(bytes: words.map { Array($0.utf8) }, RunOptions()) }
  }

  @Test("one ends soon after its client has left, and others are served meanwhile")
  func left() async throws {
    let face = try await box.webFace()
    for client in try clients(8, of: face) {
      try await waitUntil(face.process, works: true)
      client.killGroup()
    }
    try await waitUntil(face.process, works: false)
    let lists = try await box.shell("curl -sS -H 'Authorization: Bearer \(token)' '\(face.url)/api/v1/lists'")
    #expect(lists.output.contains("Inbox"), "\(lists)")
    #expect(!face.log.contains("error"), "\(face.log)")
    #expect(await face.stop() == .exited(0))
  }

  @Test("SIGTERM ends the program within five seconds, whatever it is working on")
  func stopped() async throws {
    let face = try await box.webFace()
    let clients = try clients(6, of: face)
    try await waitUntil(face.process, works: true)
    let start = ContinuousClock.now
    #expect(await face.stop() == .exited(0))
    #expect(ContinuousClock.now - start < .seconds(5))
    #expect(face.log.hasSuffix("belfry-web: info: stopped\n"), "\(face.log)")
    for client in clients { client.killGroup() }
  }

  @Test("no number that a client sends takes memory")
  func memory() async throws {
    let face = try await box.webFace()
    let numbers = ["500", "501", "3660", "2147483648", "9223372036854775807", "9223372036854775808", "-1", "1e309"]
    let targets = [
      "items?limit=N", "lists/N/items?limit=1", "plan?limit=N", "plan?limit=500&until=9999-12-31", "pending?limit=N",
      "agenda?days=1&limit=N", "deliveries?limit=N", "answers?limit=N", "items?cursor=N", "items/N/explain",
    ]
    let paths = numbers.flatMap { number in targets.map { $0.replacing("N", with: number) } }
    let urls = paths.map { "url = \"\(face.url)/api/v1/\($0)\"\noutput = /dev/null" }.joined(separator: "\n")
    try box.write(urls + "\nheader = \"Authorization: Bearer \(token)\"\nwrite-out = \"%{http_code}\\n\"\n", to: "urls")
    let first = try await box.shell("curl -sS -K urls")
    let before = try face.process.peakMemory()
    let second = try await box.shell("curl -sS -K urls && curl -sS -K urls")
    let statuses = (first.output + second.output).split(separator: "\n")
    #expect(statuses.count == 3 * paths.count && statuses.allSatisfy { ["2", "4"].contains($0.prefix(1)) })
    #expect(try face.process.peakMemory() < 150_000)
    #expect(try face.process.peakMemory() - before < 8_000)
    #expect(await face.stop() == .exited(0))
  }
}
