import Model

/// A value as machines read it: JSON and CSV never have words for numbers.
package enum JSONScalar: Hashable, Sendable {
  case text(String)
  case integer(Int)
  case decimal(Double)
  /// Nil for an unknown one.
  case integers([Int?])
  case boolean(Bool)
  case null
}

/// A named part of a cell or of a popup; the name is nil when a cell has one part.
package struct CellField: Hashable, Sendable {
  package var name: String?
  package var value: JSONScalar

  package init(_ name: String?, _ value: JSONScalar) {
    self.name = name
    self.value = value
  }
}

extension Cell {
  /// The parts of the cell under stable names: docs/reports.md#formats.
  package var parts: [CellField] {
    switch self {
    case .text(let text), .code(let text), .excerpt(let text): [CellField(nil, .text(text))]
    case .place(let title, let report, let section):
      [
        CellField("title", .text(title)), CellField("report", .text(report.rawValue)),
        CellField("section", .text(section)),
      ]
    case .count(let count), .stars(let count): [CellField(nil, .integer(count))]
    case .ratio(let ratio): ratio.parts
    case .rate(let ratio):
      ratio.parts + [
        CellField("low_percent", ratio.interval.map { .decimal($0.lower) } ?? .null),
        CellField("high_percent", ratio.interval.map { .decimal($0.upper) } ?? .null),
      ]
    case .points(let earlier, let later): PointChange.parts(from: earlier, to: later)
    case .mean(let mean):
      [
        CellField("mean", mean.value.map(JSONScalar.decimal) ?? .null),
        CellField("of", .integer(mean.count)),
      ]
    case .change(let change): change.parts
    case .seconds(let seconds): [CellField(nil, .decimal((seconds * 1_000).rounded() / 1_000))]
    case .money(let amount, let currency):
      [CellField("amount", .decimal(amount)), CellField("currency", .text(currency))]
    case .day(let day), .pastDay(let day, _): [CellField(nil, .text(day.iso8601))]
    case .instant(let instant): [CellField(nil, .text(instant.iso8601))]
    case .level(let level, let words):
      [CellField("level", .text(level.rawValue)), CellField("words", .text(words))]
    case .countdown(let remaining, let duration):
      [
        CellField("remaining_seconds", .decimal(remaining)),
        CellField("of_seconds", .decimal(duration)),
      ]
    case .trend(let counts): [CellField(nil, .integers(counts))]
    case .missing: [CellField(nil, .null)]
    }
  }
}

extension Ratio {
  fileprivate var parts: [CellField] {
    [
      CellField("part", .integer(part)), CellField("whole", .integer(whole)),
      CellField("percent", percent.map(JSONScalar.decimal) ?? .null),
    ]
  }
}

extension PeriodChange {
  var parts: [CellField] {
    [
      CellField("previous", .integer(previous)), CellField("difference", .integer(difference)),
      CellField("percent", percent.map(JSONScalar.decimal) ?? .null),
    ]
  }
}

extension PopupPreview {
  /// The parts of a preview under the same names in JSON and CSV: docs/reports.md#popups.
  var parts: [CellField] {
    [
      CellField("state", .text(state)), CellField("caption", .text(caption)),
      CellField("is_real", .boolean(isReal)),
    ] + picture.parts
  }
}

extension PopupPreview.Picture {
  fileprivate var parts: [CellField] {
    switch self {
    case .limit(let popup, let feature):
      [CellField("popup", .text("limit")), CellField("feature", .text(feature.rawValue))]
        + popup.parts
    case .rating(let dialog): [CellField("popup", .text("rating"))] + dialog.parts
    case .paywall(let paywall, let price):
      [CellField("popup", .text("paywall"))] + paywall.parts + [
        CellField("price", .optional(price))
      ]
    case .premium(let paywall):
      [
        CellField("popup", .text("premium")), CellField("title", .text(Paywall.thanks)),
        CellField("text", .text(paywall.premiumDescription)),
        CellField("benefits", .text(paywall.benefits.joined(separator: "; "))),
      ]
    case .nothing(let reason):
      [CellField("popup", .text("none")), CellField("reason", .text(reason))]
    }
  }
}

extension Popup {
  fileprivate var parts: [CellField] {
    [
      CellField("title", .text(title)), CellField("text", .text(description)),
      CellField("action", isCoolingDown ? .null : .text(action)),
      CellField("left", .optional(remainingText)), CellField("time_left", .optional(timeLeftText)),
      CellField("bar_fraction", .decimal((barFraction * 10_000).rounded() / 10_000)),
      CellField("subscribe", .text(subscribe)), CellField("price", .optional(price)),
    ]
  }
}

extension RatingDialog {
  fileprivate var parts: [CellField] {
    [
      CellField("title", .text(title)),
      CellField("stars", stars.map { .integer($0.rawValue) } ?? .null),
      CellField("text", .optional(stars?.text)), CellField("emoji", .optional(stars?.emoji)),
      CellField("colour", .optional(stars?.colour.rawValue)), CellField("typed", .optional(typed)),
      CellField("counter", .optional(counter)), CellField("problem", .optional(problem)),
      CellField("outcome", .optional(outcome)),
      CellField("buttons", .text(buttons.map(\.title).joined(separator: "; "))),
    ]
  }
}

extension Paywall {
  fileprivate var parts: [CellField] {
    [
      CellField("trigger", .text(trigger.rawValue)), CellField("banner", .optional(banner)),
      CellField("server_message", .optional(serverMessage)),
      CellField("header", .text(header)),
      CellField("benefits", .text(benefits.joined(separator: "; "))),
      CellField("premium", .text(premiumDescription)), CellField("free", .text(freeDescription)),
    ]
  }
}

extension JSONScalar {
  fileprivate static func optional(_ text: String?) -> JSONScalar {
    text.map(JSONScalar.text) ?? .null
  }
}
