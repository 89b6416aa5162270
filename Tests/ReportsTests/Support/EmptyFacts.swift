import Model

@testable import Reports

/// A workspace in which nothing has happened.
enum EmptyFacts {
  static let usage = UsageFacts(
    buckets: [], activeUsers: 0, previousActiveUsers: 0, heaviestUsers: [], newestEventAt: nil)
  static let limits = LimitsFacts(
    settings: Settings([]), fetched: [], changes: [], profiles: [], price: nil)
  static let ratings = RatingsFacts(ratings: [], feedback: [], outbox: [:])
  static let users = UsersFacts(
    total: 0, genders: [], countries: [], languages: [], ages: [:], unknownAge: 0,
    seenByHoursAgo: Array(repeating: 0, count: 24), seenWithinHour: 0, seenWithinDay: 0,
    seenWithinWeek: 0, seenWithinMonth: 0, newest: [], refreshedAt: nil)
  static let runs = RunsFacts(
    jobs: [], runs: [], lastRuns: [:], lastSuccesses: [:])

  static let reports = ReportSet.make(
    frame: SampleFacts.frame, usage: usage, limits: limits, ratings: ratings, users: users,
    runs: runs)
}
