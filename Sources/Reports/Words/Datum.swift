import Model

/// A cell's value as machines read it: JSON and CSV carry these, never words for numbers.
package enum Datum: Hashable, Sendable {
  case text(String)
  case integer(Int)
  case decimal(Double)
  case integers([Int])
  case boolean(Bool)
  case null
}

/// One named part of a cell; the name is nil when the cell has only one part.
package struct Field: Hashable, Sendable {
  package var name: String?
  package var datum: Datum

  package init(_ name: String?, _ datum: Datum) {
    self.name = name
    self.datum = datum
  }
}

extension Cell {
  /// The parts of the cell, by stable names: docs/reports.md#formats.
  package var fields: [Field] {
    switch self {
    case .text(let text), .code(let text): [Field(nil, .text(text))]
    case .count(let count), .stars(let count): [Field(nil, .integer(count))]
    case .ratio(let ratio): ratio.fields
    case .mean(let mean):
      [Field("mean", mean.value.map(Datum.decimal) ?? .null), Field("of", .integer(mean.count))]
    case .change(let change): change.fields
    case .seconds(let seconds): [Field(nil, .decimal((seconds * 1_000).rounded() / 1_000))]
    case .money(let amount, let currency):
      [Field("amount", .decimal(amount)), Field("currency", .text(currency))]
    case .day(let day), .pastDay(let day, _): [Field(nil, .text(day.iso8601))]
    case .instant(let instant): [Field(nil, .text(instant.iso8601))]
    case .level(let level, let words):
      [Field("level", .text(level.rawValue)), Field("words", .text(words))]
    case .countdown(let remaining, let duration):
      [Field("remaining_seconds", .decimal(remaining)), Field("of_seconds", .decimal(duration))]
    case .trend(let counts): [Field(nil, .integers(counts))]
    case .missing: [Field(nil, .null)]
    }
  }
}

extension Ratio {
  fileprivate var fields: [Field] {
    [
      Field("part", .integer(part)), Field("whole", .integer(whole)),
      Field("percent", percent.map(Datum.decimal) ?? .null),
    ]
  }
}

extension Change {
  var fields: [Field] {
    [
      Field("previous", .integer(previous)), Field("difference", .integer(difference)),
      Field("percent", percent.map(Datum.decimal) ?? .null),
    ]
  }
}
