import CDesktopBus

/// A message of D-Bus: a call whose arguments are appended, or a received one, whose values are read in their order.
final class BusMessage {
  let raw: OpaquePointer
  /// The error code of the first value that could not be appended.
  private(set) var fault: Int32?

  init(_ raw: OpaquePointer) { self.raw = raw }

  deinit { belfry_bus_release(raw) }

  /// The unique name of the sender.
  var sender: String? { belfry_bus_sender(raw).map { String(cString: $0) } }

  /// True if it is this signal; without a member, any of the interface.
  func isSignal(_ interface: String, _ member: String? = nil) -> Bool {
    belfry_bus_is_signal(raw, interface, member) != 0
  }
}

// MARK: Arguments

extension BusMessage {
  /// A value of a hint or option.
  enum Value {
    case text(String)
    case byte(UInt8)
    case flag(Bool)
  }

  /// Appends a string (type s).
  func append(_ text: String) { note(belfry_bus_put_text(raw, text)) }

  /// Appends an unsigned number (type u).
  func append(_ number: UInt32) { note(belfry_bus_put_number(raw, number)) }

  /// Appends a signed number (type i).
  func append(_ number: Int32) { note(belfry_bus_put_integer(raw, number)) }

  /// Appends an array of strings (type as).
  func append(_ texts: [String]) {
    container("a", of: "s") { for text in texts { append(text) } }
  }

  /// Appends named values (type a{sv}).
  func append(_ values: KeyValuePairs<String, Value?>) {
    container("a", of: "{sv}") {
      for case (let name, let value?) in values {
        container("e", of: "sv") {
          append(name)
          append(value)
        }
      }
    }
  }

  private func append(_ value: Value) {
    switch value {
    case .text(let text): container("v", of: "s") { append(text) }
    case .byte(let byte): container("v", of: "y") { note(belfry_bus_put_byte(raw, byte)) }
    case .flag(let flag): container("v", of: "b") { note(belfry_bus_put_flag(raw, flag ? 1 : 0)) }
    }
  }

  private func container(_ type: Unicode.Scalar, of contents: String, _ body: () -> Void) {
    note(belfry_bus_open_container(raw, CChar(truncatingIfNeeded: type.value), contents))
    body()
    note(belfry_bus_close_container(raw))
  }

  private func note(_ code: Int32) { if code < 0, fault == nil { fault = -code } }
}

// MARK: Values

extension BusMessage {
  /// Reads a string; `nil` if there is none.
  func text() -> String? {
    var text: UnsafePointer<CChar>?
    guard belfry_bus_get_text(raw, &text) > 0 else { return nil }
    return text.map { String(cString: $0) }
  }

  /// Reads an unsigned number; `nil` if there is none.
  func number() -> UInt32? {
    var number: UInt32 = 0
    return belfry_bus_get_number(raw, &number) > 0 ? number : nil
  }

  /// Reads an array of strings; empty if there is none.
  func texts() -> [String] {
    guard enter("a", of: "s") else { return [] }
    var texts: [String] = []
    while let text = text() { texts.append(text) }
    return texts
  }

  /// Reads a variant with a flag; `nil` if there is none.
  func flag() -> Bool? {
    var flag: Int32 = 0
    guard enter("v", of: "b"), belfry_bus_get_flag(raw, &flag) > 0 else { return nil }
    return flag != 0
  }

  private func enter(_ type: Unicode.Scalar, of contents: String) -> Bool {
    belfry_bus_enter_container(raw, CChar(truncatingIfNeeded: type.value), contents) > 0
  }
}
