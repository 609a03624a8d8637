import FoundationEssentials
import Glibc

/// Standard input, output and error.
package enum StandardDescriptors {
  /// Opens the descriptors that were closed before the program started, so that no opened file gets their numbers.
  ///
  /// Otherwise a message could be written into a store that became standard error. The replacements can be neither read
  /// nor written, so that a closed standard output still fails, and no reminder counts as printed.
  package static func reserveClosed() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
      let mode = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY
      guard open("/dev/null", mode) >= 0 else { return }
    }
  }
}
