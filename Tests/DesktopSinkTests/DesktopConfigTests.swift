import BelfryModel
import BelfryTestKit
import ConfigKeys
import Testing
import Transport

@testable import DesktopSink

@Suite("The config of a desktop")
struct DesktopConfigTests {
  private func complaints(_ section: String) -> [String] { Notifying.config().complaints(section) }

  @Test(
    "what is in order has nothing to complain about",
    arguments: [
      "", "    bus: unix:path=/run/user/1000/bus\n", "    urgency: critical\n    icon: /usr/share/pixmaps/bell.png\n",
      "    shown_for: 30s\n    quiet_hours: { from: \"22:00\", to: \"07:00\" }\n",
    ])
  func inOrder(section: String) { #expect(complaints(section) == []) }

  @Test(
    "what is wrong is told at its place",
    arguments: [
      (
        "    bus: /run/user/1000/bus\n",
        "x:4:10: error: expected the address of a bus such as unix:path=/run/user/1000/bus, found '/run/user/1000/bus'"
      ),
      (
        "    bus: unixexec:path=/bin/sh\n",
        "x:4:10: error: expected the address of a bus such as unix:path=/run/user/1000/bus, found 'unixexec:path=/bin/sh'"
      ),
      ("    urgency: high\n", "x:4:14: error: expected one of low, normal, critical, found 'high'"),
      ("    shown_for: 0s\n", "x:4:16: error: expected a duration such as 15s, 10m or 1h30m, found '0s'"),
    ])
  func wrong(section: String, complaint: String) { #expect(complaints(section) == [complaint]) }

  @Test("a daemon without a user's bus is told the way out; with an address, it needs none")
  func withoutBus() throws {
    let plugin = try #require(try Notifying.load("").sinks.first?.plugin)
    let error = try #require(throws: BelfryError.self) { try plugin.makeSink(.none) }
    #expect(error.kind == .badConfig && error.message.contains("DBUS_SESSION_BUS_ADDRESS"))
    #expect(error.hint?.contains("belfry service install") == true)
    let addressed = try Notifying.load("    bus: unix:path=/run/user/1000/bus\n")
    #expect(throws: Never.self) { try addressed.sinks.first?.plugin.makeSink(.none) }
  }

  @Test(
    "the user's bus is the one that the environment names",
    arguments: [
      ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus", "XDG_RUNTIME_DIR": "/else"],
      ["XDG_RUNTIME_DIR": "/nowhere"], ["DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": "/nowhere"],
    ])
  func userBus(variables: [String: String]) async throws {
    let sink = try #require(try Notifying.load("", variables).sinks.first?.plugin).makeSink(.none)
    #expect(
      await sink.deliver(Sample.attempt(try Sample.message()))
        == .later(
          reason: "the desktop's bus at unix:path=/nowhere/bus cannot be reached: No such file or directory"))
  }

  @Test("a folder with special characters is escaped in the address")
  func escaped() async throws {
    let sink = try #require(try Notifying.load("", ["XDG_RUNTIME_DIR": "/no where,é"]).sinks.first?.plugin)
      .makeSink(.none)
    guard case .later(let reason, _, false) = await sink.probe() else {
      Issue.record("it was delivered")
      return
    }
    #expect(reason.contains("unix:path=/no%20where%2c%c3%a9/bus cannot be reached: No such file"), "\(reason)")
  }
}
