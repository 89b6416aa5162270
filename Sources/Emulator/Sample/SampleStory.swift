import Firestore
package import Model

/// What happens to the sample app: nothing for two weeks, or a quarter of a year with its events.
///
/// The eventful one, by days before its end: other versions 80 and 45 days, a lower limit 35 days,
/// a second price 28 days, an outage of eight hours 21 days, a day that was never exported 16 days,
/// a release that crashes 5 days, and a country without people 2 days.
package struct SampleStory: Sendable {
  /// No event is later.
  let end: Instant
  package let days: Int
  /// When the limit of refreshes fell; nil when it never did.
  package let limitChangedAt: Instant?
  let isEventful: Bool

  static let badVersion = "3.3.0"
  static let quietCountry = "India"
  private static let releaseDays = 5

  /// Two weeks up to now in which nothing changes.
  package static func calm(now: Instant) -> SampleStory {
    SampleStory(end: now, days: 14, isEventful: false)
  }

  /// As many days as reports look back on; the last one ends at `end`.
  package static func eventful(until end: Instant) -> SampleStory {
    SampleStory(end: end, days: 102, isEventful: true)
  }

  private init(end: Instant, days: Int, isEventful: Bool) {
    self.end = end
    self.days = days
    self.isEventful = isEventful
    limitChangedAt = isEventful ? Self.moment(end, daysBefore: 35, hour: 9) : nil
  }

  private static func moment(_ end: Instant, daysBefore days: Int, hour: Int = 0) -> Instant {
    end - .seconds(days * 86_400 - hour * 3_600)
  }

  private func moment(daysBefore days: Int, hour: Int = 0) -> Instant {
    Self.moment(end, daysBefore: days, hour: hour)
  }

  /// The average number of sessions per user and day.
  var sessionsPerUser: Double { isEventful ? 0.15 : 0.125 }
  /// How much more of them each day has than the one before, of those of the first.
  var growth: Double { isEventful ? 0.001 : 0.02 }
  /// How often a session has 1, 2 and more taps.
  var tapWeights: [Int] {
    isEventful ? [30, 28, 18, 11, 6, 4, 2, 1] : [18, 22, 20, 14, 10, 7, 5, 4]
  }

  /// How many sessions six groups of people have, against each other.
  var visitWeights: [Int] { isEventful ? [1, 2, 3, 4, 6, 10] : [0, 1, 2, 4, 12, 40] }

  /// The percentage of taps on the subscription button that lead to a subscription.
  var buyers: Double { isEventful ? 24 : 35 }
  /// The percentage of visits of subscribers that they make as free users again.
  var lapses: Double { isEventful ? 2 : 0 }

  /// The first word of the names of somebody's events.
  func platform(ofId id: String) -> String {
    isEventful && id.lot(of: 37) < 30 ? "android" : "ios"
  }

  /// Whether somebody never signs in, so that no event names them.
  func isAnonymous(_ user: SampleUser) -> Bool { isEventful && user.id.lot(of: 53) < 5 }

  func limit(of feature: Feature, at: Instant) -> Int {
    guard feature == .refresh else { return 2 }
    return limitChangedAt.map { at < $0 } ?? true ? SampleLimits.refresh : SampleLimits.lower
  }

  func version(of user: SampleUser, at: Instant) -> String {
    guard isEventful else { return user.appVersion }
    let age = (end - at).components.seconds / 86_400
    if at >= moment(daysBefore: Self.releaseDays), user.rank < 70 - 12 * Int(age) {
      return Self.badVersion
    }
    switch user.appVersion {
    case "3.2.1" where at < moment(daysBefore: 80): return "3.1.4"
    case "3.2.1" where at < moment(daysBefore: 45): return "3.2.0"
    case "3.2.0" where at < moment(daysBefore: 80): return "3.1.4"
    default: return user.appVersion
    }
  }

  /// What the popup says that the subscription costs; half of the people see a second price.
  func price(for user: SampleUser, at: Instant) -> String {
    isEventful && at >= moment(daysBefore: 28) && user.rank.isMultiple(of: 2)
      ? "$3.99/week" : "$2.99/week"
  }

  /// Whether nobody of the country comes any longer.
  func isAway(_ country: String?, at: Instant) -> Bool {
    isEventful && country == Self.quietCountry && at >= moment(daysBefore: 2)
  }

  /// Since when nobody of the country has come; nil where people still come.
  func awaySince(_ country: Value?, at: Instant) -> Instant? {
    guard case .string(let name)? = country, isAway(name, at: at) else { return nil }
    return moment(daysBefore: 2)
  }

  /// How much longer ago than now everybody was seen at another load: more on a weekday and at
  /// night, and by the luck of the day and of the half hour.
  func absence(at load: Instant) -> Double {
    guard isEventful, load < end else { return 1 }
    let day = load.unixSeconds / 86_400
    let luck = Double((day &* 7_919 &+ 13) % 41 + (load.unixSeconds / 1_800 &* 31) % 23) / 100
    let calm = 1.3 - Double(DailyActivity.hours[load.localHour(utcOffsetHours: 0)]) / 20
    return (load.isWeekend(utcOffsetHours: 0) ? 0.8 : 1) * (0.7 + luck) * calm
  }

  func isExported(_ at: Instant) -> Bool {
    guard isEventful else { return true }
    let outage = moment(daysBefore: 21, hour: 9)..<moment(daysBefore: 21, hour: 17)
    let lost = moment(daysBefore: 16)..<moment(daysBefore: 15)
    return !outage.contains(at) && !lost.contains(at)
  }

  /// Where the ratings of the release begin.
  var releaseSeconds: Int { Self.releaseDays * 86_400 - 1 }

  /// How often 1 to 5 stars are given in ratings of that version.
  func starWeights(of version: String) -> [Int] {
    version == Self.badVersion ? [26, 20, 18, 18, 18] : [5, 5, 10, 32, 48]
  }

  /// The days before the end on which somebody comes, the last one first: `0...30`.
  ///
  /// Half were there before the first day; of those who came later two thirds leave within weeks.
  func stay(_ random: inout SeededRandom) -> ClosedRange<Int> {
    guard random.chance(55) else {
      return (random.chance(60) ? 0 : random.integer(0...(days - 1)))...days
    }
    let first = random.integer(0...(days - 1))
    let spans = [0...2, 3...25, 40...400]
    return max(0, first - random.integer(spans[random.index(weights: [35, 30, 35])]))...first
  }

  /// How much of an ordinary day's sessions a day has.
  func share(ofDayBefore daysAgo: Int, _ random: inout SeededRandom) -> Double {
    guard isEventful else { return 1 }
    let isWeekend = moment(daysBefore: daysAgo).isWeekend(utcOffsetHours: 12)
    return (isWeekend ? 1.12 : 1) * Double(random.integer(94...106)) / 100
  }
}

extension SampleUser {
  /// A number from 0 to 99 that sorts people into those who update early and late.
  var rank: Int { id.lot(of: 31) }
}

extension String {
  /// A number from 0 to 99, another one for each factor.
  func lot(of factor: Int) -> Int { utf8.reduce(0) { ($0 * factor + Int($1)) % 100 } }
}
