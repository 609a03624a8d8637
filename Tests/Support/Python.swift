import Foundation
import OrderedJSON

/// Python, as an independent implementation of zones, calendars, mail, databases and property lists.
package enum Python {
  // The system's zones, as Belfry uses; no compiled files beside the scripts.
  private static let environment = [
    "PYTHONTZPATH": "/usr/share/zoneinfo", "PYTHONIOENCODING": "utf-8", "PYTHONDONTWRITEBYTECODE": "1",
  ]

  /// The output of a program.
  ///
  /// - Throws: ``Program/Failure``.
  package static func run(_ program: String, _ arguments: [String] = [], input: String = "") throws -> String {
    try run(["-c", program] + arguments, input)
  }

  /// The output of a script.
  ///
  /// - Throws: ``Program/Failure``.
  package static func run(script: URL, _ arguments: [String] = []) throws -> String {
    try run([script.path] + arguments, "")
  }

  /// The lines that a program prints for these lines of standard input.
  ///
  /// - Throws: ``Program/Failure``.
  package static func lines(_ program: String, _ input: [String] = []) throws -> [String] {
    let output = try run(program, input: input.joined(separator: "\n"))
    return output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// The JSON value that a program prints; its input is in the variable `given`.
  ///
  /// - Throws: ``Program/Failure``, and errors of decoding.
  package static func answer(_ program: String, _ given: JSONValue) throws -> JSONValue {
    let program = "import sys, json\ngiven = json.load(sys.stdin)\n" + program
    return try JSONValue(parsing: run(program, input: given.serialized()).utf8)
  }

  private static func run(_ arguments: [String], _ input: String) throws -> String {
    let output = try Program.output(["python3"] + arguments, input: Data(input.utf8), environment: environment)
    return String(decoding: output, as: UTF8.self)
  }
}
