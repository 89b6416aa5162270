import Model

/// A share that is out, in words.
struct ShareWords {
  private let judged: ShareRule.Judged

  init(_ judged: ShareRule.Judged) { self.judged = judged }

  var share: String { Self.percent(judged.share) }
  var usual: String { Self.percent(judged.expected) }

  /// What the usual share is that of.
  var basis: String { judged.comparedDays == 0 ? "elsewhere" : "usually" }

  /// The new value; empty where something is not said.
  var value: String {
    guard case .part(let parts) = judged.series.subject, let part = parts.last else { return "" }
    return VisibleText.clipped(part.value, to: 40)
  }

  /// What the share is of, and what it says: `41% of the people name no country`.
  var sentence: String { "\(share) of \(subject.whole) \(subject.part)" }

  /// What it says of those whose share it is: `name no country`.
  var part: String { subject.part }

  private var label: String { "Share of \(subject.whole) that \(subject.part)" }

  var judgement: Finding.Judgement {
    Finding.Judgement(
      label: label, dayCount: judged.dayCount, count: judged.count, whole: judged.whole,
      expected: judged.expected, probability: judged.probability)
  }

  var evidence: Evidence {
    Evidence(
      label,
      judged.share * 100, .percent,
      expected: (judged.expected * 100)...(judged.expected * 100),
      comparedDays: judged.comparedDays == 0 ? nil : judged.comparedDays, basis: "day")
  }

  private static func percent(_ share: Double) -> String {
    NumberWords.percent(Ratio(Int((share * 1_000).rounded()), of: 1_000).percent)
  }

  private var subject: (whole: String, part: String) {
    switch judged.series.subject {
    case .unnamed: ("the events", "name no user")
    case .late: ("the lines of an import", "are of days that were complete before")
    case .part(let parts):
      (
        "the people" + Self.after(parts.dropLast()),
        parts.last.map(Self.said) ?? ""
      )
    case .measure(let measure, let parts):
      Self.words(measure, Self.after(parts))
    case .blocks(let feature): ("the taps of \(feature.title)", "were blocked")
    case .actions(let feature, let parts):
      (
        "the taps of \(feature.title)" + Self.after(parts),
        "led to an action"
      )
    case .filters: ("the filters", "found nobody")
    case .limit(let feature, let limit):
      (
        "the popups of \(feature.title)",
        limit.map { "show a limit of \($0)" } ?? "show no limit, or 0"
      )
    case .price(let price):
      ("the popups", price.isEmpty ? "show no price" : "show \(VisibleText.clipped(price, to: 30))")
    case .field(let field): ("the users last seen", "have no readable \(field.rawValue)")
    case .text: ("the feedback texts", "say the same")
    }
  }

  private static func words(
    _ measure: ShareCounts.Measure, _ place: String
  ) -> (whole: String, part: String) {
    switch measure {
    case .lost: ("the subscribers\(place)", "are free again")
    case .blocked: ("the people\(place) with a limit", "were blocked")
    case .failed: ("the people\(place) who tapped", "got no action")
    case .popups: ("the free people\(place)", "saw a popup")
    case .subscriptionTaps: ("the people\(place) with a popup", "tapped to subscribe")
    default: ("the people\(place)", "are new")
    }
  }

  private static func said(_ part: ShareCounts.Part) -> String {
    guard part.value.isEmpty else {
      return part.dimension == .userType
        ? "are called \(UserType.title(of: UserType(rawValue: part.value)).lowercased())s"
        : "are \(place(part))"
    }
    return switch part.dimension {
    case .country: "name no country"
    case .language: "have no language"
    case .version: "name no app version"
    case .platform: "name no platform"
    case .userType: "name no user type"
    case .hours: ""
    }
  }

  private static func after(_ parts: some Sequence<ShareCounts.Part>) -> String {
    parts.map { " " + place($0) }.joined()
  }

  /// As the end of a sentence: `in India on iOS`, `with version 3.5.0`.
  static func place(_ parts: [ShareCounts.Part]) -> String {
    parts.map { place($0) }.joined(separator: " ")
  }

  private static func place(_ part: ShareCounts.Part) -> String {
    let name = VisibleText.clipped(part.value, to: 40)
    return switch part.dimension {
    case .country: name.isEmpty ? "without a country" : "in \(name)"
    case .language: name.isEmpty ? "without a language" : "with the language \(name)"
    case .version: name.isEmpty ? "without a version" : "with version \(name)"
    case .platform: "on \(PlatformWords.title(part.value))"
    case .userType: "called \(UserType.title(of: UserType(rawValue: part.value)).lowercased())s"
    case .hours: "from \(name) h"
    }
  }
}
