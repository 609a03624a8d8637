import BelfryEngine
import BelfryModel
import BelfryRuntime
import CivilTime
import ConfigKeys
import CurlTransport
import MustacheTemplates
import Transport
import WebAccess

/// Sends the mail with a sign-in link for belfry-web, since only this program has network access.
struct SignInLinkCommand {
  let config: String?

  /// Makes a link for a person, and sends it to their address through the first of their sinks that accepts it.
  ///
  /// - Parameter origin: the beginning of the web face's URLs.
  /// - Throws: ``BelfryError`` `.notFound` for a person whom no link can reach, `.refused` if no sink accepted it.
  func send(to name: String, origin: String) throws {
    let transport = CurlTransport()
    let assembly = try Assembly(
      .file(config), time: SystemTimeSource(), transports: Transports(http: transport, mail: transport),
      templates: MustacheLanguage())
    let belfry = assembly.belfry
    guard let person = belfry.settings.person(name), let address = person.address else {
      throw BelfryError(
        .notFound, "the config has no person '\(name)' with an address", hint: "give them an 'address' under 'people'")
    }
    let sinks = person.signInSinks(among: assembly.sinks)
    guard !sinks.isEmpty else {
      throw BelfryError(
        .notFound, "'\(name)' has no sink of type 'email'", hint: "add one to their 'sinks' in the config")
    }
    let now = belfry.time.now
    let secret = try AccessStore(of: belfry.store).makeLink(for: .person(name), at: now)
    let letter = SignInLetter(
      person: name, address: address, link: Secret("\(origin)/sign-in/\(secret)"), madeAt: now)
    let reasons = try Waker.wait { _ in
      var reasons: [String] = []
      for (name, sink) in sinks {
        guard let reason = await sink.deliver(letter).reason else { return [String]() }
        reasons.append("\(name) (\(address)): \(reason)")
      }
      return reasons
    }
    guard reasons.isEmpty else { throw BelfryError(.refused, reasons.joined(separator: "; ")) }
  }
}
