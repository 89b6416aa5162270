import Model
import Rules

extension PopupPreview {
  /// What machines read of a preview: the same names in JSON and CSV; docs/reports.md#popups.
  var parts: [Field] {
    [
      Field("state", .text(state)), Field("caption", .text(caption)),
      Field("is_real", .boolean(isReal)),
    ] + picture.parts
  }
}

extension PopupPreview.Picture {
  fileprivate var parts: [Field] {
    switch self {
    case .limit(let popup, let feature):
      [Field("popup", .text("limit")), Field("feature", .text(feature.rawValue))] + popup.parts
    case .rating(let dialog): [Field("popup", .text("rating"))] + dialog.parts
    case .paywall(let paywall, let price):
      [Field("popup", .text("paywall"))] + paywall.parts + [Field("price", .optional(price))]
    case .premium(let paywall):
      [
        Field("popup", .text("premium")), Field("text", .text(paywall.premiumDescription)),
        Field("benefits", .text(paywall.benefits.joined(separator: "; "))),
      ]
    case .nothing(let reason): [Field("popup", .text("none")), Field("reason", .text(reason))]
    }
  }
}

extension Popup {
  fileprivate var parts: [Field] {
    [
      Field("title", .text(title)), Field("text", .text(description)),
      Field("action", isCoolingDown ? .null : .text(action)),
      Field("left", .optional(remainingText)), Field("time_left", .optional(timeLeftText)),
      Field("bar_fraction", .decimal((barFraction * 10_000).rounded() / 10_000)),
      Field("subscribe", .text(subscribe)), Field("price", .optional(price)),
    ]
  }
}

extension RatingDialog {
  fileprivate var parts: [Field] {
    [
      Field("title", .text(title)), Field("stars", stars.map { .integer($0.rawValue) } ?? .null),
      Field("text", .optional(stars?.text)), Field("emoji", .optional(stars?.emoji)),
      Field("colour", .optional(stars?.colour.rawValue)), Field("typed", .optional(typed)),
      Field("counter", .optional(counter)), Field("problem", .optional(problem)),
      Field("outcome", .optional(outcome)),
      Field("buttons", .text(buttons.map(\.title).joined(separator: "; "))),
    ]
  }
}

extension Paywall {
  fileprivate var parts: [Field] {
    [
      Field("trigger", .text(trigger.rawValue)), Field("banner", .optional(banner)),
      Field("header", .text(header)),
      Field("benefits", .text(benefits.joined(separator: "; "))),
      Field("premium", .text(premiumDescription)), Field("free", .text(freeDescription)),
    ]
  }
}

extension Datum {
  fileprivate static func optional(_ text: String?) -> Datum {
    text.map(Datum.text) ?? .null
  }
}
