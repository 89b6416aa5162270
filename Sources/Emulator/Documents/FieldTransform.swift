import Firestore
import Model

/// A change of a field that the server computes in the commit; see `docs/firestore.md#writes`.
struct FieldTransform: Sendable {
  enum Operation: Sendable {
    /// Sets the time of the commit, in milliseconds.
    case requestTime
    /// Adds to a number; integers saturate at 64 bits.
    case increment(Value)
    /// Keeps the larger number: the old one when equal, NaN when either is NaN.
    case maximum(Value)
    case minimum(Value)
    case appendMissing([Value])
    case removeAll([Value])
  }

  var field: FieldPath
  var operation: Operation
}

extension FieldTransform {
  /// The field's new value; replaces a value that the operation does not apply to.
  func apply(to old: Value?, at time: Timestamp) -> Value {
    switch operation {
    case .requestTime:
      return .timestamp(Timestamp(microseconds: time.microseconds / 1000 * 1000))
    case .increment(let operand): return FieldTransform.sum(old, operand)
    case .maximum(let operand): return FieldTransform.pick(old, operand) { $0 >= 0 }
    case .minimum(let operand): return FieldTransform.pick(old, operand) { $0 <= 0 }
    case .appendMissing(let values):
      return .array(
        values.reduce(into: FieldTransform.elements(old)) { elements, value in
          if !elements.contains(where: { ValueOrder.areEqual($0, value) }) {
            elements.append(value)
          }
        })
    case .removeAll(let values):
      let kept = FieldTransform.elements(old).filter { element in
        !values.contains { ValueOrder.areEqual($0, element) }
      }
      return .array(kept)
    }
  }

  /// The value in the write's result: the new number or time, or null for an array.
  func result(_ new: Value) -> Value {
    switch operation {
    case .appendMissing, .removeAll: .null
    default: new
    }
  }

  private static func sum(_ old: Value?, _ operand: Value) -> Value {
    switch (old, operand) {
    case (.integer(let old), .integer(let operand)):
      let (sum, overflows) = old.addingReportingOverflow(operand)
      return .integer(overflows ? (operand > 0 ? .max : .min) : sum)
    case (.integer(let old), .double(let operand)): return .double(Double(old) + operand)
    case (.double(let old), .integer(let operand)): return .double(old + Double(operand))
    case (.double(let old), .double(let operand)): return .double(old + operand)
    default: return operand
    }
  }

  /// The old number if the comparison with the operand satisfies `wins`, else the operand.
  private static func pick(_ old: Value?, _ operand: Value, _ wins: (Int) -> Bool) -> Value {
    guard let old, ValueOrder.typeClass(of: old) == .number else { return operand }
    guard !old.isNaN, !operand.isNaN else { return .double(.nan) }
    return wins(ValueOrder.compare(old, operand)) ? old : operand
  }

  private static func elements(_ value: Value?) -> [Value] {
    if case .array(let elements)? = value { elements } else { [] }
  }

  /// Reads the REST form, an object with `fieldPath` and one operation.
  init(json: JSON, _ rules: EditionRules) throws {
    let message = try Message(
      json, "fieldPath", "setToServerValue", "increment", "maximum", "minimum",
      "appendMissingElements", "removeAllFromArray")
    guard let path = try message.text("fieldPath") else {
      throw RefusedRequest.invalid("a field transform needs a fieldPath")
    }
    self.init(
      field: try FieldPath(parsing: path), operation: try FieldTransform.operation(message))
    try FieldCheck.check(field, holding: operand, rules)
    if case .removeAll(let values) = operation { try ValueCheck.check(.array(values), rules) }
  }

  /// Throws when one field is inside another; the same field may occur twice.
  static func check(_ transforms: [FieldTransform]) throws(RefusedRequest) {
    let fields = Set(transforms.map(\.field))
    for field in fields {
      for length in 1..<field.segments.count {
        let outer = FieldPath(segments: Array(field.segments.prefix(length)))
        guard !fields.contains(outer) else {
          throw .invalid(
            "Cannot transform property \(outer) and its nested property at the same time.")
        }
      }
    }
  }

  private static func operation(_ message: Message) throws -> Operation {
    if let name = message["setToServerValue"] {
      guard name == .string("REQUEST_TIME") || name == .number("1") else {
        throw RefusedRequest.invalid(
          "ServerValue type must be specified for set_to_server_value transformation.")
      }
      return .requestTime
    }
    if let json = message["increment"] { return .increment(try number(json)) }
    if let json = message["maximum"] { return .maximum(try number(json)) }
    if let json = message["minimum"] { return .minimum(try number(json)) }
    if let json = message["appendMissingElements"] { return .appendMissing(try values(json)) }
    if let json = message["removeAllFromArray"] { return .removeAll(try values(json)) }
    throw RefusedRequest.invalid("a field transform needs an operation")
  }

  private static func number(_ json: JSON) throws -> Value {
    let value = try Value(json: json)
    guard ValueOrder.typeClass(of: value) == .number else {
      throw RefusedRequest.invalid("Input must be int64 or double.")
    }
    return value
  }

  private static func values(_ json: JSON) throws -> [Value] {
    try Message(json, "values").list("values").map(Value.init(json:))
  }

  /// A value of the depth that the field may get: a number is as deep as null, and removed elements
  /// are never stored.
  private var operand: Value {
    switch operation {
    case .appendMissing(let values): .array(values)
    case .removeAll, .requestTime, .increment, .maximum, .minimum: .null
    }
  }
}
