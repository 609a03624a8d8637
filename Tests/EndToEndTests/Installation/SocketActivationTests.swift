import Foundation
import Testing

@Suite("A web face that its socket starts")
struct SocketActivationTests {
  @Test("it ends after ten idle minutes, with 0, and the next connection starts it anew")
  func idle() async throws {
    let box = try Sandbox()
    try box.write(Sandbox.defaultConfig + "web: { listen: \"unix:\(box.path("socket"))\" }\n", to: "belfry.yaml")
    // By its clock, ten minutes take three seconds.
    let speed = 200.0
    let clock = try FakeClock.environment("+0 x\(Int(speed))").map { "\($0)=\($1)" }
    let unit = [Programs.python, "-B", Programs.fixture("socket_unit.py"), box.path("socket"), "ends"]
    let words = unit + [Programs.env] + clock + [try Programs.belfryWeb]
    let process = try box.start(
      bytes: words.map { Array($0.utf8) }, RunOptions(messages: .writing(box.path("log"))))
    try await waitUntil("the socket is there") { box.files().contains("socket") || !process.isRunning }
    try #require(process.isRunning, "\(box.text("log"))")
    for number in 1...2 {
      let start = ContinuousClock.now
      let reply = try await box.shell("curl -sS --unix-socket socket http://localhost/readyz")
      #expect(reply.output == "ready\n", "\(reply) \(box.text("log"))")
      try await waitUntil("it ends by itself; log: \(box.text("log"))") { box.lines("ends").count == number }
      let minutes = (ContinuousClock.now - start) / .seconds(60) * speed
      #expect(minutes >= 10, "it ended after \(minutes) minutes")
      #expect(box.lines("ends").last == "0" && box.text("log").hasSuffix("belfry-web: info: stopped\n"))
    }
    #expect(box.lines("log").allSatisfy { $0.hasPrefix("belfry-web: ") }, "\(box.text("log"))")
    process.killGroup()
  }
}
