import BelfryModel
import CivilTime
import OrderedJSON

/// The result of one check of `belfry doctor`, in one line.
struct Finding {
  enum State: Equatable {
    case ok
    /// Belfry works, but perhaps not as intended.
    case warning
    /// Something does not work; the kind says who must act.
    case fail(BelfryError.Kind)

    var word: String {
      switch self {
      case .ok: "ok"
      case .warning: "warning"
      case .fail: "fail"
      }
    }
  }

  /// The name of the check.
  let check: String
  let state: State
  let message: String
  /// The recommended action; `nil` if none is needed.
  let advice: String?

  static func ok(_ check: String, _ message: String) -> Finding {
    Finding(check: check, state: .ok, message: message, advice: nil)
  }

  static func warning(_ check: String, _ message: String, advice: String?) -> Finding {
    Finding(check: check, state: .warning, message: message, advice: advice)
  }

  static func fail(_ check: String, _ kind: BelfryError.Kind, _ message: String, advice: String?) -> Finding {
    Finding(check: check, state: .fail(kind), message: message, advice: advice)
  }

  static func fail(_ check: String, _ error: any Error) -> Finding {
    guard let error = error as? BelfryError else { return fail(check, .internalError, "\(error)", advice: nil) }
    return fail(check, error.kind, error.message, advice: error.hint)
  }

  /// The finding as `--json` shows it.
  var json: JSONValue {
    [
      "check": .string(check), "state": .string(state.word), "message": .string(message),
      "advice": advice.map { .string($0) } ?? .null,
    ]
  }

  /// The finding as a person reads it.
  func line(_ style: Style) -> String {
    let word = state.word.padded(to: 8)
    let dressed =
      switch state {
      case .ok: style.green(word)
      case .warning: style.yellow(word)
      case .fail: style.red(word)
      }
    let name = check.padded(to: 10)
    let text = advice.map { "\(message); \($0)" } ?? message
    return "\(dressed) \(name) \(text.visibleLine)"
  }
}
