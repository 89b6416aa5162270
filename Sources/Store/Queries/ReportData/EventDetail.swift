import Model

/// What is read of an event whose parameters are told of.
struct EventDetail {
  /// What its parameters say.
  enum Content {
    /// A popup, its price, or a tap on the subscription button.
    case offer(Offer)
    case filterTap([FilterCriterion], gender: String, country: String)
    /// A filter that was performed; nil when it does not tell how many users it found.
    case filterResult([FilterCriterion], Int?)
    /// Another event.
    case other
  }

  /// What an event says of an offer to subscribe.
  struct Offer {
    /// The limit, and how often the feature was used; nil for an event that does not tell both.
    let allowance: (limit: Int, usage: Int)?
    /// As the app showed it; nil for none.
    let price: String?
    let isTap: Bool
  }

  let at: Int64
  let person: Int
  let event: BucketCounter.EventKey
  let country: String
  let content: Content
  /// Whether it lies in the period; before it, prices alone are told of.
  var isInPeriod = true
}

extension EventDetail.Content {
  private static let offerNames = names(
    "usage_limit", "current_usage", "subscription_price_displayed")
  private static let filterNames = names(
    "filter_criteria", "filter_gender", "filter_country", "filter_language", "filter_result_count")

  private static func names(_ names: String...) -> [[UInt8]] { names.map { Array($0.utf8) } }

  /// Reads the column `parameters`.
  init(
    _ text: UnsafeRawBufferPointer, _ platform: UnsafeRawBufferPointer,
    of event: BucketCounter.EventKey
  ) throws(UnreadableCell) {
    func values(_ names: [[UInt8]]) throws(UnreadableCell) -> [EventValue?] {
      guard
        let values = ParameterText.values(
          of: names, platform, in: text.assumingMemoryBound(to: UInt8.self))
      else {
        throw UnreadableCell(
          table: "events", column: "parameters", value: String(decoding: text, as: UTF8.self))
      }
      return values
    }
    switch event.kind {
    case .popupShown, .pricingDisplayed, .subscriptionButtonTapped:
      self = .offer(Self.offer(try values(Self.offerNames), of: event))
    case .buttonTapped where event.feature == .filter:
      let values = try values(Self.filterNames)
      self = .filterTap(
        Self.criteria(values), gender: values[1]?.text ?? "", country: values[2]?.text ?? "")
    case .performed where event.feature == .filter:
      let values = try values(Self.filterNames)
      self = .filterResult(Self.criteria(values), values[4]?.wholeNumber)
    default: self = .other
    }
  }

  /// The limit is that of free users, and told once: by the popup and by the tap.
  private static func offer(
    _ values: [EventValue?], of event: BucketCounter.EventKey
  ) -> EventDetail.Offer {
    var allowance: (limit: Int, usage: Int)?
    if event.userType == .freeUser, event.kind != .pricingDisplayed,
      let limit = values[0]?.wholeNumber, let usage = values[1]?.wholeNumber, limit > 0, usage >= 0
    {
      allowance = (limit, usage)
    }
    return EventDetail.Offer(
      allowance: allowance, price: values[2]?.words,
      isTap: event.kind == .subscriptionButtonTapped)
  }

  /// Those that the event names in words, or by a parameter of their own.
  private static func criteria(_ values: [EventValue?]) -> [FilterCriterion] {
    let words = (values[0]?.text ?? "").lowercased()
      .split(separator: ",").map { $0.drop { $0 == " " } }
    func has(_ index: Int) -> Bool { !(values[index]?.text ?? "").isEmpty }
    return FilterCriterion.allCases.filter { criterion in
      let isNamed = words.contains { word in
        word == criterion.rawValue || word.hasPrefix("\(criterion.rawValue) ")
      }
      return switch criterion {
      case .gender: isNamed || has(1)
      case .country: isNamed || has(2)
      case .language: isNamed || has(3)
      case .age, .nearby: isNamed
      }
    }
  }
}

extension EventValue {
  /// A whole number, also in digits; nil for others.
  fileprivate var wholeNumber: Int? {
    switch self {
    case .integer(let number): Int(number)
    case .double(let number): Int(exactly: number)
    case .string(let text): Int(text)
    }
  }

  /// What was shown, also where it was logged as a number; nil for nothing.
  fileprivate var words: String? {
    switch self {
    case .string(let text): text.isEmpty ? nil : text
    case .integer(let number): String(number)
    case .double(let number): String(number)
    }
  }

  /// Nil for numbers.
  fileprivate var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }
}
