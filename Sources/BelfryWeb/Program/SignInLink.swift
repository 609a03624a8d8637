import BelfryEngine
import BelfryModel
import FoundationEssentials
import Glibc
import WebAccess

/// A link by which the person at this machine signs in, as `belfry access link` makes it.
struct SignInLink: Sendable {
  let belfry: Belfry
  let log: EventLog

  /// Makes one for a server at an address.
  ///
  /// - Throws: ``BelfryError`` `.badConfig` if the server's URL is unknown, and the errors of the access tables.
  func make(at address: ListenAddress) throws -> String {
    guard let origin = belfry.settings.web.origin(at: address) else {
      throw BelfryError(
        .badConfig, "the config does not say by which URL browsers reach the web face", hint: "set web.public_url")
    }
    let secret = try AccessStore(of: belfry.store).makeLink(for: Access.Grant(scope: .admin), at: belfry.time.now)
    return "\(origin)/sign-in/\(secret)"
  }

  /// Opens a link in a browser, or prints it if there is none. Some browsers block this call until their window is
  /// closed.
  func open(_ url: String) {
    if let browser = Browser(ProcessInfo.processInfo.environment), browser.open(url) {
      log(Event(.info, "opened a browser to sign in; if none appears, 'belfry access link' prints a link"))
    } else {
      print(url)
      fflush(nil)
    }
  }
}
