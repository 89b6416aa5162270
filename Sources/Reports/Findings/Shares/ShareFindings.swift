import Model

/// Sentences about values or acts of people, or of a part of them, that have changed:
/// docs/shares.md.
struct ShareFindings {
  typealias Judged = ShareRule.Judged

  /// Days for which a finding is listed; then it is the new normal.
  static let longest = 7
  /// What is usual of a value that is new, at most; what is left of one that is gone, at most; and
  /// by how much the new one's share may differ from that of the one that is gone.
  static let mostOfNew = 0.02
  static let mostLeft = 0.1
  static let renamedWithin = 0.5
  /// As many people as usual came, in percent, though more of them seem new.
  static let mostPeople = 115.0
  /// A part that has so much of a deviation, and at most so much of the whole, names where it is.
  static let leastOfDeviation = 0.7
  static let mostOfWhole = 0.6
  /// What is left of the actions after taps, at most, where a feature hardly works.
  static let mostOfActions = 0.5
  /// What is left of the people of a country or a language, at most, when their share fell.
  static let mostPeopleOfFall = 0.8
  /// What a new country had of the people, at most, and the people of its last seven days.
  static let mostBeforeOfRegion = 0.01
  static let leastOfRegion = 20.0

  let rule: ShareRule
  let set: ShareSet
  /// The day of the newest change of a limit or a price; nil without one.
  let changedOn: Int?
  /// Actions that must have been expected where a feature hardly works.
  var leastActions = StoppedParts.floor
  /// People whom a new country must have.
  var leastOfRegion = Self.leastOfRegion

  private var days: JudgedDays { rule.days }

  func found(on day: Int) -> [Detection] {
    let byDay = (max(0, day - Self.longest)...day).map { matters(on: $0) }
    guard let today = byDay.last else { return [] }
    return today.sorted { ($0.key.rank, $0.key.name) < ($1.key.rank, $1.key.name) }
      .compactMap { matter, judged -> Detection? in
        let first = days.firstDay(until: day, across: 2, back: byDay.count - 1) {
          byDay[$0 - day + byDay.count - 1][matter] != nil
        }
        return day - first < Self.longest ? detection(matter, judged, since: first, on: day) : nil
      }
  }

  /// What is out, by what it is about, the surest of each first.
  private func matters(on day: Int) -> [ShareMatter: [Judged]] {
    let found = rule.found(set.series, on: day)
    let hasNewcomers = found.contains {
      $0.series.subject == .measure(.newcomers, []) && $0.isRise
    }
    var matters: [ShareMatter: [Judged]] = [:]
    for judged in found {
      guard var matter = matter(of: judged, on: day) else { continue }
      // Called new, and not new to the ledger: it is what they are called that has changed.
      if case .part = judged.series.subject, matter == .newcomers, !hasNewcomers {
        matter = .userType
      }
      matters[matter, default: []].append(judged)
    }
    return matters
  }

  /// Nil when another rule reports it, or when it needs no report.
  private func matter(of judged: Judged, on day: Int) -> ShareMatter? {
    let isChanged = changedOn.map { $0 <= day && day - $0 <= JudgedDays.compared } ?? false
    switch judged.series.subject {
    case .part(let parts): return parts.last.flatMap { matter(of: judged, $0, parts, on: day) }
    case .measure(.popups, _): return .popups
    case .measure(.subscriptionTaps, _): return isChanged ? nil : .subscriptionTaps
    case .measure(.blocked, _), .blocks: return isChanged ? nil : .blocked
    case .actions:
      let isFailing =
        judged.share <= Self.mostOfActions * judged.expected
        && judged.expected * Double(judged.whole) >= leastActions
      return isFailing ? .failing : nil
    // A fall of these is not a fault, or the rule of weeks reports it.
    case _ where !judged.isRise: return nil
    case .unnamed: return .unnamed
    case .late: return .late
    case .measure(.newcomers, let parts):
      return parts.isEmpty && !hasMorePeople(day) ? .ids : .newcomers
    case .measure(.lost, _): return .lost
    case .measure(.failed, _): return .failed
    case .filters: return .filters
    case .limit(let feature, _): return isChanged ? nil : .limit(feature)
    case .price(""): return .blankPrice
    case .price: return isChanged ? nil : .price
    case .field(let field): return .blankField(field)
    case .text: return .texts
    case .measure: return nil
    }
  }

  private func matter(
    of judged: Judged, _ part: ShareCounts.Part, _ parts: [ShareCounts.Part], on day: Int
  ) -> ShareMatter? {
    guard judged.isRise else {
      let isPlace = part.dimension != .userType && !part.value.isEmpty && parts.count == 1
      return isPlace && hasFewer(judged, on: day) ? .fewer : nil
    }
    if part.value.isEmpty { return .blank(part.dimension) }
    if part.dimension == .userType {
      return part.value == UserType.newUser.rawValue ? .newcomers : .userType
    }
    guard oldName(of: judged, on: day) == nil else { return .renamed(part.dimension) }
    guard part.dimension == .country, judged.expected <= Self.mostBeforeOfRegion else {
      return .part(part.dimension)
    }
    let people = judged.series.counts[max(0, day - Self.longest + 1)...day].reduce(0, +)
    return Double(people) >= leastOfRegion ? .region(part.value) : nil
  }

  /// Whether there are fewer people of a part, and not only more of others.
  private func hasFewer(_ judged: Judged, on day: Int) -> Bool {
    let usual = (day - judged.dayCount + 1...day).filter { $0 == day || days.isUsual[$0] }
      .reduce(0) { sum, other in
        let alike = days.alike(before: day - ShareRule.gap, as: other)
        return sum + alike.map { Double(judged.series.counts[$0]) }.mean
      }
    return Double(judged.count) <= Self.mostPeopleOfFall * usual
  }

  private func hasMorePeople(_ day: Int) -> Bool {
    let usual = days.usualPeople(on: day, before: day - ShareRule.gap)
    return Double(days.days[day].activeUsers) * 100 > Self.mostPeople * usual
  }

  /// What people were called who now are called otherwise; nil when nobody is missing.
  private func oldName(of judged: Judged, on day: Int) -> String? {
    guard case .part(let parts) = judged.series.subject, parts.count == 1,
      judged.expected <= Self.mostOfNew
    else { return nil }
    let before = days.usual(before: day - ShareRule.gap)
    let span = (day - judged.dayCount + 1)...day
    return set.series.compactMap { series -> (name: String, gap: Double)? in
      guard case .part(let other) = series.subject, other.count == 1,
        other[0].dimension == parts[0].dimension, !other[0].value.isEmpty
      else { return nil }
      func share(_ days: some Sequence<Int>) -> Double {
        let sums = days.reduce(into: (count: 0, whole: 0)) {
          $0.count += series.counts[$1]
          $0.whole += series.wholes[$1]
        }
        return sums.whole == 0 ? 0 : Double(sums.count) / Double(sums.whole)
      }
      let usual = share(before)
      // Days before the first one still have the old name.
      let left = share([day])
      let now = share(span)
      let gap = abs(usual - now - judged.share)
      return usual > 0.01 && left <= Self.mostLeft * usual && gap <= Self.renamedWithin * usual
        ? (other[0].value, gap) : nil
    }.min { $0.gap < $1.gap }?.name
  }

  private func detection(
    _ matter: ShareMatter, _ all: [Judged], since first: Int, on day: Int
  ) -> Detection? {
    // Of what is out over several spans, the newest days show most.
    let judged = all.filter { one in
      !all.contains { $0.series == one.series && $0.dayCount < one.dayCount }
    }
    guard let main = judged.first else { return nil }
    // What follows a tap weighs nothing beside its rule.
    let weight = matter.weight + (matter == .failing ? 0 : abs(main.difference))
    var detection = Detection(
      matter.level(isRise: main.isRise), matter.rule, matter.name, since: first, days.names,
      at: matter.place,
      weight: weight, topics: matter.topics,
      direction: [.failing, .fewer].contains(matter) ? .fell : nil, explains: matter.explains,
      sentence(matter, main, judged, since: days.names.name(first), on: day) + ".",
      evidence: judged.prefix(3).map { ShareWords($0).evidence }, advice: matter.advice)
    detection.finding.judgements = all.map { ShareWords($0).judgement }
    return detection
  }

  /// Without its full stop.
  private func sentence(
    _ matter: ShareMatter, _ main: Judged, _ judged: [Judged], since name: String, on day: Int
  ) -> String {
    let words = ShareWords(main)
    switch matter {
    case .renamed:
      guard let old = oldName(of: main, on: day) else { break }
      return "\(VisibleText.clipped(old, to: 40)) has another name since \(name): "
        + "\(words.value) has \(words.share), and \(VisibleText.clipped(old, to: 40)) nobody"
    case .ids:
      return "\(words.share) of the people seem new since \(name), \(words.usual) usually, though "
        + "no more people came: their ids have changed"
    case .region:
      return "\(words.value) is new since \(name): \(words.share) of the people, "
        + "\(words.usual) usually"
    case .fewer:
      return "Fewer people \(words.part) since \(name): \(words.share) of all, "
        + "\(words.usual) usually"
    default: break
    }
    return "\(words.sentence) since \(name), \(words.usual) \(words.basis)"
      + place(of: main, judged, on: day)
  }

  /// Where most of a deviation is, as the end of a sentence; empty where it is everywhere.
  private func place(of main: Judged, _ judged: [Judged], on day: Int) -> String {
    guard case .measure(let measure, []) = main.series.subject else {
      guard case .part(let parts) = main.series.subject, parts.count == 1 else { return "" }
      let version = judged.first { one in
        guard case .part(let others) = one.series.subject, others.count == 2 else { return false }
        return others[1] == parts[0] && one.difference >= Self.leastOfDeviation * main.difference
      }
      guard case .part(let others)? = version?.series.subject else { return "" }
      return "; most of them \(ShareWords.place([others[0]]))"
    }
    let cells = set.series.compactMap { series -> Cell? in
      guard case .measure(measure, let parts) = series.subject, !parts.isEmpty else { return nil }
      let span = (day - main.dayCount + 1)...day
      let count = span.reduce(0) { $0 + series.counts[$1] }
      let whole = span.reduce(0) { $0 + series.wholes[$1] }
      let difference = Double(count) - main.expected * Double(whole)
      return Cell(parts: parts, whole: Double(whole), share: difference / main.difference)
    }
    guard let place = Cell.place(in: cells, of: Double(main.whole)) else { return "" }
    return "; most of them \(ShareWords.place(place))"
  }

  /// People of one part or two, and what share of a deviation they have.
  struct Cell {
    let parts: [ShareCounts.Part]
    let whole: Double
    let share: Double

    /// The part that has the most of a deviation, or two parts within it that have nearly as much;
    /// nil where it is everywhere.
    static func place(in cells: [Cell], of whole: Double) -> [ShareCounts.Part]? {
      let places = cells.filter {
        $0.share >= leastOfDeviation && $0.whole <= mostOfWhole * whole
      }
      let single = places.filter { $0.parts.count == 1 }.max { $0.share < $1.share }
      let pair = places.filter { $0.parts.count == 2 }.max { $0.share < $1.share }
      guard let single else { return pair?.parts }
      guard let pair, pair.parts.contains(single.parts[0]),
        pair.share >= leastOfDeviation * single.share, pair.whole <= mostOfWhole * single.whole
      else { return single.parts }
      return pair.parts
    }
  }
}
