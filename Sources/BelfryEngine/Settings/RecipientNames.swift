import CivilTime
import FoundationEssentials

/// A sink to which a name of the config leads.
public struct NamedRecipient: Hashable, Sendable {
  /// The name of the sink, which is enabled.
  public let sink: String
  /// The person who gets the message; `nil` for no one in particular.
  public let person: Person?
  /// The person's address at the sink; `nil` for the sink's own recipients, if it has any.
  public let address: String?

  package init(sink: String, person: Person? = nil, address: String? = nil) {
    self.sink = sink
    self.person = person
    self.address = address
  }
}

/// Resolves the names of people and sinks that routes and escalations give.
public struct RecipientNames: Sendable {
  private let people: [String: Person]
  /// The one person whom a sink reaches, by the sink's name.
  private let owners: [String: Person]
  private let enabled: Set<String>
  private let addressable: Set<String>
  /// The names of the sinks that distribute a person's messages themselves.
  private var personal: Set<String> = []

  /// Collects the names that the settings define.
  ///
  /// - Parameters:
  ///   - enabled: the names of the enabled sinks; others are left out.
  ///   - addressable: the names of the sinks that deliver to an address.
  public init(_ settings: Settings, enabled: some Sequence<String>, addressable: some Sequence<String>) {
    people = Dictionary(settings.people.map { ($0.name, $0) }) { first, _ in first }
    owners = settings.peopleBySink
    self.enabled = Set(enabled)
    self.addressable = Set(addressable)
  }

  /// Collects the names that the settings define, for the enabled sinks.
  package init(_ settings: Settings, sinks: [ActiveSink]) {
    self.init(
      settings, enabled: sinks.map(\.name),
      addressable: sinks.filter(\.sink.takesAddresses).map(\.name))
    personal = Set(sinks.filter(\.sink.isSubscribed).map(\.name))
  }

  /// The recipients of a message to these names at an instant, in the order of the names.
  ///
  /// A person who is away is left out. A sink that delivers to addresses gets the address of a person who has one. Each
  /// sink is listed once for each person, however often it is named.
  ///
  /// - Parameter zone: the zone of floating items.
  public func recipients(of names: [String], at instant: Date, in zone: Zone) -> [NamedRecipient] {
    var known: Set<[String]> = []
    return names.flatMap { recipients(of: $0, at: instant, in: zone) }
      .filter { known.insert([$0.sink, $0.person?.name ?? ""]).inserted }
  }

  /// The people among these names who are away at an instant.
  ///
  /// - Parameter zone: the zone of floating items.
  public func absentees(among names: [String], at instant: Date, in zone: Zone) -> [Person] {
    names.compactMap { people[$0] }.filter { $0.isAway(at: instant, in: zone) }
  }

  private func recipients(of name: String, at instant: Date, in zone: Zone) -> [NamedRecipient] {
    guard let person = people[name] else { return recipients(of: [name], through: nil) }
    return person.isAway(at: instant, in: zone) ? [] : recipients(of: person.sinks, through: person)
  }

  private func recipients(of sinks: [String], through person: Person?) -> [NamedRecipient] {
    sinks.filter(enabled.contains).map { sink in
      if let person, let address = person.address, addressable.contains(sink) {
        NamedRecipient(sink: sink, person: person, address: address)
      } else {
        NamedRecipient(sink: sink, person: personal.contains(sink) ? person ?? owners[sink] : owners[sink])
      }
    }
  }
}
