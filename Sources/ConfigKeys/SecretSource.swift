import BelfryModel
import CivilTime
import FoundationEssentials
import Glibc
import SystemFiles

/// The place of a secret. Files and credentials are read at each use, so that a new secret takes effect at once.
public struct SecretSource: Hashable, Sendable {
  enum Place: Hashable, Sendable {
    /// The config itself.
    case config(Secret)
    /// A file of its own.
    case file(String)
    /// An environment variable, with its value if it is set.
    case variable(String, Secret?)
    /// A file in the credentials folder of the service manager, if it provides one.
    case credential(String, folder: String?)
  }

  /// The largest file, in bytes.
  static let maximumBytes = 65_536

  let key: String
  let place: Place
  /// The position of the value in the config.
  let position: SourcePosition
  let check: @Sendable (Secret) throws(ConfigProblem) -> Void

  init(
    key: String, place: Place, at position: SourcePosition = .start,
    check: @escaping @Sendable (Secret) throws(ConfigProblem) -> Void = { _ in }
  ) {
    self.key = key
    self.place = place
    self.position = position
    self.check = check
  }

  /// The source of a secret that is known already.
  package init(_ secret: Secret) { self.init(key: "secret", place: .config(secret)) }

  /// True if the secret is in the config itself, and so never changes.
  public var isFixed: Bool {
    if case .config = place { true } else { false }
  }

  /// The secret's file, if it is one that the user named.
  public var file: String? {
    if case .file(let path) = place { path } else { nil }
  }

  /// True if the secret is in the environment of the process, which another process may not have.
  public var isInEnvironment: Bool {
    switch place {
    case .config, .file: false
    case .variable, .credential: true
    }
  }

  /// The warning that the secret is missing where it is looked for, or cannot be used; `nil` if it can.
  package var warning: ConfigDiagnostic? {
    do throws(BelfryError) {
      _ = try read()
      return nil
    } catch {
      let elsewhere = isInEnvironment ? "; the daemon's environment may have it" : ""
      return ConfigDiagnostic(.warning, at: position, error.message + elsewhere)
    }
  }

  /// Reads the secret.
  ///
  /// - Throws: ``BelfryError`` `.noPermission`, `.notFound` or `.badConfig`, naming the key and the file or variable
  ///   but never the content.
  public func read() throws(BelfryError) -> Secret {
    let secret: Secret
    switch place {
    case .config(let given): return given
    case .file(let path): secret = try secretInFile(path)
    case .variable(let name, let value):
      guard let value else {
        throw failure(.notFound, "is not set", hint: "set it where the program is started")
      }
      secret = try checked(value.revealed, hint: "set \(name) to one line of text")
    case .credential(let name, let folder):
      guard let folder else {
        throw failure(
          .notFound, "is not there: $CREDENTIALS_DIRECTORY is not set",
          hint: "give the service LoadCredential=\(name):FILE")
      }
      secret = try secretInFile("\(folder)/\(name)")
    }
    do throws(ConfigProblem) {
      try check(secret)
    } catch {
      throw failure(.badConfig, "cannot be used: \(error.message)")
    }
    return secret
  }

  /// The secret's name in messages: its key and place.
  private var subject: String {
    switch place {
    case .config: "'\(key)'"
    case .file(let path): "'\(key)': the file \(inQuotes(path))"
    case .variable(let name, _): "'\(key)': the environment variable \(inQuotes(name))"
    case .credential(let name, _): "'\(key)': the credential \(inQuotes(name))"
    }
  }

  private func failure(_ kind: BelfryError.Kind, _ what: String, hint: String? = nil) -> BelfryError {
    BelfryError(kind, "\(subject) \(what)", hint: hint)
  }

  private func checked(_ text: String, hint: String) throws(BelfryError) -> Secret {
    do throws(ConfigProblem) {
      return try Secret(checking: text)
    } catch {
      throw failure(.badConfig, "cannot be used: \(error.message)", hint: hint)
    }
  }

  private func secretInFile(_ path: String) throws(BelfryError) -> Secret {
    // Non-blocking, so that a pipe in place of the file cannot block a delivery.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw failure(.badConfig, "is not a regular file") }
    let bytes: [UInt8]
    do throws(SystemCallFailure) {
      bytes = try OpenFile.read(descriptor, upTo: Self.maximumBytes + 1)
    } catch {
      throw unreadable(error.code)
    }
    guard bytes.count <= Self.maximumBytes else { throw failure(.badConfig, "is too long for a secret") }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw failure(.badConfig, "is not UTF-8")
    }
    return try checked(text, hint: "write one line into it")
  }

  private func unreadable(_ code: Int32) -> BelfryError {
    let kind: BelfryError.Kind = code == EACCES || code == EPERM ? .noPermission : .notFound
    return failure(kind, "cannot be read: \(String(cString: strerror(code)))")
  }
}

extension SecretSource: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The place of the secret, never the secret itself.
  public var description: String { subject }
  /// The place of the secret, never the secret itself.
  public var debugDescription: String { subject }
  /// A mirror without children, so that a dump shows nothing.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }

  /// True if both have the same key and place.
  public static func == (one: SecretSource, other: SecretSource) -> Bool {
    one.key == other.key && one.place == other.place
  }

  /// Hashes the key and place.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(place)
  }
}
