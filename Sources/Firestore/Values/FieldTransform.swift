/// A change of one field that the server computes while it commits; see `docs/firestore.md#writes`.
package struct FieldTransform: Hashable, Sendable {
  package enum Operation: Hashable, Sendable {
    /// The time of the commit, in milliseconds.
    case requestTime
    /// Adds to a number; integers stop at the ends of 64 bits.
    case increment(Value)
    /// The larger number; the old one when they are equal, and NaN when either is.
    case maximum(Value)
    case minimum(Value)
    case appendMissing([Value])
    case removeAll([Value])
  }

  package var field: FieldPath
  package var operation: Operation

  package init(_ field: FieldPath, _ operation: Operation) {
    self.field = field
    self.operation = operation
  }
}

extension FieldTransform {
  package var json: JSON {
    let (key, content): (String, JSON) =
      switch operation {
      case .requestTime: ("setToServerValue", .string("REQUEST_TIME"))
      case .increment(let value): ("increment", value.json)
      case .maximum(let value): ("maximum", value.json)
      case .minimum(let value): ("minimum", value.json)
      case .appendMissing(let values): ("appendMissingElements", Self.list(values))
      case .removeAll(let values): ("removeAllFromArray", Self.list(values))
      }
    return .object(["fieldPath": .string(field.description), key: content])
  }

  private static func list(_ values: [Value]) -> JSON {
    .object(["values": .array(values.map(\.json))])
  }

  /// Whether a second time changes nothing but, at most, a time.
  var isRepeatable: Bool {
    guard case .increment = operation else { return true }
    return false
  }
}
