import Model
package import Reports

/// A named part of a cell or of a popup; the name is nil when a cell has one part.
package struct CellField: Hashable, Sendable {
  package var name: String?
  package var value: JSONNode

  /// Parts with names, in this order.
  static func all(_ parts: KeyValuePairs<String, JSONNode>) -> [CellField] {
    parts.map { CellField(name: $0, value: $1) }
  }
}

extension Cell {
  /// The parts of the cell under stable names: docs/reports.md#formats.
  package var parts: [CellField] {
    switch self {
    case .text(let text), .code(let text), .app(let text, _), .excerpt(let text):
      [CellField(name: nil, value: .text(text))]
    case .place(let title, let report, let section):
      CellField.all([
        "title": .text(title), "report": .text(report.rawValue),
        "section": .text(section),
      ])
    case .count(let count), .stars(let count): [CellField(name: nil, value: .integer(count))]
    case .ratio(let ratio): ratio.parts
    case .rate(let ratio):
      ratio.parts
        + CellField.all([
          "low_percent": .optional(ratio.interval?.lower),
          "high_percent": .optional(ratio.interval?.upper),
        ])
    case .points(let earlier, let later): PointChange.parts(from: earlier, to: later)
    case .pointError(let points):
      CellField.all(["points": .decimal((points * 10).rounded() / 10 + 0)])
    case .mean(let mean):
      CellField.all(["mean": .optional(mean.value), "of": .integer(mean.count)])
    case .change(let change): change.parts
    case .seconds(let seconds):
      [CellField(name: nil, value: .decimal((seconds * 1_000).rounded() / 1_000))]
    case .money(let amount, let currency):
      CellField.all(["amount": .decimal(amount), "currency": .text(currency)])
    case .day(let day), .pastDay(let day, _): [CellField(name: nil, value: .text(day.iso8601))]
    case .instant(let instant): [CellField(name: nil, value: .text(instant.iso8601))]
    case .level(let level, let words):
      CellField.all(["level": .text(level.rawValue), "words": .text(words)])
    case .countdown(let remaining, let duration):
      CellField.all(["remaining_seconds": .decimal(remaining), "of_seconds": .decimal(duration)])
    case .trend(let counts): [CellField(name: nil, value: .integers(counts))]
    case .list(let words): [CellField(name: nil, value: .texts(words))]
    case .missing: [CellField(name: nil, value: .null)]
    }
  }
}

extension Ratio {
  fileprivate var parts: [CellField] {
    CellField.all(["part": .integer(part), "whole": .integer(whole), "percent": .optional(percent)])
  }
}

extension PointChange {
  /// The parts under the same names in JSON and CSV.
  fileprivate static func parts(from earlier: Ratio, to later: Ratio) -> [CellField] {
    let change = PointChange(from: earlier, to: later)
    return CellField.all([
      "points": .optional(change?.points), "low_points": .optional(change?.lower),
      "high_points": .optional(change?.upper),
    ])
  }
}

extension PeriodChange {
  var parts: [CellField] {
    CellField.all([
      "previous": .integer(previous), "difference": .integer(difference),
      "percent": .optional(percent),
    ])
  }
}

extension PopupPreview {
  /// The parts of a preview under the same names in JSON and CSV: docs/reports.md#popups.
  var parts: [CellField] {
    CellField.all([
      "state": .text(state), "caption": .text(caption),
      "is_real": .boolean(isReal),
    ]) + picture.parts
  }
}

extension PopupPreview.Picture {
  fileprivate var parts: [CellField] {
    switch self {
    case .limit(let popup, let feature):
      CellField.all(["popup": .text("limit"), "feature": .text(feature.rawValue)])
        + popup.parts
    case .rating(let dialog): CellField.all(["popup": .text("rating")]) + dialog.parts
    case .paywall(let paywall, let price):
      CellField.all(["popup": .text("paywall")]) + paywall.parts
        + CellField.all([
          "price": .optional(price)
        ])
    case .premium(let paywall):
      CellField.all([
        "popup": .text("premium"), "title": .text(Paywall.thanks),
        "text": .text(paywall.premiumDescription),
        "benefits": .texts(paywall.benefits),
      ])
    case .nothing(let reason):
      CellField.all(["popup": .text("none"), "reason": .text(reason)])
    }
  }
}

extension Popup {
  fileprivate var parts: [CellField] {
    CellField.all([
      "title": .text(title), "text": .text(description),
      "action": isCoolingDown ? .null : .text(action),
      "left": .optional(remainingText), "time_left": .optional(timeLeftText),
      "bar_fraction": .decimal((barFraction * 10_000).rounded() / 10_000),
      "subscribe": .text(subscribe), "price": .optional(price),
    ])
  }
}

extension RatingDialog {
  fileprivate var parts: [CellField] {
    CellField.all([
      "title": .text(title),
      "stars": stars.map { .integer($0.rawValue) } ?? .null,
      "text": .optional(stars?.text), "emoji": .optional(stars?.emoji),
      "colour": .optional(stars?.colour.rawValue), "typed": .optional(typed),
      "counter": .optional(counter), "problem": .optional(problem),
      "outcome": .optional(outcome),
      "buttons": .texts(buttons.map(\.title)),
    ])
  }
}

extension Paywall {
  fileprivate var parts: [CellField] {
    CellField.all([
      "trigger": .text(trigger.rawValue), "banner": .optional(banner),
      "server_message": .optional(serverMessage),
      "header": .text(header),
      "benefits": .texts(benefits),
      "premium": .text(premiumDescription), "free": .text(freeDescription),
    ])
  }
}
