import BelfryCore

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

  /// The failure, with the fault of a file that may be its cause.
  func explained(_ failure: TransferFailure) -> TransferFailure {
    guard failure.kind == .untrusted else { return failure }
    for file in files {
      do throws(BelfryError) { try file.check() } catch {
        return TransferFailure(.untrusted, "\(failure.reason): \(error.message)")
      }
    }
    return failure
  }
}
