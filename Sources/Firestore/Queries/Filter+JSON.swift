extension StructuredQuery.Filter {
  /// Reads an object with one of `fieldFilter`, `unaryFilter` and `compositeFilter`.
  package init(json: JSON) throws(WireError) {
    let members = try json.members()
    try members.allowOnly("fieldFilter", "unaryFilter", "compositeFilter")
    guard let (kind, content) = members.first, members.count == 1 else {
      throw WireError("a filter has exactly one of fieldFilter, unaryFilter and compositeFilter")
    }
    self = try WireError.at(kind) { () throws(WireError) in
      let members = try content.members()
      return switch kind {
      case "fieldFilter": try Self.field(members)
      case "unaryFilter": try Self.unary(members)
      default: try Self.composite(members)
      }
    }
  }

  package var json: JSON {
    switch self {
    case .field(let path, let comparison, let value):
      .object([
        "fieldFilter": .object([
          "field": path.referenceJSON, "op": comparison.json, "value": value.json,
        ])
      ])
    case .unary(let path, let test):
      .object(["unaryFilter": .object(["field": path.referenceJSON, "op": test.json])])
    case .composite(let combination, let filters):
      .object([
        "compositeFilter": .object([
          "op": combination.json, "filters": .array(filters.map(\.json)),
        ])
      ])
    }
  }

  private static func field(_ members: [String: JSON]) throws(WireError) -> Self {
    try members.allowOnly("field", "op", "value")
    return .field(
      try members.required("field", FieldPath.init(reference:)),
      try members.required("op", StructuredQuery.FieldOperator.init(json:)),
      try members.required("value", Value.init(json:)))
  }

  private static func unary(_ members: [String: JSON]) throws(WireError) -> Self {
    try members.allowOnly("field", "op")
    return .unary(
      try members.required("field", FieldPath.init(reference:)),
      try members.required("op", StructuredQuery.UnaryOperator.init(json:)))
  }

  private static func composite(_ members: [String: JSON]) throws(WireError) -> Self {
    try members.allowOnly("op", "filters")
    return .composite(
      try members.required("op", StructuredQuery.CompositeOperator.init(json:)),
      try members.list("filters", Self.init(json:)))
  }
}
