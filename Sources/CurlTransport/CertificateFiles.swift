import BelfryModel
import Transport

extension TransferOptions {
  private var files: [PEMFile] { [caFile, clientCertificate, clientKey].compactMap { $0.map { PEMFile($0) } } }

  /// Checks that libcurl can open the files without blocking.
  ///
  /// - Throws: ``TransferFailure`` `.untrusted`.
  func check() throws(TransferFailure) {
    guard caFile != nil || clientCertificate != nil || clientKey != nil else { return }
    for file in files {
      do throws(BelfryError) { try file.checkPlace() } catch { throw TransferFailure(.untrusted, error.message) }
    }
  }

  /// Runs a transfer. Its failure includes the fault of a file that may be the cause.
  func explaining<Work: Sendable, Answer: Sendable>(
    _ run: (Work) async throws(TransferFailure) -> Answer, _ work: Work
  ) async throws(TransferFailure) -> Answer {
    do throws(TransferFailure) { return try await run(work) } catch {
      guard error.kind == .untrusted else { throw error }
      for file in files {
        do throws(BelfryError) { try file.check() } catch let fault {
          throw TransferFailure(.untrusted, "\(error.reason): \(fault.message)")
        }
      }
      throw error
    }
  }
}
