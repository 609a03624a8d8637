import CLinuxEvents
import ConfigKeys
import FoundationEssentials
import Glibc
import SystemFiles

/// Reads config files from disk.
enum ConfigFile {
  /// True if there is anything at a path.
  ///
  /// A path that may not be examined counts as existing, since a user's config must not be ignored silently.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 || (errno != ENOENT && errno != ENOTDIR)
  }

  /// The bytes of a file or pipe, up to a limit; if there are more, one byte more than the limit.
  ///
  /// - Throws: ``ConfigurationError`` if it cannot be read.
  static func read(_ path: String, limit: Int) throws(ConfigurationError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path, code: errno) }
    defer { close(descriptor) }
    return try read(descriptor: descriptor, name: path, limit: limit)
  }

  /// The bytes of an open file, called `name` in messages, as ``read(_:limit:)``.
  static func read(descriptor: Int32, name: String, limit: Int) throws(ConfigurationError) -> [UInt8] {
    do throws(SystemCallFailure) {
      return try OpenFile.read(descriptor, upTo: limit + 1)
    } catch {
      throw failure(name, code: error.code)
    }
  }

  static func failure(_ path: String, code: Int32) -> ConfigurationError {
    let reason = String(cString: strerror(code)).lowercased()
    return switch code {
    case ENOENT, ENOTDIR, EISDIR, ENAMETOOLONG, ELOOP: .noSuchFile(path: path, reason: reason)
    case EACCES, EPERM: .permissionDenied(path: path)
    default: .unreadable(path: path, reason: reason)
    }
  }
}

extension ConfigEnvironment {
  /// The environment of this process, with the home folder from the user database if `$HOME` names none.
  package static func ofProcess() -> ConfigEnvironment {
    let variables = variablesOfProcess()
    let named = variables["HOME"].map { $0.hasPrefix("/") } ?? false
    return ConfigEnvironment(
      variables: variables, home: named ? nil : homeOfUser(),
      workingDirectory: FileManager.default.currentDirectoryPath)
  }

  // Foundation's own function takes 25,000 instructions a variable, at each start of a command.
  private static func variablesOfProcess() -> [String: String] {
    var variables: [String: String] = [:]
    guard var entry = belfry_environment() else { return variables }
    while let start = entry.pointee {
      if let sign = strchr(start, Int32(UInt8(ascii: "="))) {
        let name = UnsafeRawBufferPointer(start: start, count: sign - start)
        variables[String(decoding: name, as: UTF8.self)] = String(cString: sign + 1)
      }
      entry += 1
    }
    return variables
  }

  private static func homeOfUser() -> String? {
    guard let entry = getpwuid(geteuid()), let folder = entry.pointee.pw_dir else { return nil }
    return String(cString: folder)
  }
}
