extension Answer {
  /// The way by which an answer was given: a command, the web, a link, the API, or a channel that a sink declares.
  public struct Channel: Hashable, Sendable {
    /// The word that stores and JSON use.
    public let name: String
    /// The words that follow "over" on a page.
    public let words: String

    /// A channel.
    ///
    /// - Parameter name: lower-case letters and digits.
    public init(_ name: String, words: String) { (self.name, self.words) = (name, words) }

    /// The channel of a stored answer, whose words are its name until a sink declares others; `nil` for an invalid
    /// name.
    package init?(kept name: String) {
      guard !name.isEmpty, name.utf8.allSatisfy({ (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) }) else {
        return nil
      }
      self.init(name, words: name)
    }

    /// Belfry's own commands.
    public static let cli = Channel("cli", words: "the command line")
    /// The pages for people who have signed in.
    public static let web = Channel("web", words: "the web")
    /// The link of a message.
    public static let link = Channel("link", words: "a link")
    /// The HTTP API of the web face.
    public static let api = Channel("api", words: "the API")
    /// The channels that no sink declares.
    package static let own: [Channel] = [.cli, .web, .link, .api]

    /// True if both have the same name.
    public static func == (one: Channel, other: Channel) -> Bool { one.name == other.name }

    /// Hashes the name, since channels of one name are the same.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The giver of an answer through this channel, in words that follow "by": `link`, or with a known person
    /// `Anna over link`.
    package func giver(_ person: String?) -> String {
      person.map { "\($0.capitalizedFirst) over \(name)" } ?? name
    }

    /// The words of Belfry's own or the declared channel with this name; if there is none, the words of this channel.
    package func words(among declared: [Channel]) -> String {
      (Self.own + declared).first { $0 == self }?.words ?? words
    }
  }
}

/// Codes the channel of an answer by its name.
struct ChannelCodec: FieldCodec {
  var shape: FieldShape { .text }

  func read(_ value: RawValue, _ field: Int, _ reader: RecordReader) throws(FormFault) -> Answer.Channel {
    let text = try reader.sharedText(value, field)
    guard let channel = Answer.Channel(kept: text) else {
      throw reader.fault(field, value, .invalid(text, article: "a", noun: "channel", example: "link"))
    }
    return channel
  }

  func write(_ value: Answer.Channel, _ key: FieldKey, _ output: any RecordOutput) throws {
    try output.write(key, value.name)
  }
}
