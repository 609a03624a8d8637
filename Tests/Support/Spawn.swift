import BelfryModel
import Foundation

/// Starts programs, with the environment of the test's process.
enum Spawn {
  /// The descriptors of a program that are not those of the test's process.
  struct Streams: ~Copyable {
    fileprivate var actions = posix_spawn_file_actions_t()

    init() { posix_spawn_file_actions_init(&actions) }

    deinit {
      var actions = actions
      posix_spawn_file_actions_destroy(&actions)
    }

    mutating func open(_ descriptor: Int32, _ path: String, _ flags: Int32) {
      posix_spawn_file_actions_addopen(&actions, descriptor, path, flags, 0o600)
    }

    mutating func duplicate(_ descriptor: Int32, as other: Int32) {
      posix_spawn_file_actions_adddup2(&actions, descriptor, other)
    }
  }

  /// Starts a program in a process group of its own.
  ///
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  static func start(_ words: [String], _ streams: consuming Streams) throws -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var pid = pid_t()
    let code = posix_spawn(&pid, words[0], &streams.actions, &attributes, &arguments, environ)
    guard code == 0 else {
      throw BelfryError(.cannotCreate, "cannot start \(words): \(String(cString: strerror(code)))")
    }
    return pid
  }
}
