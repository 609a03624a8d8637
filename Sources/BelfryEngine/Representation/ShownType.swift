import BelfryModel
import CivilTime
import FoundationEssentials
import OrderedJSON

/// A type of values in `--json` and the API: their JSON, and its shape.
package struct ShownType<Value>: Sendable {
  let shape: @Sendable () -> FieldShape
  let json: @Sendable (Value) -> JSONValue

  package init(
    _ shape: @autoclosure @escaping @Sendable () -> FieldShape, _ json: @escaping @Sendable (Value) -> JSONValue
  ) {
    (self.shape, self.json) = (shape, json)
  }

  /// Objects of a form, which schemas refer to by its name if it has one.
  package static func form(_ form: ShownForm<Value>) -> ShownType {
    ShownType(form.name.map { .named($0) } ?? form.shape) { form.json($0) }
  }

  package static func array<Element>(of element: ShownType<Element>) -> ShownType where Value == [Element] {
    ShownType(.array(of: element.shape())) { .array($0.map(element.json)) }
  }

  package static func word(_: Value.Type, _ word: @escaping @Sendable (Value) -> String) -> ShownType
  where Value: CaseIterable & SendableMetatype {
    ShownType(.word(Value.allCases.map(word))) { .string(word($0)) }
  }
}

extension ShownType<String> {
  package static var text: ShownType { ShownType(.text) { .string($0) } }
}

extension ShownType<Bool> {
  package static var flag: ShownType { ShownType(.flag) { .bool($0) } }
}

extension ShownType where Value: BinaryInteger & SendableMetatype {
  /// Whole numbers that are not negative.
  package static var number: ShownType { number(in: 0...Int64.max) }

  /// Whole numbers in a range.
  package static func number(in range: ClosedRange<Int64>) -> ShownType {
    ShownType(.number(range)) { .integer(Int64($0)) }
  }
}

extension ShownType<UUID> {
  package static var identity: ShownType { ShownType(.identity) { .string($0.text) } }
}

extension ShownType<OffsetInstant> {
  package static var instant: ShownType { ShownType(.instant) { .string($0.description) } }
}

extension ShownType<WallTime> {
  package static var wallTime: ShownType { ShownType(.wallTime) { .string($0.description) } }
}

extension ShownType<CalendarDuration> {
  package static var duration: ShownType { ShownType(.duration) { .string($0.iso8601) } }
}

/// A value with the zone in which its times are shown.
package struct Zoned<Value> {
  package let value: Value
  package let zone: Zone

  package init(_ value: Value, in zone: Zone) { (self.value, self.zone) = (value, zone) }

  package func instant(_ date: Date) -> OffsetInstant { OffsetInstant(date, in: zone) }

  /// A part of the value, in the same zone.
  package func part<Part>(_ part: Part) -> Zoned<Part> { Zoned<Part>(part, in: zone) }
}
