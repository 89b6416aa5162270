import Model

/// What a share that is out is about: shares of one matter are one finding.
enum ShareMatter: Hashable {
  typealias Dimension = ShareCounts.Dimension

  /// Events that name no user; people, offers or documents without a value.
  case unnamed
  /// Lines dated earlier than those that came before.
  case late
  case blank(Dimension)
  case blankPrice
  case blankField(ShareCounts.Field)
  /// A value of people has another spelling than before, or another type.
  case renamed(Dimension)
  case userType
  /// People seem new though no more came; or more came who are new.
  case ids
  case newcomers
  case limit(Feature)
  case price
  case texts
  /// Subscribers who are free again; what part of people is blocked, fails, sees and taps.
  case lost, blocked, failed, popups, subscriptionTaps
  /// Filters that found nobody.
  case filters
  /// A feature that hardly works in a part of the app.
  case failing
  /// What part of the people a country, a language, a platform has; a country that is new.
  case part(Dimension)
  case region(String)
  /// Fewer people of a country, a language or a platform.
  case fewer

  /// In the ids of findings, before their first day.
  var name: String {
    switch self {
    case .unnamed: "blank user"
    case .late: "clocks-behind"
    case .blank(let dimension): "blank \(dimension.rawValue)"
    case .blankPrice: "blank price"
    case .blankField(let field): "blank \(field.rawValue) of documents"
    case .renamed(let dimension): "renamed \(dimension.rawValue)"
    case .userType: "user types"
    case .ids: "new ids"
    case .newcomers: "more new people"
    case .limit(let feature): "limit \(feature.rawValue)"
    case .price: "price"
    case .texts: "alike texts"
    case .lost: "lost subscribers"
    case .blocked: "share blocked"
    case .failed: "share failed"
    case .filters: "share empty-filters"
    case .failing: "dead features-of-parts"
    case .popups: "share popups"
    case .subscriptionTaps: "share subscription-taps"
    case .part(let dimension): "share \(dimension.rawValue)"
    case .region(let country): "region \(country)"
    case .fewer: "share places fell"
    }
  }

  /// What events say of people explains what they seem to do.
  var rule: FindingRule {
    switch self {
    case .lost, .blocked, .failed, .filters, .popups, .subscriptionTaps, .part, .fewer,
      .newcomers:
      .shares
    case .late: .clocks
    case .failing: .dead
    case .region: .region
    default: .values
    }
  }

  /// Of equals the first one is reported; certain ones come first.
  var rank: Int {
    switch self {
    case .unnamed, .late, .ids: 0
    case .blank, .renamed, .blankField: 1
    case .userType: 2
    case .limit, .blankPrice, .price: 3
    case .texts, .newcomers, .lost: 4
    case .blocked, .failed, .failing, .filters: 5
    case .popups, .subscriptionTaps: 6
    case .part, .region, .fewer: 7
    }
  }

  var topics: Set<Detection.Topic> {
    switch self {
    case .unnamed, .late, .ids, .newcomers: [.newPeople]
    case .blank, .renamed, .blankField, .part, .region, .fewer: [.places]
    case .userType, .lost: [.sales]
    case .limit, .blocked: [.blocks]
    case .failed, .filters: [.actions]
    case .failing: [.use]
    case .blankPrice, .price, .popups, .subscriptionTaps: [.subscriptionTaps]
    case .texts: [.feedback]
    }
  }

  var explains: Set<Detection.Topic> {
    switch self {
    case .unnamed, .late: Set(Detection.Topic.allCases).subtracting([.reads, .stars, .hours])
    case .ids: [.newPeople, .places, .sales, .subscriptionTaps, .use]
    case .newcomers: [.newPeople, .places, .use, .sales, .subscriptionTaps, .blocks]
    // Nothing comes from a part that has another name now.
    case .blank, .renamed: [.places, .use]
    case .blankField: [.places]
    case .userType, .lost: [.sales, .blocks, .subscriptionTaps, .newPeople]
    case .limit: [.blocks, .actions, .subscriptionTaps, .sales, .use]
    case .blankPrice, .price: [.subscriptionTaps, .sales]
    case .blocked: [.blocks, .actions, .subscriptionTaps, .sales]
    case .failing, .filters: [.actions]
    case .failed, .popups: [.blocks, .subscriptionTaps, .sales]
    case .subscriptionTaps: [.subscriptionTaps, .sales]
    case .texts: [.feedback, .stars]
    case .part, .region, .fewer: [.places]
    }
  }

  /// Which of one rule comes first, before their sizes: a feature that stopped everywhere explains
  /// that it does in a part, and fewer people of a country why others have a larger share.
  var weight: Double {
    switch self {
    case .failing: 390
    case .fewer: 400
    default: rule == .values ? 500 : 300
    }
  }

  func level(isRise: Bool) -> Level {
    switch self {
    case .lost, .failing: .error
    case .newcomers, .part, .region, .price: .notice
    case .subscriptionTaps: isRise ? .notice : .warn
    default: .warn
    }
  }

  var place: (report: Report.Name, section: String) {
    switch self {
    case .unnamed, .late, .ids, .newcomers: (.usage, UsageDays.id)
    case .blank(.version), .renamed(.version): (.ratings, "groups")
    case .blank(.country), .blank(.language), .renamed, .part, .region, .fewer, .blankField:
      (.users, "places")
    case .texts: (.ratings, FeedbackThemes.id)
    case .price, .blankPrice, .lost, .popups, .subscriptionTaps: (.usage, PeopleFunnel.id)
    case .filters: (.users, "demand")
    case .blank, .userType, .limit, .blocked, .failed, .failing: (.usage, "features")
    }
  }

  var advice: String {
    switch self {
    case .unnamed: "See whether the app still sets the user id of its analytics after a sign-in."
    case .late:
      "See whether a release takes the phone's clock, or another time zone; days that are short "
        + "become longer with the next exports."
    case .blank, .renamed: "See what a release, the analytics or the export changed that day."
    case .blankPrice: "Open the paywall: does the store answer with a price?"
    case .blankField: "See how the newest version writes this field of users' documents."
    case .userType: "See how that version decides who is free, new or a subscriber."
    case .ids: "See whether a release made new ids, as after a re-install or another sign-in."
    case .newcomers:
      "See where they come from: a campaign, another app in the same export, or a script."
    case .limit: "See whether a flag, an experiment or a setting gives a part of the people it."
    case .price: "See whether the store's price or an experiment changed."
    case .texts: "Read them under \"Themes\": a campaign against the app, or one fault for many?"
    case .lost: "See whether entitlements still arrive: the store's receipts and your server."
    case .blocked: "Try the limit in the newest version, and see what its settings say."
    case .failed, .failing: "Try it there: a server, a setting, or a fault of that version?"
    case .filters: "Filter for what people filter most: are the users there, and their fields?"
    case .popups, .subscriptionTaps: "Open the popup in the newest version: does it work?"
    case .fewer: "See what changed for them: a store page, a server, a release, a campaign's end."
    case .part, .region: "See whether language, price and servers suit them."
    }
  }
}
