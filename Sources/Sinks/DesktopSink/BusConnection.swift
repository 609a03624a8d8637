import CDesktopBus
import Glibc

/// A connection to a bus of D-Bus. One thread at a time uses it.
final class BusConnection {
  /// The bus's own name and path.
  static let bus = BusObject(name: "org.freedesktop.DBus", path: "/org/freedesktop/DBus")
  /// The most microseconds that connecting may take.
  private static let openLimit: UInt64 = 5_000_000
  /// The most microseconds of a call: a notification server may have to be started by it.
  private static let callLimit: UInt64 = 10_000_000

  /// The identity of the bus, another one after each of its starts.
  let identity: String
  private let raw: OpaquePointer

  /// Connects to the bus at an address.
  init(to address: String) throws(BusFailure) {
    if let reason = belfry_bus_load() { throw .noLibrary(String(cString: reason)) }
    var opened: OpaquePointer?
    let code = belfry_bus_open(address, Self.openLimit, &opened)
    guard let opened else { throw .unreachable(address: address, code: -code) }
    raw = opened
    var text = [CChar](repeating: 0, count: 33)
    let isKnown = belfry_bus_identity(raw, &text) >= 0
    identity = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard isKnown else { throw .ended }
  }

  deinit { belfry_bus_close(raw) }

  /// Readable when a message arrives; belongs to the connection.
  var descriptor: Int32 { belfry_bus_descriptor(raw) }

  /// Calls a method and waits for the reply.
  ///
  /// - Parameter arguments: appends the method's arguments.
  func call(
    _ object: BusObject, _ interface: String, _ member: String, _ arguments: (BusMessage) -> Void = { _ in }
  ) throws(BusFailure) -> BusMessage {
    var made: OpaquePointer?
    let code = belfry_bus_new_call(raw, object.name, object.path, interface, member, &made)
    guard let made else { throw BusFailure(code: -code, words: "") }
    let call = BusMessage(made)
    arguments(call)
    if let fault = call.fault {
      throw .refused("the bus cannot carry the message: \(String(cString: strerror(fault)))")
    }
    var reply: OpaquePointer?
    var words = [CChar](repeating: 0, count: 512)
    let result = belfry_bus_call(raw, call.raw, Self.callLimit, &reply, &words, words.count)
    guard let reply else {
      let bytes = words.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
      throw BusFailure(code: -result, words: String(decoding: bytes, as: UTF8.self))
    }
    return BusMessage(reply)
  }

  /// The next message that has arrived; `nil` if there is none. Never waits.
  func receive() throws(BusFailure) -> BusMessage? {
    var message: OpaquePointer?
    let code = belfry_bus_receive(raw, &message)
    guard code >= 0 else { throw .ended }
    return message.map(BusMessage.init)
  }

  /// Has the bus send all signals that match a rule.
  func subscribe(to rule: String) throws(BusFailure) {
    _ = try call(Self.bus, Self.bus.name, "AddMatch") { $0.append(rule) }
  }

  /// The unique name of the program that owns a name; `nil` if none does.
  func owner(of name: String) throws(BusFailure) -> String? {
    do {
      return try call(Self.bus, Self.bus.name, "GetNameOwner") { $0.append(name) }.text()
    } catch {
      guard case .absent = error else { throw error }
      return nil
    }
  }
}

/// An object that a program has on a bus.
struct BusObject {
  /// The program's name.
  let name: String
  /// The object's path.
  let path: String
}
