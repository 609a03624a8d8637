import Foundation
import TestSupport

/// The Python programs in the folder Oracle, which need the module dateutil.
enum Oracle {
  /// Runs a program with its standard output in a file.
  static func run(_ name: String, _ arguments: [String], output: String) throws {
    let text = try Python.run(script: Checkout.file("Tests/YearTests/Oracle/\(name)"), arguments)
    try text.write(toFile: output, atomically: false, encoding: .utf8)
  }
}
