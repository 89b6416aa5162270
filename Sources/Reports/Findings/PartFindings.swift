import Model

/// What has stopped, in sentences: docs/findings.md#stopped.
struct PartFindings {
  /// Parts of one kind, which one cause mostly stops together.
  enum Group: String, CaseIterable {
    case features, places, versions
    case newPeople = "new-people"
    case subscriptionTaps = "subscription-taps"
    case sales, ratings, feedback
  }

  struct Part {
    let group: Group
    /// As a subject of a sentence: `People from JP`.
    let words: String
    let series: CountSeries
    /// The beginning of the finding's sentence, of `no` or `almost no`: `Almost nobody in JP has
    /// used the app`.
    var claim: ((_ few: String) -> String)?
    /// What is counted, one of it: `event`; nil leaves the number alone.
    var counted: String?

    fileprivate func claim(of count: Int) -> String {
      let few = count == 0 ? "no" : "almost no"
      return claim?(few) ?? "There are \(few) \(words.prefix(1).lowercased() + words.dropFirst())"
    }

    fileprivate func words(_ count: Int) -> String {
      counted.map { NumberWords.counted(count, $0) } ?? NumberWords.grouped(count)
    }
  }

  /// What the others of a version that was replaced have more, at least: they vary by less.
  static let leastRise = 0.15
  /// What a country or a version must have had of all events to explain what others do.
  static let leastShare = 0.05

  let rule: StoppedParts
  let parts: [Part]
  /// The first day of a change of limits; nil without one.
  let limitsChangedOn: Int?

  private var days: JudgedDays { rule.days }

  private typealias Stopped = (part: Part, stop: StoppedParts.Stop)

  func found(on day: Int) -> [Detection] {
    let stopped = parts.compactMap { part -> Stopped? in
      rule.stop(of: part.series, on: day, isAlone: part.group.isAlone).map { (part, $0) }
    }
    let lost = stopped.filter { $0.part.group == .places }.map { Self.lost($0.stop) }.reduce(0, +)
    let subscriptionTapsStopped = stopped.contains { $0.part.group == .subscriptionTaps }
    let told = stopped.filter {
      !isReplaced($0, until: day, lost) && !isChanged($0)
        // Those of each feature are parts of all that stopped.
        && !(subscriptionTapsStopped && $0.part.group == .features
          && $0.part.series.topic == .subscriptionTaps)
    }
    return Group.allCases.compactMap { group in
      let own = told.filter { $0.part.group == group }
        .sorted { $0.stop.expected > $1.stop.expected }
      return own.isEmpty ? nil : detection(own, group, on: day)
    }
  }

  /// Whether the people of a version went over to others, which countries that stopped left smaller
  /// by so much a day.
  private func isReplaced(_ stopped: Stopped, until day: Int, _ lost: Double) -> Bool {
    guard stopped.part.group == .versions else { return false }
    let first = stopped.stop.firstDay
    let known = (first...day).filter { days.days[$0].coverage != .none }
    let before = days.usual(before: first, count: 7).suffix(StoppedParts.shortLivedDays)
    func others(_ index: Int) -> Double {
      parts.filter { $0.group == .versions && $0.words != stopped.part.words }
        .reduce(0) { $0 + Double(($1.series.people ?? $1.series.counts)[index]) }
    }
    func people(_ span: some Sequence<Int>) -> Double {
      span.map { days.usualPeople(on: $0, before: first) }.mean
    }
    // Others have more on a Saturday than on the days before it, anyway.
    let weekdays = people(before) > 0 ? people(known) / people(before) : 1
    let usual = before.map(others).mean * weekdays
    return known.map(others).mean
      >= usual + max(Self.lost(stopped.stop) / 2, Self.leastRise * usual) - lost
  }

  /// People a day, who vary less than what they do; events where people are not known.
  private static func lost(_ stop: StoppedParts.Stop) -> Double {
    stop.peopleLostADay ?? stop.lostADay
  }

  /// Whether a limit that changed explains that nobody is now blocked, or sees a popup.
  private func isChanged(_ stopped: Stopped) -> Bool {
    guard let limitsChangedOn else { return false }
    return stopped.part.series.topic == .blocks && limitsChangedOn <= stopped.stop.firstDay + 1
      && stopped.stop.firstDay - limitsChangedOn <= JudgedDays.compared
  }

  private func detection(_ stopped: [Stopped], _ group: Group, on day: Int) -> Detection {
    let main = stopped[0]
    let first = stopped.map(\.stop.firstDay).min() ?? day
    let more = stopped.count - 1
    let others = more == 0 ? "" : " \(NumberWords.counted(more, "other part")) stopped as well."
    let span =
      main.stop.dayCount == 1
      ? "on that day" : "in \(NumberWords.counted(main.stop.dayCount, "day"))"
    return Detection(
      group.level, .dead, "dead \(group.rawValue)", since: first, days.names,
      at: main.part.series.place,
      // A count that is judged alone follows from the parts of others, and some of these may be
      // left.
      weight: (group.isAlone ? 380 : 400) + main.stop.weight,
      topics: Set(stopped.map(\.part.series.topic)), direction: .fell,
      explains: isSmall(stopped, group) ? [.places] : group.explains, explainsOnly: .fell,
      "\(main.part.claim(of: main.stop.count)) since \(days.names.name(main.stop.firstDay)): "
        + "\(main.part.words(main.stop.count)) \(span), about "
        + "\(NumberWords.grouped(Int(main.stop.expected.rounded()))) expected.\(others)",
      evidence: stopped.prefix(4).map { part, stop in
        Evidence(
          "\(part.words) since \(days.names.name(stop.firstDay))", Double(stop.count),
          part.series.unit, expected: stop.expected...stop.expected,
          comparedDays: days.alike(before: stop.firstDay).count, basis: "similar day")
      },
      advice: group.advice)
  }

  /// Whether countries or versions had too little to explain what all people do.
  private func isSmall(_ stopped: [Stopped], _ group: Group) -> Bool {
    guard group == .places || group == .versions else { return false }
    let usual = days.alike(before: stopped[0].stop.firstDay)
      .map { Double(days.days[$0].concentration.events) }.middleMean
    return stopped.map(\.stop.lostADay).reduce(0, +) < Self.leastShare * usual
  }
}

extension PartFindings.Group {
  /// Whether it has one series only, which alarms for nothing less often than many do.
  var isAlone: Bool { self != .features && self != .places && self != .versions }

  fileprivate var level: Level {
    switch self {
    case .features, .subscriptionTaps: .error
    default: .warn
    }
  }

  var explains: Set<Detection.Topic> {
    switch self {
    case .features: [.use, .actions, .blocks, .subscriptionTaps, .sales, .ratings, .feedback]
    // What is quiet leaves the stars of the others as they were.
    case .places, .versions: Set(Detection.Topic.allCases).subtracting([.reads, .stars])
    case .newPeople: [.newPeople, .use]
    case .subscriptionTaps: [.subscriptionTaps, .sales]
    case .sales: [.sales]
    case .ratings: [.ratings, .feedback]
    case .feedback: [.feedback]
    }
  }

  fileprivate var advice: String {
    switch self {
    case .features:
      "Try it in the newest version; see what changed that day: a release, a setting, a server."
    case .places:
      "See whether app, servers and store page work there; if they do, export the day again."
    case .versions: "Start that version: a crash, a refused sign-in, a wrong address of a server?"
    case .newPeople: "Install the app as somebody new, and look at its page in the store."
    case .subscriptionTaps: "Open the paywall in the newest version: does its button work?"
    case .sales: "Buy a subscription yourself, and look at the store's and your server's receipts."
    case .ratings: "See whether the app still asks: `firetally rating status`, and the settings."
    case .feedback: "Send a feedback from the app, and see whether it arrives in Firestore."
    }
  }
}
