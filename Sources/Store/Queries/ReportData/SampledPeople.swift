import Model

/// What the parameters of the sampled events say, by the numbers of people.
struct SampledPeople {
  /// An event's parameters, by their names without the platform.
  struct Parameters {
    private let values: [String: EventValue]
    private let platform: String

    /// Reads the column `parameters`.
    init(_ text: UnsafeRawBufferPointer, platform: String) throws(UnreadableCell) {
      guard let values = ParameterText.parameters(text.assumingMemoryBound(to: UInt8.self)) else {
        throw UnreadableCell(
          table: "events", column: "parameters", value: String(decoding: text, as: UTF8.self))
      }
      self.values = values
      self.platform = platform
    }

    /// The whole number of a parameter, as a number or in digits; nil for none.
    func integer(_ name: String) -> Int? {
      switch values["\(platform)_\(name)"] {
      case .integer(let number): Int(number)
      case .double(let number): Int(exactly: number)
      case .string(let text): Int(text)
      case nil: nil
      }
    }

    /// The text of a parameter; empty for none, and for numbers.
    func string(_ name: String) -> String {
      guard case .string(let text) = values["\(platform)_\(name)"] else { return "" }
      return text
    }
  }

  /// The columns that are read of a sampled event.
  struct Detail {
    let at: Int64
    let person: Int
    let event: BucketCounter.EventKey
    let country: String
    let parameters: Parameters

    var isFree: Bool { event.userType == .freeUser }
  }

  /// A popup, or a tap on the subscription button, with the limit that it carries.
  private struct Offer {
    let at: Int64
    let person: Int
    let limit: Int
    let isAtLimit: Bool
    let isTap: Bool
  }

  private struct Filters {
    var taps = 0
    var people: Set<Int> = []
    var answered = 0
    var empty = 0
  }

  private struct Wanted {
    var name: String
    var people: Set<Int> = []
  }

  private(set) var countries: [Int: String] = [:]
  private var shown: [Int: Set<Int>] = [:]
  private var tapped: [Int: Set<Int>] = [:]
  private var offers: [Feature: [Offer]] = [:]
  /// Free users by what they filtered for; nil for filters without criteria.
  private var criteria: [FilterCriterion?: Set<Int>] = [:]
  private var filters: [[FilterCriterion]: Filters] = [:]
  private var genders: [String: Wanted] = [:]
  private var wantedCountries: [String: Wanted] = [:]

  /// Events come in the order in which they were stored.
  mutating func add(_ event: Detail) {
    if countries[event.person, default: ""].isEmpty { countries[event.person] = event.country }
    let isFree = event.event.userType == .freeUser
    switch event.event.kind {
    case .popupShown where isFree: addOffer(event, isTap: false)
    case .subscriptionButtonTapped where isFree: addOffer(event, isTap: true)
    case .buttonTapped where event.event.feature == .filter: addFilter(event)
    case .performed where event.event.feature == .filter: addAnswer(event)
    default: break
    }
  }

  private mutating func addOffer(_ event: Detail, isTap: Bool) {
    guard let limit = event.parameters.integer("usage_limit"),
      let usage = event.parameters.integer("current_usage"), limit > 0, usage >= 0
    else { return }
    let left = max(0, limit - usage)
    if isTap {
      tapped[left, default: []].insert(event.person)
    } else {
      shown[left, default: []].insert(event.person)
    }
    offers[event.event.feature, default: []].append(
      Offer(
        at: event.at, person: event.person, limit: limit, isAtLimit: left == 0, isTap: isTap))
  }

  private mutating func addFilter(_ event: Detail) {
    let found = Self.criteria(event.parameters)
    filters[found, default: Filters()].taps += 1
    filters[found, default: Filters()].people.insert(event.person)
    if event.event.userType == .freeUser {
      for criterion in found.isEmpty ? [nil] : found.map(Optional.some) {
        criteria[criterion, default: []].insert(event.person)
      }
    }
    Self.add(event.parameters.string("filter_gender"), event.person, to: &genders)
    Self.add(event.parameters.string("filter_country"), event.person, to: &wantedCountries)
  }

  private mutating func addAnswer(_ event: Detail) {
    guard let results = event.parameters.integer("filter_result_count") else { return }
    let found = Self.criteria(event.parameters)
    filters[found, default: Filters()].answered += 1
    if results == 0 { filters[found, default: Filters()].empty += 1 }
  }

  private static func add(_ name: String, _ person: Int, to wanted: inout [String: Wanted]) {
    guard !name.isEmpty else { return }
    wanted[name.lowercased(), default: Wanted(name: name)].people.insert(person)
  }

  /// Those that the event names in words, or by a parameter of their own.
  static func criteria(_ parameters: Parameters) -> [FilterCriterion] {
    let words = parameters.string("filter_criteria").lowercased()
      .split(separator: ",").map { $0.drop { $0 == " " } }
    return FilterCriterion.allCases.filter { criterion in
      let isNamed = words.contains { word in
        word == criterion.rawValue || word.hasPrefix("\(criterion.rawValue) ")
      }
      return switch criterion {
      case .gender: isNamed || !parameters.string("filter_gender").isEmpty
      case .country: isNamed || !parameters.string("filter_country").isEmpty
      case .language: isNamed || !parameters.string("filter_language").isEmpty
      case .age, .nearby: isNamed
      }
    }
  }
}

/// The figures, after all events.
extension SampledPeople {
  var attempts: [PeopleData.Attempt] {
    shown.keys.sorted().map { left in
      let people = shown[left] ?? []
      return PeopleData.Attempt(
        left: left, people: people.count,
        tapped: people.intersection(tapped[left] ?? []).count)
    }
  }

  func countries(of people: PeopleCount) -> [PeopleData.Group] {
    let members = Dictionary(grouping: countries.keys) { countries[$0] ?? "" }
    return members.map { name, members in
      PeopleData.Group(name: name, stages: people.stages(of: Set(members)))
    }
    .filter { $0.stages.active > 0 }
    .sorted { ($1.stages.active, $0.name) < ($0.stages.active, $1.name) }
  }

  func criteria(of people: PeopleCount) -> [PeopleData.Group] {
    (FilterCriterion.allCases.map(Optional.some) + [nil]).compactMap { criterion in
      criteria[criterion].map {
        PeopleData.Group(name: criterion?.rawValue ?? "", stages: people.stages(of: $0))
      }
    }
  }

  var demand: DemandData {
    let tappers = filters.values.reduce(into: Set<Int>()) { $0.formUnion($1.people) }
    let combinations = filters.map { criteria, filters in
      DemandData.Combination(
        criteria: criteria, taps: filters.taps, people: filters.people.count,
        answered: filters.answered, empty: filters.empty)
    }
    return DemandData(
      people: tappers.count,
      combinations: combinations.sorted { ($1.taps, $0.words) < ($0.taps, $1.words) },
      genders: Self.sorted(genders), countries: Self.sorted(wantedCountries))
  }

  private static func sorted(_ wanted: [String: Wanted]) -> [DemandData.Wanted] {
    wanted.values.map { DemandData.Wanted(name: $0.name, people: $0.people.count) }
      .sorted { ($1.people, $0.name) < ($0.people, $1.name) }
  }

  var splits: [ExperimentData.LimitSplit] {
    Feature.allCases.compactMap { feature in offers[feature].flatMap { split(feature, $0) } }
  }

  /// How long two limits must have been live together to be compared.
  static let shortestOverlap = Duration.seconds(86_400)

  /// Whether both limits were met in most of the days of 24 hours: one that was changed and changed
  /// back was never live beside the other.
  private func areTogether(_ times: [[Int64]], from start: Int64, to end: Int64) -> Bool {
    let day: Int64 = 86_400_000_000
    // The rest of less than a day belongs to the last one.
    let last = max(0, (end - start) / day - 1)
    let days = times.map { times in
      Set(times.filter { (start...end).contains($0) }.map { min(last, ($0 - start) / day) })
    }
    let both = days.dropFirst().reduce(days[0]) { $0.intersection($1) }
    return 2 * both.count > Int(last) + 1
  }

  /// The two limits with most popups while both were live; nil when there are not two.
  private func split(_ feature: Feature, _ offers: [Offer]) -> ExperimentData.LimitSplit? {
    let byLimit = Dictionary(grouping: offers, by: \.limit)
    let limits = byLimit.keys.sorted {
      (byLimit[$1]?.count ?? 0, $0) < (byLimit[$0]?.count ?? 0, $1)
    }.prefix(2).sorted()
    let times = limits.compactMap { limit in byLimit[limit].map { $0.map(\.at) } }
    guard limits.count == 2, let start = times.compactMap({ $0.min() }).max(),
      let end = times.compactMap({ $0.max() }).min(),
      Instant(microseconds: end) - Instant(microseconds: start) >= Self.shortestOverlap,
      areTogether(times, from: start, to: end)
    else { return nil }
    let sides = limits.map { limit in
      (byLimit[limit] ?? []).filter { (start...end).contains($0.at) }
    }
    let people = sides.map { Set($0.filter { !$0.isTap }.map(\.person)) }
    let both = people[0].intersection(people[1])
    func side(_ index: Int) -> ExperimentData.Side {
      let alone = people[index].subtracting(both)
      return ExperimentData.Side(
        people: alone.count,
        blocked: alone.intersection(sides[index].filter(\.isAtLimit).map(\.person)).count,
        tapped: alone.intersection(sides[index].filter(\.isTap).map(\.person)).count)
    }
    return ExperimentData.LimitSplit(
      feature: feature, start: Instant(microseconds: start), end: Instant(microseconds: end),
      lowerLimit: limits[0], higherLimit: limits[1], lower: side(0), higher: side(1),
      seenWithBoth: both.count)
  }
}

extension DemandData.Combination {
  fileprivate var words: String { criteria.map(\.rawValue).joined(separator: " ") }
}
