import Foundation

/// A clock that runs faster than the machine's from a moment on, the same for all programs that are started by it.
struct QuickClock {
  let speed: Int
  private let start = Date()

  init(speed: Int) { self.speed = speed }

  /// The setting for a program that starts now, as in `RunOptions`.
  var setting: String {
    let ahead = Date().timeIntervalSince(start) * Double(speed - 1)
    return "+\(Int(ahead)) x\(speed)"
  }
}
