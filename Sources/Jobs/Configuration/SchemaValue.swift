/// A part of a JSON Schema, draft 2020-12.
indirect enum SchemaValue: Hashable, Sendable {
  case object([String: SchemaValue])
  case list([SchemaValue])
  case text(String)
  case integer(Int)
  case number(Double)
  case boolean(Bool)

  /// A text that a variable is part of, which stands for a value of any type.
  static let variable = SchemaValue.object(["type": "string", "pattern": #"\$\{[A-Za-z_]"#])

  /// What a mapping with these keys has to look like; other keys are refused.
  static func object(of table: KeyTable) -> [String: SchemaValue] {
    let keys = table.keys.filter { !$0.path.contains(".") }
    var properties: [String: SchemaValue] = [:]
    var others = SchemaValue.boolean(false)
    for key in keys {
      let schema = SchemaValue(key, in: table)
      if key.path != "*" {
        properties[key.path] = schema
      } else if let names = key.names {
        for name in names { properties[name] = schema }
      } else {
        others = schema
      }
    }
    let required = keys.filter(\.isRequired).map { SchemaValue.text($0.path) }
    return [
      "type": "object", "properties": .object(properties), "additionalProperties": others,
    ].merging(required.isEmpty ? [:] : ["required": .list(required)]) { first, _ in first }
  }

  private init(_ key: ConfigurationKey, in table: KeyTable) {
    var schema =
      key.form == .mapping
      ? SchemaValue(.object(table.table(under: key.path) ?? KeyTable([])), key.isRequired)
      : SchemaValue(key.form, isRequired: key.isRequired)
    if case .object(var members) = schema, let value = key.default.flatMap(key.form.value) {
      members["default"] = value
      schema = .object(members)
    }
    self = schema
  }

  /// A form, or nothing, or a text with a variable.
  init(_ form: ValueForm, isRequired: Bool) {
    self.init(form, isRequired)
  }

  private init(_ form: ValueForm, _ isRequired: Bool) {
    if form == .any {
      self = .boolean(true)
      return
    }
    let forms = Self.alternatives(of: form)
    let hasVariable = form.isScalar && !forms.contains(Self.plainText)
    let all =
      forms + (hasVariable ? [.object(["$ref": "#/$defs/variable"])] : [])
      + (isRequired ? [] : [.object(["type": "null"])])
    self = all.count == 1 ? all[0] : .object(["anyOf": .list(all)])
  }

  private static let plainText = SchemaValue.object(["type": "string", "minLength": 1])

  private static func alternatives(of form: ValueForm) -> [SchemaValue] {
    switch form {
    case .either(let forms): forms.flatMap(alternatives)
    case .object(Hook.keys): [.object(["$ref": "#/$defs/hook"])]
    case .object(let table): [.object(object(of: table))]
    case .mapping: [.object(["type": "object"])]
    case .list(let item):
      [.object(["type": "array", "minItems": 1, "items": SchemaValue(item, true)])]
    default: [scalar(form)]
    }
  }

  private static func scalar(_ form: ValueForm) -> SchemaValue {
    switch form {
    case .pattern(let pattern): .object(["type": "string", "pattern": .text(pattern)])
    case .address, .hookAddress:
      .object(["type": "string", "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://"])
    case .secureAddress:
      .object([
        "type": "string",
        "pattern":
          #"^([Hh][Tt][Tt][Pp][Ss]://|[Hh][Tt][Tt][Pp]://(localhost|127\.0\.0\.1|\[::1\])(:|/|$))"#,
      ])
    case .time: .object(["type": "string", "pattern": "^0*[1-9][0-9]*[smhd]$"])
    case .choice(let words): .object(["enum": .list(words.map(SchemaValue.text))])
    case .word(let word): .object(["const": .text(word)])
    case .boolean: .object(["type": "boolean"])
    case .amount: .object(["type": "number", "minimum": 0])
    case .integer(let range): .object(integer(in: range))
    default: plainText
    }
  }

  private static func integer(in range: ClosedRange<Int>) -> [String: SchemaValue] {
    var members: [String: SchemaValue] = ["type": "integer"]
    if range.lowerBound != .min { members["minimum"] = .integer(range.lowerBound) }
    if range.upperBound != .max { members["maximum"] = .integer(range.upperBound) }
    return members
  }
}

extension ValueForm {
  /// Whether a scalar can be it, so that a variable can give it.
  fileprivate var isScalar: Bool {
    switch self {
    case .object, .mapping, .list, .any: false
    case .either(let forms): forms.contains(where: \.isScalar)
    default: true
    }
  }

  /// The default of a key as JSON has it; nil when it is no single value.
  fileprivate func value(_ text: String) -> SchemaValue? {
    switch self {
    case .list: nil
    case .boolean: .boolean(text == "true")
    case .integer: Int(text).map(SchemaValue.integer)
    case .amount: Double(text).map(SchemaValue.number)
    case .either: Int(text).map(SchemaValue.integer) ?? .text(text)
    default: .text(text)
    }
  }
}

extension SchemaValue: ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByIntegerLiteral
{
  init(stringLiteral text: String) { self = .text(text) }
  init(arrayLiteral items: SchemaValue...) { self = .list(items) }
  init(integerLiteral number: Int) { self = .integer(number) }
}

extension SchemaValue: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .object(let members): try container.encode(members)
    case .list(let items): try container.encode(items)
    case .text(let text): try container.encode(text)
    case .integer(let number): try container.encode(number)
    case .number(let number): try container.encode(number)
    case .boolean(let flag): try container.encode(flag)
    }
  }
}
