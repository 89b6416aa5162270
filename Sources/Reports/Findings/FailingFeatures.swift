import Model
import Store

/// Finds features that hardly work in a country, a language or a version, while they work
/// elsewhere: docs/findings.md#failing.
///
/// Compared are the same days elsewhere, so a release that is broken from its first day on is seen.
struct FailingFeatures {
  /// Days that are judged together, at most: then it is the new normal.
  static let longest = 7
  /// Taps elsewhere that say how often an action follows.
  static let fewestTaps = 30
  /// The days before in which it worked, and what of the expected actions came then at least.
  static let daysBefore = 14
  static let leastBefore = 0.25
  /// How much more actions vary than by chance: who taps, taps again.
  static let dispersion = 2.0

  let days: JudgedDays
  /// Replaces the floor of what stops; nil leaves it.
  var ownFloor: Double?
  private let parts: [AppDimension: AppDimension.Days]
  private let wholes: [AppDimension.Kind: AppDimension.Days]
  /// The first day that parts are counted on.
  private let offset: Int

  struct Failing: Hashable {
    let part: AppDimension
    let feature: Feature
    let firstDay: Int
    let taps: Int
    let count: Int
    /// The actions after as many taps elsewhere.
    let expected: Double
  }

  private struct Sums {
    var taps = 0
    var performed = 0
    var people = 0
  }

  /// `historyDays` is the number of days of the history, whose last ones the parts are counted on.
  init(
    days: JudgedDays, parts: [AppDimension: AppDimension.Days], historyDays: Int,
    ownFloor: Double? = nil
  ) {
    self.days = days
    self.parts = parts
    self.ownFloor = ownFloor
    let length = parts.values.first?.people.count ?? 0
    offset = historyDays - length
    var wholes: [AppDimension.Kind: AppDimension.Days] = [:]
    for (part, counts) in parts {
      wholes[part.kind, default: AppDimension.Days(days: length)].add(counts)
    }
    self.wholes = wholes
  }

  /// The one that misses most comes first.
  func failing(on day: Int) -> [Failing] {
    guard day >= offset else { return [] }
    return parts.flatMap { part, counts in
      Feature.allCases.compactMap { failing($0, in: part, counts, on: day) }
    }.sorted {
      $0.expected == $1.expected
        ? $0.part.name < $1.part.name : $0.expected > $1.expected
    }
  }

  private func failing(
    _ feature: Feature, in part: AppDimension, _ counts: AppDimension.Days, on day: Int
  ) -> Failing? {
    guard let whole = wholes[part.kind] else { return nil }
    // One day earlier than the reported ones: what began then is the new normal.
    let earliest = day - Self.longest
    let found = (max(offset, earliest)...day).lazy.compactMap { first -> Failing? in
      let own = sums(counts, feature, first..<(day + 1))
      let rate = rate(beside: own, of: whole, feature, first..<(day + 1))
      // It began with its first day, and is not over.
      let ends = [first, day].map { sums(counts, feature, $0..<($0 + 1)) }
      guard ends[0].taps > 0, ends.allSatisfy({ isLow($0, rate: rate) }),
        isFailing(own, expected: rate * Double(own.taps), onDays: day - first + 1),
        worked(counts, of: whole, feature, before: first)
      else { return nil }
      return Failing(
        part: part, feature: feature, firstDay: first, taps: own.taps, count: own.performed,
        expected: rate * Double(own.taps))
    }.first
    return found?.firstDay == earliest ? nil : found
  }

  /// The actions after a tap elsewhere; 0 when too few people tapped there.
  private func rate(
    beside own: Sums, of whole: AppDimension.Days, _ feature: Feature, _ span: Range<Int>
  ) -> Double {
    let all = sums(whole, feature, span)
    let taps = all.taps - own.taps
    return taps < Self.fewestTaps ? 0 : Double(all.performed - own.performed) / Double(taps)
  }

  private func isLow(_ day: Sums, rate: Double) -> Bool {
    Double(day.performed) <= StoppedParts.mostOfDay * rate * Double(day.taps)
  }

  private func isFailing(_ own: Sums, expected: Double, onDays count: Int) -> Bool {
    let tenth = expected / StoppedParts.mostLeft
    let most = min(
      expected * StoppedParts.utmost,
      tenth + StoppedParts.slack * (Self.dispersion * tenth).squareRoot())
    let people = Double(own.people) / (1 + StoppedParts.comesAgain * Double(count - 1))
    return expected >= floor && Double(own.performed) <= most
      && people >= StoppedParts.peopleFloor
      && StoppedParts.chance(
        of: Double(own.performed) / Self.dispersion, around: expected / Self.dispersion)
        < StoppedParts.probability
  }

  /// Whether it worked in the days before, or was hardly used: what never worked there is no news.
  private func worked(
    _ counts: AppDimension.Days, of whole: AppDimension.Days, _ feature: Feature, before first: Int
  ) -> Bool {
    let span = max(offset, first - Self.daysBefore)..<first
    let own = sums(counts, feature, span)
    let expected = rate(beside: own, of: whole, feature, span) * Double(own.taps)
    return expected < floor || Double(own.performed) >= Self.leastBefore * expected
  }

  private var floor: Double { ownFloor ?? StoppedParts.floor }

  private func sums(_ counts: AppDimension.Days, _ feature: Feature, _ span: Range<Int>) -> Sums {
    span.reduce(into: Sums()) { sums, day in
      sums.taps += counts.taps[feature.position][day - offset]
      sums.performed += counts.performed[feature.position][day - offset]
      sums.people += counts.people[day - offset]
    }
  }
}

extension FailingFeatures {
  /// One finding of all that fails, in sentences.
  func found(on day: Int) -> [Detection] {
    let failing = failing(on: day)
    guard let main = failing.first else { return [] }
    let first = failing.map(\.firstDay).min() ?? day
    let more = failing.count - 1
    let others = more == 0 ? "" : ", and in \(NumberWords.counted(more, "other case"))"
    let elsewhere = Ratio(Int(main.expected.rounded()), of: main.taps)
    return [
      Detection(
        .error, .dead, "dead features-of-parts", since: first, days.names, at: (.usage, "features"),
        weight: 400 + 10 * (1 - Double(main.count) / main.expected), topics: [.use],
        direction: .fell, explains: [.actions],
        "\(main.feature.title) hardly works \(main.part.whereWords) since "
          + "\(days.names.name(first))\(others): \(NumberWords.counted(main.count, "action")) "
          + "after \(NumberWords.counted(main.taps, "tap")), elsewhere after "
          + "\(NumberWords.percent(elsewhere.percent)) of them.",
        evidence: failing.prefix(4).map { one in
          Evidence(
            "\(one.feature.title) \(one.part.whereWords): actions after "
              + "\(NumberWords.counted(one.taps, "tap")) since \(days.names.name(one.firstDay))",
            Double(one.count), .count, expected: one.expected...one.expected)
        },
        advice: "Try it there: a server, a setting, or a fault of that version?")
    ]
  }
}

extension AppDimension.Days {
  /// Adds the taps and the actions of another part.
  fileprivate mutating func add(_ other: AppDimension.Days) {
    taps = zip(taps, other.taps).map { zip($0, $1).map(+) }
    performed = zip(performed, other.performed).map { zip($0, $1).map(+) }
  }
}

extension AppDimension {
  /// As the end of a sentence: `in India`.
  fileprivate var whereWords: String {
    switch kind {
    case .country, .language: "in \(VisibleText.clipped(name, to: 40))"
    case .version: "in version \(VisibleText.clipped(name, to: 20))"
    case .platform: "on \(PlatformWords.title(name))"
    }
  }
}
