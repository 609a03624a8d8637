import Foundation

/// What the user asked for.
struct Options {
  /// Measured rounds of every command.
  var rounds = 30
  /// Single rings, one a minute.
  var rings = 5
  /// How many items ring at once, one number a minute.
  var crowds = [1_000, 10_000]
  /// Whether what takes minutes to prepare is left out.
  var isQuick: Bool
  /// The folder with `belfry` and `belfryd`.
  var programs: String
  /// The file whose table is replaced.
  var readme: String?
  /// The file for every single number.
  var json: String?

  /// The answer to `--help`.
  static let usage = """
    usage: belfry-bench [--bin FOLDER] [--rounds N] [--rings N] [--quick] [--readme FILE] [--json FILE]

      --bin FOLDER    where belfry and belfryd are; default: beside belfry-bench
      --rounds N      measured rounds of every command; default 30
      --rings N       single rings to measure, one a minute of real time; default 5
      --quick         5 rounds, 1 ring, and 1,000 due at once instead of 10,000 too
      --readme FILE   replace the table between \(ReadmeSection.begin) and \(ReadmeSection.end)
      --json FILE     write every single number

    The data lies in a throw-away folder in $TMPDIR, or /var/tmp, which should be on a real disk.
    """

  /// The options of a command line, nil where it asks for help.
  ///
  /// - Throws: ``BenchmarkError`` with the usage.
  init?(_ arguments: [String]) throws {
    programs = try Self.ownFolder()
    var rest = arguments[...]
    func value(of option: String) throws -> String {
      guard let value = rest.popFirst() else { throw BenchmarkError.usage("\(option) needs a value") }
      return value
    }
    func count(of option: String) throws -> Int {
      let text = try value(of: option)
      guard let number = Int(text), 1...10_000 ~= number else {
        throw BenchmarkError.usage("\(option) takes a whole number from 1 to 10000, not '\(text)'")
      }
      return number
    }
    isQuick = arguments.contains("--quick")
    while let option = rest.popFirst() {
      switch option {
      case "--bin": programs = try value(of: option)
      case "--rounds": rounds = try count(of: option)
      case "--rings": rings = try count(of: option)
      case "--quick": (rounds, rings, crowds) = (5, 1, [1_000])
      case "--readme": readme = try value(of: option)
      case "--json": json = try value(of: option)
      case "--help", "-h": return nil
      default: throw BenchmarkError.usage("'\(option)' is not known")
      }
    }
  }

  private static func ownFolder() throws -> String {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: own).deletingLastPathComponent().path
  }
}
