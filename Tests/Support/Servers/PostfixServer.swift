import BelfryModel
import BelfryTestKit
import Foundation

/// A complete Postfix that delivers mail for `example.org` into a folder; only root can start it.
package final class PostfixServer: Sendable {
  /// The URL, such as `smtp://127.0.0.1:2525`.
  package let url: String
  private let process: ServerProcess

  /// Starts Postfix and waits until it listens.
  ///
  /// - Throws: ``BelfryError`` `.cannotCreate`, and ``Program/Failure``.
  package init() throws {
    (process, url) = try ServerProcess.onFreePort { port in
      let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
      try Self.prepare(folder, port)
      // Not detached, so that it ends with its process group.
      let process = try ServerProcess("/usr/lib/postfix/sbin/master", ["-c", folder.file("etc"), "-d"], in: folder)
      try process.waitUntilListening(on: port)
      return (process, "smtp://127.0.0.1:\(port)")
    }
  }

  /// The delivered mails, in no order.
  ///
  /// - Throws: errors of reading the folder.
  package func mails() throws -> [String] {
    let folder = process.folder.file("mail/inbox/new")
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder).map { "\(folder)/\($0)" }
  }

  package var log: String { process.text("postfix.log") + process.log }

  package func stop() { process.stop() }

  private static func prepare(_ folder: TemporaryFolder, _ port: Int) throws {
    guard let user = getpwnam("postfix")?.pointee else { throw BelfryError(.cannotCreate, "there is no user postfix") }
    for name in ["etc", "spool", "data", "mail"] {
      try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: false)
    }
    // Postfix's processes drop root, and must still reach this folder.
    guard chmod(folder.path, 0o755) == 0 else { throw BelfryError(.cannotCreate, "no permission for \(folder.path)") }
    for name in ["data", "mail"] where chown(folder.file(name), user.pw_uid, user.pw_gid) != 0 {
      throw BelfryError(.cannotCreate, "no permission for \(folder.file(name))")
    }
    // On a busy machine a mail may arrive minutes after the start, so no process may end because it is idle.
    let main = """
      compatibility_level = 3.6
      max_idle = 3600s
      queue_directory = \(folder.file("spool"))
      data_directory = \(folder.file("data"))
      maillog_file = \(folder.file("postfix.log"))
      maillog_file_prefixes = \(folder.path)
      mail_owner = postfix
      myhostname = belfry.test
      mydestination =
      inet_interfaces = 127.0.0.1
      inet_protocols = ipv4
      mynetworks = 127.0.0.0/8
      smtpd_relay_restrictions = permit_mynetworks, reject
      virtual_mailbox_domains = example.org
      virtual_mailbox_base = \(folder.file("mail"))
      virtual_mailbox_maps = static:inbox/
      virtual_uid_maps = static:\(user.pw_uid)
      virtual_gid_maps = static:\(user.pw_gid)
      virtual_minimum_uid = 1
      alias_maps =

      """
    let services = [
      "127.0.0.1:\(port) inet n - n - - smtpd", "cleanup unix n - n - 0 cleanup", "qmgr unix n - n 300 1 qmgr",
      "rewrite unix - - n - - trivial-rewrite", "bounce unix - - n - 0 bounce", "defer unix - - n - 0 bounce",
      "trace unix - - n - 0 bounce", "error unix - - n - - error", "retry unix - - n - - error",
      "virtual unix - n n - - virtual", "anvil unix - - n - 1 anvil", "proxymap unix - - n - - proxymap",
      "postlog unix-dgram n - n - 1 postlogd",
    ]
    try Data(main.utf8).write(to: URL(fileURLWithPath: folder.file("etc/main.cf")))
    try Data((services.joined(separator: "\n") + "\n").utf8).write(
      to: URL(fileURLWithPath: folder.file("etc/master.cf")))
    try Program.run(["/usr/sbin/postfix", "-c", folder.file("etc"), "check"], errors: "/dev/null")
  }
}
