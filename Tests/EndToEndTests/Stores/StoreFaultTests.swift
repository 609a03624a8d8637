import Foundation
import Testing

/// The kinds of stores on disk.
enum DiskStore: String, CaseIterable, Sendable, CustomStringConvertible {
  case sqlite, json, plist

  var description: String { rawValue }

  /// The path in the sandbox.
  var path: String { "store.\(rawValue)" }

  var config: String { "store: { type: \(rawValue), path: \(path) }" }

  /// The files of the store that a command touches, in the sandbox.
  var places: [String] {
    switch self {
    case .sqlite: [".", path, "\(path)-wal", "\(path)-shm"]
    case .json, .plist: [".", path, "\(path).bak", "\(path).write-lock", ".\(path).new", ".\(path).old"]
    }
  }

  /// The system calls by which a command changes the store.
  var calls: [String] {
    switch self {
    case .sqlite: ["openat", "pwrite64", "fdatasync", "ftruncate", "mmap", "fcntl"]
    case .json, .plist:
      ["openat", "flock", "write", "fsync", "link", "rename", "fchmod", "ftruncate", "pwrite64", "unlink", "pread64"]
    }
  }
}

/// A command run with one failing system call.
struct FaultRun {
  let outcome: Outcome
  /// The traced calls; whether one of them was made to fail.
  let trace: [Substring]

  var isInjected: Bool { trace.contains { $0.contains("(INJECTED)") } || outcome.end == .signalled(SIGKILL) }
}

extension Sandbox {
  /// Runs `belfry add` with the N-th call of a kind on the store's files failing.
  func add(_ text: String, to store: DiskStore, inject call: String, _ fault: String, at number: Int) async throws
    -> FaultRun
  {
    try await belfry(
      ["add", text, "--due", "2096-12-24 09:00", "--json"], on: store, inject: call, fault, at: number)
  }

  /// Runs `belfry` with the N-th call of a kind on the store's files failing.
  func belfry(
    _ arguments: [String], on store: DiskStore, inject call: String, _ fault: String, at number: Int
  ) async throws -> FaultRun {
    let options = RunOptions(prefix: tracing(store, injecting: "\(call):\(fault):when=\(number)"))
    let outcome = try await run([Programs.belfry] + arguments, options)
    return FaultRun(outcome: outcome, trace: trace)
  }

  /// The words before a program that trace its calls on the store's files.
  ///
  /// - Parameters:
  ///   - withAccess: true if the files of the access to the store are among them.
  ///   - fault: makes calls fail, such as `fsync:error=EIO:when=2`.
  func tracing(_ store: DiskStore, withAccess: Bool = false, injecting fault: String? = nil) -> [String] {
    unlink(path("trace"))
    let kinds = withAccess ? Array(Set(store.calls + DiskStore.sqlite.calls)) : store.calls
    let places = store.places + (withAccess ? ["", "-wal", "-shm"].map { "\(store.path).access\($0)" } : [])
    let words = ["/usr/bin/strace", "-f", "-qq", "-y", "-o", path("trace")]
    let calls = ["-e", "trace=\(kinds.joined(separator: ","))"] + (fault.map { ["-e", "inject=\($0)"] } ?? [])
    return words + calls + places.flatMap { ["-P", $0 == "." ? folder : path($0)] }
  }

  /// The traced calls so far, one on each line.
  var trace: [Substring] { text("trace").split(separator: "\n") }

  /// The content of the store, as shown by commands.
  func content() async throws -> [String] {
    let items = try #require(try await json("show", "--all").elements)
    let pending = try #require(try await json("pending").elements).compactMap { $0["text"]?.text }
    #expect(items.compactMap { $0["text"]?.text } == pending, "what is there and what is scheduled differ")
    return pending
  }
}

@Suite("Any system call may fail")
struct StoreFaultTests {
  private static let isDeep = ProcessInfo.processInfo.environment["BELFRY_DEEP"] == "1"

  private static func errors(of call: String) -> [String] {
    if isDeep { return ["ENOSPC", "EIO", "EMFILE", "EACCES", "EROFS", "EDQUOT"] }
    switch call {
    case "openat": return ["EMFILE"]
    case "fsync", "fdatasync", "pread64", "flock", "fcntl": return ["EIO"]
    default: return ["ENOSPC"]
    }
  }

  @Test(
    "the N-th call fails: done and exit 0, or refused by name with nothing changed; a failed sync is not repeated",
    arguments: DiskStore.allCases)
  func failing(store: DiskStore) async throws {
    let box = try Sandbox(config: store.config)
    for text in ["One", "Two"] { try await box.json("add", text, "--due", "2096-12-24 09:00") }
    var known = ["One", "Two"]
    var injected = 0
    for call in store.calls {
      for error in Self.errors(of: call) {
        for number in numbers(call) {
          let text = "\(call) \(error) \(number)"
          let run = try await box.add(text, to: store, inject: call, "error=\(error)", at: number)
          let found = try await box.content()
          #expect(found == known || found == known + [text], "\(text): \(run.outcome)\n\(run.trace)")
          let isKept = found.count > known.count
          check(run, text, isKept: isKept, store)
          known = found
          guard run.isInjected else { break }
          injected += 1
        }
      }
    }
    #expect(injected >= 12, "\(injected) faults were met")
    #expect(try await box.belfry("store", "check").isDone)
    #expect(box.files().filter { $0.hasPrefix(".") } == [], "litter is left")
  }

  // SQLite makes dozens of these, most of them alike.
  private func numbers(_ call: String) -> [Int] {
    call == "fcntl" && !Self.isDeep ? [1, 2, 3, 5, 8, 10, 13, 20, 24, 25, 27, 29, 31, 32, 100] : Array(1...200)
  }

  private func check(_ run: FaultRun, _ text: String, isKept: Bool, _ store: DiskStore) {
    guard run.outcome.status != 0 else { return #expect(isKept, "\(text): confirmed and lost: \(run.outcome)") }
    #expect([73, 74, 75, 77].contains(run.outcome.status), "\(text): \(run.outcome)")
    #expect(run.outcome.messages.contains(store.path), "\(text): \(run.outcome)")
    #expect(!isKept, "\(text): refused and kept: \(run.outcome)\n\(run.trace.joined(separator: "\n"))")
    guard let failed = run.trace.firstIndex(where: { $0.contains("sync(") && $0.contains("INJECTED") }) else { return }
    let file = run.trace[failed].firstMatch(of: /<([^>]*)>/)?.1
    let later = run.trace[run.trace.index(after: failed)...].filter { $0.contains("sync(") }
    #expect(!later.contains { $0.firstMatch(of: /<([^>]*)>/)?.1 == file }, "\(text): a failed sync was repeated")
  }

  @Test("a change that fails leaves the one before to be taken back", arguments: [DiskStore.json, .plist])
  func undoAfterFailure(store: DiskStore) async throws {
    var failures = 0
    for call in ["fsync", "rename", "write"] {
      for number in 1...9 {
        let box = try Sandbox(config: store.config)
        for text in ["One", "Two"] { try await box.json("add", text, "--due", "2096-12-24 09:00") }
        #expect(try await box.belfry("delete", "1").isDone)
        let run = try await box.add("Three", to: store, inject: call, "error=EIO", at: number)
        guard run.isInjected else { break }
        guard run.outcome.status != 0 else { continue }
        failures += 1
        let undone = try await box.belfry("undo")
        #expect(undone.isDone, "\(call) \(number): \(undone)")
        #expect(try await box.content() == ["One", "Two"])
        #expect(box.files().filter { $0.hasPrefix(".") } == [], "litter is left")
      }
    }
    #expect(failures >= 5, "\(failures) changes failed")
  }

  @Test(
    "killed at the N-th call: what was confirmed is there, nothing is half there, the next command works",
    arguments: DiskStore.allCases)
  func killed(store: DiskStore) async throws {
    let box = try Sandbox(config: store.config)
    for text in ["One", "Two"] { try await box.json("add", text, "--due", "2096-12-24 09:00") }
    var known = ["One", "Two"]
    var kills = 0
    for call in store.calls {
      for number in numbers(call) {
        let text = "\(call) \(number)"
        let run = try await box.add(text, to: store, inject: call, "signal=KILL", at: number)
        let found = try await box.content()
        #expect(found == known || found == known + [text], "\(text): \(run.outcome)\n\(run.trace)")
        if run.outcome.isDone { #expect(found.last == text, "\(text): confirmed and lost") }
        known = found
        guard run.outcome.end == .signalled(SIGKILL) else { break }
        kills += 1
        if number % 4 == 1 {
          try await box.json("add", "after \(text)", "--due", "2096-12-24 09:00")
          known.append("after \(text)")
        }
      }
    }
    #expect(kills >= 12, "\(kills) kills")
    try await box.json("add", "Last", "--due", "2096-12-24 09:00")
    #expect(try await box.content() == known + ["Last"])
    #expect(try await box.belfry("store", "check").isDone)
    #expect(box.files().filter { $0.hasPrefix(".") } == [], "litter is left")
  }

  @Test("killed at the N-th call while the store is made: a whole one or none", arguments: [DiskStore.json, .plist])
  func killedAtFirst(store: DiskStore) async throws {
    for call in ["openat", "write", "fsync", "rename", "ftruncate", "pwrite64"] {
      for number in 1...9 {
        let box = try Sandbox(config: store.config)
        let run = try await box.add("One", to: store, inject: call, "signal=KILL", at: number)
        let found = try await box.content()
        #expect(found == ["One"] || (found == [] && !run.outcome.isDone), "\(call) \(number): \(run.outcome)")
        try await box.json("add", "Next", "--due", "2096-12-24 09:00")
        #expect(try await box.content() == found + ["Next"])
        #expect(box.files().filter { $0.hasPrefix(".") } == [], "litter is left")
        guard run.outcome.end == .signalled(SIGKILL) else { break }
      }
    }
  }
}
