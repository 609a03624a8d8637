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
  /// - Throws: ``BelfryError`` `.badConfig` where nobody can know its URL, and as the tables of who may use it.
  func make(at address: ListenAddress) throws -> String {
    guard let origin = belfry.settings.web.origin(at: address) else {
      throw BelfryError(
        .badConfig, "the config does not say by which URL browsers reach the web face", hint: "set web.public_url")
    }
    let secret = try AccessStore(of: belfry.store).makeLink(for: Access.Grant(scope: .admin), at: belfry.time.now)
    return "\(origin)/sign-in/\(secret)"
  }

  /// Opens a link in a browser where there is one, and prints it otherwise; some browsers hold this up until their
  /// window is closed.
  func open(_ url: String) {
    if let browser = Browser(ProcessInfo.processInfo.environment), browser.open(url) {
      log(Event(.info, "opened a browser to sign in; where none comes up, 'belfry access link' prints a link"))
    } else {
      print(url)
      fflush(nil)
    }
  }
}
