import Model

/// A value as machines read it: JSON and CSV never have words for numbers.
package enum Datum: Hashable, Sendable {
  case text(String)
  case integer(Int)
  case decimal(Double)
  /// Nil for an unknown one.
  case integers([Int?])
  case boolean(Bool)
  case null
}

/// A named part of a cell or of a popup; the name is nil when a cell has one part.
package struct CellPart: Hashable, Sendable {
  package var name: String?
  package var datum: Datum

  package init(_ name: String?, _ datum: Datum) {
    self.name = name
    self.datum = datum
  }
}

extension Cell {
  /// The parts of the cell under stable names: docs/reports.md#formats.
  package var parts: [CellPart] {
    switch self {
    case .text(let text), .code(let text), .excerpt(let text): [CellPart(nil, .text(text))]
    case .place(let title, let report, let section):
      [
        CellPart("title", .text(title)), CellPart("report", .text(report.rawValue)),
        CellPart("section", .text(section)),
      ]
    case .count(let count), .stars(let count): [CellPart(nil, .integer(count))]
    case .ratio(let ratio): ratio.parts
    case .rate(let ratio):
      ratio.parts + [
        CellPart("low_percent", ratio.interval.map { .decimal($0.lower) } ?? .null),
        CellPart("high_percent", ratio.interval.map { .decimal($0.upper) } ?? .null),
      ]
    case .points(let earlier, let later): PointChange.parts(from: earlier, to: later)
    case .mean(let mean):
      [
        CellPart("mean", mean.value.map(Datum.decimal) ?? .null),
        CellPart("of", .integer(mean.count)),
      ]
    case .change(let change): change.parts
    case .seconds(let seconds): [CellPart(nil, .decimal((seconds * 1_000).rounded() / 1_000))]
    case .money(let amount, let currency):
      [CellPart("amount", .decimal(amount)), CellPart("currency", .text(currency))]
    case .day(let day), .pastDay(let day, _): [CellPart(nil, .text(day.iso8601))]
    case .instant(let instant): [CellPart(nil, .text(instant.iso8601))]
    case .level(let level, let words):
      [CellPart("level", .text(level.rawValue)), CellPart("words", .text(words))]
    case .countdown(let remaining, let duration):
      [
        CellPart("remaining_seconds", .decimal(remaining)),
        CellPart("of_seconds", .decimal(duration)),
      ]
    case .trend(let counts): [CellPart(nil, .integers(counts))]
    case .missing: [CellPart(nil, .null)]
    }
  }
}

extension Ratio {
  fileprivate var parts: [CellPart] {
    [
      CellPart("part", .integer(part)), CellPart("whole", .integer(whole)),
      CellPart("percent", percent.map(Datum.decimal) ?? .null),
    ]
  }
}

extension PeriodChange {
  var parts: [CellPart] {
    [
      CellPart("previous", .integer(previous)), CellPart("difference", .integer(difference)),
      CellPart("percent", percent.map(Datum.decimal) ?? .null),
    ]
  }
}

extension PopupPreview {
  /// The parts of a preview under the same names in JSON and CSV: docs/reports.md#popups.
  var parts: [CellPart] {
    [
      CellPart("state", .text(state)), CellPart("caption", .text(caption)),
      CellPart("is_real", .boolean(isReal)),
    ] + picture.parts
  }
}

extension PopupPreview.Picture {
  fileprivate var parts: [CellPart] {
    switch self {
    case .limit(let popup, let feature):
      [CellPart("popup", .text("limit")), CellPart("feature", .text(feature.rawValue))]
        + popup.parts
    case .rating(let dialog): [CellPart("popup", .text("rating"))] + dialog.parts
    case .paywall(let paywall, let price):
      [CellPart("popup", .text("paywall"))] + paywall.parts + [CellPart("price", .optional(price))]
    case .premium(let paywall):
      [
        CellPart("popup", .text("premium")), CellPart("title", .text(Paywall.thanks)),
        CellPart("text", .text(paywall.premiumDescription)),
        CellPart("benefits", .text(paywall.benefits.joined(separator: "; "))),
      ]
    case .nothing(let reason):
      [CellPart("popup", .text("none")), CellPart("reason", .text(reason))]
    }
  }
}

extension Popup {
  fileprivate var parts: [CellPart] {
    [
      CellPart("title", .text(title)), CellPart("text", .text(description)),
      CellPart("action", isCoolingDown ? .null : .text(action)),
      CellPart("left", .optional(remainingText)), CellPart("time_left", .optional(timeLeftText)),
      CellPart("bar_fraction", .decimal((barFraction * 10_000).rounded() / 10_000)),
      CellPart("subscribe", .text(subscribe)), CellPart("price", .optional(price)),
    ]
  }
}

extension RatingDialog {
  fileprivate var parts: [CellPart] {
    [
      CellPart("title", .text(title)),
      CellPart("stars", stars.map { .integer($0.rawValue) } ?? .null),
      CellPart("text", .optional(stars?.text)), CellPart("emoji", .optional(stars?.emoji)),
      CellPart("colour", .optional(stars?.colour.rawValue)), CellPart("typed", .optional(typed)),
      CellPart("counter", .optional(counter)), CellPart("problem", .optional(problem)),
      CellPart("outcome", .optional(outcome)),
      CellPart("buttons", .text(buttons.map(\.title).joined(separator: "; "))),
    ]
  }
}

extension Paywall {
  fileprivate var parts: [CellPart] {
    [
      CellPart("trigger", .text(trigger.rawValue)), CellPart("banner", .optional(banner)),
      CellPart("server_message", .optional(serverMessage)),
      CellPart("header", .text(header)),
      CellPart("benefits", .text(benefits.joined(separator: "; "))),
      CellPart("premium", .text(premiumDescription)), CellPart("free", .text(freeDescription)),
    ]
  }
}

extension Datum {
  fileprivate static func optional(_ text: String?) -> Datum {
    text.map(Datum.text) ?? .null
  }
}
