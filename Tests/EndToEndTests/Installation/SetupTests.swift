import Foundation
import TestSupport
import Testing

@Suite("Setting up a machine")
struct SetupTests {
  @Test(
    "a toolchain that is missing, does not start or is too old is told with what to do",
    arguments: [
      (":", "there is no Swift toolchain"),
      // A program that needs a missing library.
      ("sed 's/libc\\.so\\.6/libq.so.6/' /bin/true >bin/swift", "libq.so.6, which the package libq6 has"),
      ("printf '#!/bin/sh\\necho the machine is on fire; exit 3\\n' >bin/swift", "the machine is on fire"),
      ("printf '#!/bin/sh\\necho Swift version 6.1.2\\n' >bin/swift", "this is Swift 6.1; Belfry needs 6.2"),
    ])
  func toolchain(making: String, told: String) async throws {
    let box = try Sandbox()
    let setup = Checkout.file(".ci/setup").path
    // The programs that the set-up itself starts, without a toolchain.
    let outcome = try await box.shell(
      """
      mkdir bin && \(making) && { chmod +x bin/swift 2>/dev/null || true; } && PATH="$PWD/bin:/usr/bin:/bin" '\(setup)' lint
      """)
    #expect(outcome.status == 69 && outcome.messages.contains(told), "\(outcome)")
    #expect(outcome.messages.contains("https://www.swift.org/install/linux/") || outcome.messages.contains("apt-get"))
  }
}
