/// A cell as JSON: a plain value, or an object when it has named parts.
struct JSONCell: Encodable {
  private let fields: [Field]

  init(_ fields: [Field]) {
    self.fields = fields
  }

  func encode(to encoder: any Encoder) throws {
    if fields.count == 1, fields[0].name == nil { return try fields[0].datum.encode(to: encoder) }
    var container = encoder.container(keyedBy: JSONKey.self)
    for field in fields {
      try container.encode(field.datum, forKey: JSONKey(field.name ?? "value"))
    }
  }
}

/// A key known at run time: a column's id, a part's name.
struct JSONKey: CodingKey {
  let stringValue: String

  init(_ name: String) {
    stringValue = name
  }

  init?(stringValue: String) {
    self.init(stringValue)
  }

  var intValue: Int? { nil }

  init?(intValue: Int) {
    nil
  }
}

extension Datum: Encodable {
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .integer(let number): try container.encode(number)
    case .decimal(let number): try container.encode(number)
    case .integers(let numbers): try container.encode(numbers)
    case .boolean(let flag): try container.encode(flag)
    case .null: try container.encodeNil()
    }
  }
}
