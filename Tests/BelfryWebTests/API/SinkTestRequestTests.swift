import OrderedJSON
import Testing

@testable import BelfryWeb

@Suite("Tests of sinks that belfryd makes")
struct SinkTestRequestTests {
  private let daemon: ScriptedDaemon

  init() throws { daemon = try ScriptedDaemon() }

  @Test("belfryd is asked for the sink under the config in force, and what it printed is the reply")
  func test() async throws {
    let api = try daemon.api(
      #"echo "a test"; echo "[{\"sink\":\"$1\",\"reason\":\"$2 $3 $4\"}]"; echo "> EHLO" >&2"#)
    let token = try api.token()
    let reply = try await api.send("POST", "/sinks/screen/test", as: token)
    let words = JSONValue.string("--json --verbose --config=\(daemon.config)")
    #expect(try reply.status == 200 && reply.json == [["sink": "--test-sink=screen", "reason": words]], "\(reply)")
    for name in ["idle", "nothing", "--check"] {
      #expect(try await api.send("POST", "/sinks/\(name)/test", as: token).status == 404)
    }
    #expect(try await api.send("GET", "/sinks", as: token).all("enabled") == [true, false])
  }

  @Test("more than a pipe holds comes through; what is no result is 502 with its first line")
  func output() async throws {
    let long = try daemon.api("yes x | head -n 100000 >&2; echo '[]'")
    #expect(try await long.send("POST", "/sinks/screen/test", as: try long.token()).status == 200)
    let broken = try daemon.api("echo 'error: no such thing' >&2; exit 70")
    let reply = try await broken.send("POST", "/sinks/screen/test", as: try broken.token())
    #expect(reply.status == 502 && reply.body.contains("error: no such thing"), "\(reply)")
  }
}
