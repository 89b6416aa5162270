import Model
import Store

/// The shares of an app that are judged: docs/shares.md.
struct ShareSet {
  private(set) var series: [ShareSeries] = []

  private let shares: ShareCounts
  /// The number of complete days, and the first of them that parts are counted on.
  private let dayCount: Int
  private let offset: Int

  init(
    _ usage: UsageData, feedback: [RatingsData.FeedbackEntry], days: JudgedDays, counts: HourCounts
  ) {
    shares = usage.shares
    dayCount = days.days.count
    let length = shares.cells[[]]?.first?.count ?? shares.lastSeen.count
    offset = usage.history.days.count - length
    series.append(Self.unnamed(days, counts))
    series.append(late())
    series += fields() + offers() + filters() + parts() + pairs() + measures()
    series += Self.blocks(counts, dayCount: dayCount) + actions(usage.parts)
    series += actions(counts) + Self.texts(feedback, days)
  }

  /// A count of the last days as one of all complete days.
  private func padded(_ counts: [Int]) -> [Int] {
    (0..<dayCount).map { day in
      counts.indices.contains(day - offset) ? counts[day - offset] : 0
    }
  }

  private func counts(_ measure: ShareCounts.Measure, _ parts: [ShareCounts.Part]) -> [Int] {
    padded(shares.counts(measure, of: parts))
  }

  /// Lines of one person count many times.
  private static func unnamed(_ days: JudgedDays, _ counts: HourCounts) -> ShareSeries {
    let lines = counts.hours.map { $0.reduce(0, +) }
    var series = ShareSeries(
      subject: .unnamed,
      counts: zip(lines, days.days).map { max(0, $0 - $1.concentration.events) }, wholes: lines)
    series.leastDispersion = 20
    series.leastShare = 0.1
    return series
  }

  /// A clock that is behind dates many lines.
  private func late() -> ShareSeries {
    var series = ShareSeries(
      subject: .late, counts: padded(shares.lateLines), wholes: padded(shares.importedLines))
    series.leastDispersion = 20
    return series
  }

  private func fields() -> [ShareSeries] {
    ShareCounts.Field.allCases.compactMap { field in
      shares.blankFields[field].map {
        ShareSeries(
          subject: .field(field), counts: padded($0), wholes: padded(shares.lastSeen))
      }
    }
  }

  private func offers() -> [ShareSeries] {
    func sum(_ isCounted: (ShareCounts.Offer) -> Bool) -> [Int] {
      shares.offers.reduce(into: [Int](repeating: 0, count: dayCount)) { sum, offer in
        guard isCounted(offer.key) else { return }
        for (day, count) in padded(offer.value).enumerated() { sum[day] += count }
      }
    }
    let all = sum { _ in true }
    let prices = Set(shares.offers.keys.map(\.price)).sorted().map { price in
      ShareSeries(subject: .price(price), counts: sum { $0.price == price }, wholes: all)
    }
    let limits = Feature.allCases.flatMap { feature in
      let own = shares.offers.keys.filter { $0.feature == feature }
      return Set(own.map(\.limit)).sorted { ($0 ?? 0) < ($1 ?? 0) }.map { limit in
        ShareSeries(
          subject: .limit(feature, limit),
          counts: sum { $0.feature == feature && $0.limit == limit },
          wholes: sum { $0.feature == feature })
      }
    }
    return limits + prices
  }

  /// One person filters several times.
  private func filters() -> [ShareSeries] {
    var series = ShareSeries(
      subject: .filters, counts: padded(shares.filtersWithoutResult), wholes: padded(shares.filters)
    )
    (series.leastDispersion, series.leastShare) = (Self.dispersionOfTaps, 0.1)
    return [series]
  }

  /// The values of the people of a day.
  ///
  /// Versions come and go, so only people without one are judged.
  private func parts() -> [ShareSeries] {
    let all = counts(.people, [])
    return cells(1).compactMap { parts in
      guard parts[0].dimension != .version || parts[0].value.isEmpty else { return nil }
      var series = ShareSeries(subject: .part(parts), counts: counts(.people, parts), wholes: all)
      series.leastFall = Self.leastFall
      return series
    }
  }

  /// What a country or a language must have lost of its share.
  private static let leastFall = 0.25

  /// The values of the people of a version.
  private func pairs() -> [ShareSeries] {
    cells(2).compactMap { parts in
      guard parts[0].dimension == .version, !parts[0].value.isEmpty,
        parts[1].dimension == .userType || parts[1].value.isEmpty
      else { return nil }
      return ShareSeries(
        subject: .part(parts), counts: counts(.people, parts),
        wholes: counts(.people, [parts[0]]))
    }
  }

  private func cells(_ count: Int) -> [[ShareCounts.Part]] {
    shares.cells.keys.filter { $0.count == count }.sorted { one, other in
      one.map { "\($0.dimension.rawValue) \($0.value)" }
        .lexicographicallyPrecedes(other.map { "\($0.dimension.rawValue) \($0.value)" })
    }
  }

  private typealias Share = (
    part: ShareCounts.Measure, whole: ShareCounts.Measure, parts: [[ShareCounts.Dimension]]
  )

  /// The first people with a new version are unlike the others, so some matters are not judged by
  /// it.
  private static let judged: [Share] = [
    (.lost, .subscribers, []),
    (.blocked, .limited, [[.version]] + places + pairs),
    (.failed, .tapping, [[.version]] + places + pairs),
    (.popups, .free, places + [[.country, .platform]]),
    (.subscriptionTaps, .popups, places),
    (.newcomers, .people, places + [[.country, .platform]]),
  ]
  private static let places: [[ShareCounts.Dimension]] = [[.country], [.language], [.platform]]
  private static let pairs: [[ShareCounts.Dimension]] = [
    [.country, .platform], [.version, .platform],
  ]

  private func measures() -> [ShareSeries] {
    let cells = cells(1) + (hasPlatforms ? cells(2) : [])
    return Self.judged.flatMap { share -> [ShareSeries] in
      let parts = [[]] + cells.filter { share.parts.contains($0.map(\.dimension)) }
      return parts.map { measure(share, $0) }
    }
  }

  /// Pairs with the only platform say what their other part says.
  private var hasPlatforms: Bool { cells(1).count { $0[0].dimension == .platform } > 1 }

  private func measure(_ share: Share, _ parts: [ShareCounts.Part]) -> ShareSeries {
    var series = ShareSeries(
      subject: .measure(share.part, parts), counts: counts(share.part, parts),
      wholes: counts(share.whole, parts))
    if !parts.isEmpty {
      series.otherCounts = zip(counts(share.part, []), series.counts).map(-)
      series.otherWholes = zip(counts(share.whole, []), series.wholes).map(-)
    }
    switch share.part {
    case .lost:
      (series.fewest, series.fewestBefore, series.timesBefore) = (6, 20, 0.5)
      series.leastCount = 3
    case .failed: series.leastDispersion = 2
    default: break
    }
    return series
  }

  private static func blocks(_ counts: HourCounts, dayCount: Int) -> [ShareSeries] {
    Feature.allCases.compactMap { feature in
      func uses(_ kind: EventKind) -> [Int]? {
        counts.uses[HourCounts.Use(feature: feature, kind: kind)]
      }
      guard let taps = uses(.buttonTapped) else { return nil }
      let none = [Int](repeating: 0, count: dayCount)
      let blocks = zip(uses(.blockedLimitReached) ?? none, uses(.blockedCooldown) ?? none).map(+)
      var series = ShareSeries(
        subject: .blocks(feature), counts: zip(blocks, taps).map(min), wholes: taps)
      series.leastDispersion = dispersionOfTaps
      return series
    }
  }

  /// Who taps, taps again, so taps vary by more than chance.
  private static let dispersionOfTaps = 3.0

  /// The taps in each six hours of the day that led to an action, feature by feature.
  private func actions(_ counts: HourCounts) -> [ShareSeries] {
    Feature.allCases.flatMap { feature -> [ShareSeries] in
      func uses(_ kind: EventKind) -> [[Int]]? {
        counts.sixHourUses[HourCounts.Use(feature: feature, kind: kind)]
      }
      guard let taps = uses(.buttonTapped),
        let performed = uses(.performed).map({ zip($0, taps).map { zip($0, $1).map(min) } })
      else { return [] }
      let all = (taps.summed(dayCount), performed.summed(dayCount))
      return taps.indices.map { place in
        let part = ShareCounts.Part(.hours, "\(6 * place) to \(6 * place + 6)")
        return actions(feature, part, (taps[place], performed[place]), of: all)
      }
    }
  }

  private typealias Actions = (taps: [Int], performed: [Int])

  /// Judged beside the others, whose change excuses it.
  private func actions(
    _ feature: Feature, _ part: ShareCounts.Part, _ counts: Actions, of all: Actions
  ) -> ShareSeries {
    var series = ShareSeries(
      subject: .actions(feature, [part]), counts: counts.performed, wholes: counts.taps)
    series.otherCounts = zip(all.performed, counts.performed).map(-)
    series.otherWholes = zip(all.taps, counts.taps).map(-)
    series.needsOthers = true
    (series.fewest, series.timesBefore) = (20, 0.5)
    series.leastDispersion = Self.dispersionOfTaps
    return series
  }

  /// The taps of the people of each part that led to an action, feature by feature.
  private func actions(_ parts: [AppDimension: AppDimension.Days]) -> [ShareSeries] {
    func counts(_ days: AppDimension.Days, _ feature: Feature) -> Actions {
      let taps = days.taps[feature.position]
      return (padded(taps), padded(zip(days.performed[feature.position], taps).map(min)))
    }
    return ShareCounts.Dimension.allCases.flatMap { dimension -> [ShareSeries] in
      let own = parts.filter { $0.key.kind.rawValue == dimension.rawValue }
        .sorted { $0.key.name < $1.key.name }
      return Feature.allCases.flatMap { feature -> [ShareSeries] in
        let counts = own.map { counts($0.value, feature) }
        let all = (
          counts.map(\.taps).summed(dayCount), counts.map(\.performed).summed(dayCount)
        )
        return zip(own, counts).map { part, counts in
          var series = actions(
            feature, ShareCounts.Part(dimension, part.key.name), counts, of: all)
          series.people = padded(part.value.people)
          return series
        }
      }
    }
  }

  /// Texts of several words that differ in nothing but case and signs say the same.
  private static func texts(_ entries: [RatingsData.FeedbackEntry], _ days: JudgedDays)
    -> [ShareSeries]
  {
    var all = [Int](repeating: 0, count: days.days.count)
    var texts: [String: [Int]] = [:]
    let none = all
    for entry in entries {
      let at = Instant(unixSeconds: entry.feedback.timestamp)
      guard let day = days.days.lastIndex(where: { $0.start <= at }), at < days.days[day].end
      else { continue }
      all[day] += 1
      let words = entry.feedback.text.lowercased().split { !$0.isLetter && !$0.isNumber }
      guard words.count > 2 else { continue }
      texts[words.joined(separator: " "), default: none][day] += 1
    }
    return texts.filter { $0.value.reduce(0, +) > 4 }.sorted { $0.key < $1.key }.map {
      var series = ShareSeries(subject: .text($0.key), counts: $0.value, wholes: all)
      (series.fewest, series.fewestBefore, series.timesBefore) = (8, 10, 0.5)
      (series.leastCount, series.leastShare) = (5, 0.2)
      return series
    }
  }
}
