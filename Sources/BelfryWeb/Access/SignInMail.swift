import BelfryEngine
import BelfryRuntime
import CivilTime
import FoundationEssentials
import Synchronization
import SystemThreads
import WebAccess

/// Mails people the links by which they sign in. belfryd sends the mails, since this program itself sends no messages.
struct SignInMail: Sendable {
  let people: [Person]
  let setup: WebSetup
  /// The beginning of this server's URLs; `nil` if it is unknown.
  let origin: String?
  let turns: SignInMailTurns
  /// The tables in which all servers of the store note the mails that they sent.
  let access: AccessStore
  let time: any TimeSource
  let log: EventLog

  /// True if a link can be mailed to at least one person.
  var isPossible: Bool { origin != nil && people.contains(where: canReach) }

  /// Sends a link to a person, by name or mail address, if the config has them and none was sent within the last
  /// minute. The sender of the request learns nothing, not even from the time it takes.
  func send(to text: String) {
    let now = time.now
    guard let origin, let person = person(text), canReach(person), turns.take(person.name, at: now) else { return }
    // Joined with `=`, so that no name is read as an option.
    let config = setup.source.map { ["--config=\($0)"] } ?? []
    let words = [setup.daemon, "--send-link=\(person.name)", "--origin=\(origin)"] + config
    let isStarted = SystemThread.start { [log] in
      do {
        let end = now.addingTimeInterval(SignInMailTurns.pause)
        guard try access.spend("mail to \(person.name)", until: end, at: now) else { return }
        let run = try ProgramRun(words)
        guard run.status != 0 else { return log(Event(.info, "a sign-in link was sent to '\(person.name)'")) }
        log(failure(person, run.messages.split(separator: "\n").first.map(String.init) ?? "belfryd said nothing"))
      } catch {
        log(failure(person, "\(error)"))
      }
    }
    if !isStarted { log(failure(person, "cannot create a thread")) }
  }

  // The case of letters counts only between people whose names or addresses differ in nothing else.
  private func person(_ text: String) -> Person? {
    if let person = people.first(where: { $0.name == text }) { return person }
    let found = people.filter { [$0.name.lowercased(), $0.address?.lowercased()].contains(text.lowercased()) }
    return found.count == 1 ? found[0] : nil
  }

  private func canReach(_ person: Person) -> Bool { !person.signInSinks(among: setup.sinks).isEmpty }

  private func failure(_ person: Person, _ reason: String) -> Event {
    Event(.error, "no sign-in link was sent to '\(person.name)': \(reason)")
  }
}

/// The times at which this server mailed links, each person's at most once a minute.
final class SignInMailTurns: Sendable {
  fileprivate static let pause = 60.0
  private let times = Mutex<[String: Date]>([:])

  /// Takes a person's turn; false if the last one is less than a minute ago.
  fileprivate func take(_ person: String, at now: Date) -> Bool {
    times.withLock { times in
      // If the clock was set back, the last time is in the future, and delays no one.
      if let last = times[person], (0..<Self.pause).contains(now.timeIntervalSince(last)) { return false }
      times[person] = now
      return true
    }
  }
}
