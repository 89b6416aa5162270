import Model

/// What moved since a limit, a wait or a price changed: docs/findings.md#effects.
struct SettingEffects {
  /// The first and the last day after a change on which its effect is reported.
  static let firstTold = 7
  static let lastTold = 20
  /// Days of each side, at most.
  static let longest = 14
  /// People that each side needs.
  static let fewestPeople = 100

  let days: JudgedDays
  let changes: [SettingChange]
  /// Nil where nobody is followed.
  let experiments: ExperimentData?
  /// What somebody expected of changes.
  var proposals: [SettingProposal] = []
  /// What a subscription costs; nil where the workspace does not say.
  var price: PriceText?

  /// The day of the newest change of a limit, a wait or the free period; nil without one.
  var newestLimitDay: Int? {
    changes.filter { Self.isLimit($0) }.map(\.changedAt).max().flatMap(day)
  }

  /// The same, of prices too.
  var newestChangedDay: Int? {
    changes.filter { Self.isLimit($0) || Self.isPrice($0) }.map(\.changedAt).max().flatMap(day)
  }

  private static func isLimit(_ change: SettingChange) -> Bool {
    SettingKey(wireName: change.wireName)?.descriptor.role != nil && change.oldValue != nil
  }

  private static func isPrice(_ change: SettingChange) -> Bool {
    change.oldValue != nil && change.newValue != nil
      && change.wireName.lowercased().contains("price")
  }

  private func day(of instant: Instant) -> Int? {
    days.days.firstIndex { $0.start <= instant && instant < $0.end }
  }

  /// One for each moment of a change whose effect can be reported by now.
  func found(on last: Int) -> [Detection] {
    let moments = Set(
      changes.filter { Self.isLimit($0) || Self.isPrice($0) }.map(\.changedAt))
    return moments.sorted(by: >).compactMap { at in
      guard let first = day(of: at), (Self.firstTold...Self.lastTold).contains(last - first) else {
        return nil
      }
      return detection(at, first, on: last)
    }
  }

  private struct Measure {
    let words: String
    let before: Ratio
    let after: Ratio

    var verdict: ShareVerdict? {
      ShareVerdict(from: (before.part, before.whole), to: (after.part, after.whole))
    }

    /// `+5.0 points, 2.1 to 8.0`.
    var difference: String { PointChange(from: before, to: after)?.words ?? "" }

    var evidence: Evidence {
      Evidence(
        "\(words): \(NumberWords.percent(before.percent)) of \(NumberWords.grouped(before.whole)) "
          + "before (\(difference)), then", after.share * 100, .percent)
    }
  }

  private func detection(_ at: Instant, _ first: Int, on last: Int) -> Detection? {
    let own = changes.filter { $0.changedAt == at && (Self.isLimit($0) || Self.isPrice($0)) }
    let measures = measures(at, first, last).filter {
      min($0.before.whole, $0.after.whole) >= Self.fewestPeople
    }
    let proven = measures.filter { $0.verdict != nil && $0.verdict != .notProven }
    guard let main = proven.first else { return nil }
    let titles = own.map(\.words)
    let direction = main.verdict == .higher ? "more" : "fewer"
    let name = own.first?.wireName ?? ""
    return Detection(
      .notice, .settingEffect, "effect \(name)", since: first, days.names,
      at: (.limits, LimitExperiments.id), weight: 350, topics: [.blocks],
      explains: [.blocks, .subscriptionTaps, .sales],
      "Since \(titles.listed) on \(days.names.name(first)), \(direction) people "
        + "\(main.words.lowercased()): \(NumberWords.percent(main.after.percent)) instead of "
        + "\(NumberWords.percent(main.before.percent)) (\(main.difference)).",
      evidence: measures.map(\.evidence) + [money(own, first, last)].compactMap(\.self),
      advice: harmful(at).map { "Revert it: \($0.words) was meant to bring \($0.expected)." }
        ?? "Compare its gain with the people who leave; other things may have changed on these days, "
        + "too.")
  }

  /// The proposal of this change that the people say to revert: docs/proposals.md#watch.
  private func harmful(_ at: Instant) -> (words: String, expected: String)? {
    let found = proposals.lazy.map { WatchedProposal($0, changes, experiments) }.first {
      $0.beginning?.changedAt == at && $0.end == nil && $0.verdict == .revert
    }
    return found.map {
      ($0.words, "\(PointChange.signed($0.proposal.expectedPoints)) points")
    }
  }

  /// What new subscribers pay first, a day; nil without prices of one currency, and with fewer than
  /// seven whole days on a side.
  private func money(_ own: [SettingChange], _ first: Int, _ last: Int) -> Evidence? {
    let priced = own.first(where: Self.isPrice)
    let before = priced.map { $0.oldValue.flatMap { PriceText($0) } } ?? price
    let after = priced.map { $0.newValue.flatMap { PriceText($0) } } ?? price
    guard let before, let after, before.knownCurrency == after.knownCurrency else { return nil }
    let length = min(Self.longest, last - first + 1, first)
    func side(_ span: Range<Int>, _ price: PriceText) -> FirstTerms.Side {
      let whole = days.days[span].filter { $0.coverage == .whole }
      return FirstTerms.Side(
        subscribers: whole.reduce(0) { $0 + $1.newSubscribers }, days: whole.count,
        price: price.amount)
    }
    let terms = FirstTerms(
      before: side((first - length)..<first, before), after: side(first..<(first + length), after))
    guard min(terms.before.days, terms.after.days) >= Self.firstTold else { return nil }
    let currency = before.knownCurrency ?? price?.knownCurrency ?? "¤"
    return Evidence(
      "First terms a day in \(currency) "
        + "(before \(NumberWords.decimal(terms.before.money, places: 2)); \(terms.words))",
      terms.after.money, .money, currency: currency)
  }

  /// People as the card of the change counts them; sales of a price or a limit by person and day.
  private func measures(_ at: Instant, _ first: Int, _ last: Int) -> [Measure] {
    let length = min(Self.longest, last - first + 1, first)
    let before = days.days[(first - length)..<first]
    let after = days.days[first..<(first + length)]
    func sum(_ days: ArraySlice<DayFacts>, _ figure: KeyPath<DayFacts, Int>) -> Int {
      days.reduce(0) { $0 + $1[keyPath: figure] }
    }
    func daily(_ words: String, _ figure: KeyPath<DayFacts, Int>) -> Measure {
      let people = [before, after].map { sum($0, \.activeUsers) }
      let parts = [before, after].map { sum($0, figure) }
      return Measure(
        words: words, before: Ratio(min(parts[0], people[0]), of: people[0]),
        after: Ratio(min(parts[1], people[1]), of: people[1]))
    }
    let card = experiments?.experiments.first { $0.at == at }
    let people = card.map { card in
      [("Were blocked", \ExperimentData.Side.blocked), ("Tapped to subscribe", \.tapped)].map {
        words, part in
        Measure(
          words: words, before: Ratio(card.before[keyPath: part], of: card.before.people),
          after: Ratio(card.after[keyPath: part], of: card.after.people))
      }
    }
    return (people ?? [daily("Tapped to subscribe on a day", \.subscriptionTaps)])
      + [daily("Subscribed on a day", \.newSubscribers)]
  }
}

/// What new subscribers pay for their first terms before and after a change.
struct FirstTerms {
  struct Side {
    let subscribers: Int
    let days: Int
    /// What each pays.
    let price: Double

    /// On the mean of a day.
    var money: Double { scale * Double(subscribers) }

    /// Of the mean of a day, by chance of a Poisson count.
    var interval: ConfidenceInterval {
      let counts = Statistics.poisson(subscribers)
      return ConfidenceInterval(lower: scale * counts.lower, upper: scale * counts.upper)
    }

    private var scale: Double { price / Double(max(days, 1)) }
  }

  let before: Side
  let after: Side

  /// The difference of a day, positive for more now.
  var difference: ConfidenceInterval {
    Statistics.difference(
      from: (before.money, before.interval), to: (after.money, after.interval))
  }

  /// `+2.99, −0.55 to +6.64`.
  var words: String {
    func signed(_ amount: Double) -> String { NumberWords.signed(amount, places: 2) }
    return signed(after.money - before.money)
      + ", \(signed(difference.lower)) to \(signed(difference.upper))"
  }
}
