import BelfryModel
import BelfryTestKit
import Foundation
import Testing
import Transport

@Suite("Files in PEM")
struct PEMFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func error(_ name: String, _ check: (PEMFile) -> () throws(BelfryError) -> Void) -> BelfryError? {
    do throws(BelfryError) { try check(PEMFile(folder.file(name)))() } catch { return error }
    return nil
  }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file(name)))
  }

  @Test("a missing file, a pipe and a folder are reported without being opened")
  func places() throws {
    #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
    #expect(mkdir(folder.file("folder"), 0o700) == 0)
    for (name, kind) in [("none", BelfryError.Kind.notFound), ("pipe", .badConfig), ("folder", .badConfig)] {
      for found in [error(name, PEMFile.checkPlace), error(name, PEMFile.check)] {
        #expect(
          found?.kind == kind && found?.message.contains(folder.file(name)) == true,
          "\(name): \(String(describing: found))")
      }
    }
  }

  @Test("a file that is not PEM, and a key with a passphrase, are reported by the check of the content")
  func contents() throws {
    let certificate = "# ours\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
    let old = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n"
    for (text, words) in [
      (certificate, nil), ("-----BEGIN PRIVATE KEY-----\n", nil), ("nope\n", "is not PEM"), ("", "is not PEM"),
      ("-----BEGIN ENCRYPTED PRIVATE KEY-----\n", "passphrase"), (old, "passphrase"),
    ] as [(String, String?)] {
      try write(text, to: "file")
      #expect(error("file", PEMFile.checkPlace) == nil)
      let found = error("file", PEMFile.check)
      #expect(
        words.map { found?.message.contains($0) == true } ?? (found == nil), "\(text): \(String(describing: found))")
    }
  }
}
