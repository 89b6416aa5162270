package import Model

@testable package import Store

/// What the ledger of the small app knows of people.
extension SampleReports {
  /// With what follows from everybody's events.
  package static let usageOfAll: UsageData = {
    var data = usage
    data.people = people
    data.money = MoneyData(
      readPrice: ReadPrice(per100kReads: 0.06, currency: "USD"),
      period: MoneyData.Reads(count: 700_000, amount: 0.42),
      month: MoneyData.Reads(count: 100_000, amount: 0.06))
    return data
  }()

  package static let limitsOfAll: LimitsData = {
    var data = limits
    data.experiments = experiments
    return data
  }()

  package static let usersOfAll: UsersData = {
    var data = users
    data.activity = activity
    data.demand = demand
    return data
  }()

  package static let people = PeopleData(
    stages: PeopleData.Stages(active: 210, popup: 180, blocked: 64, tapped: 9, subscribed: 3),
    tappedAtAll: 12, newSubscribers: 5)

  package static let experiments = ExperimentData(
    experiments: [
      ExperimentData.Experiment(
        at: at("2026-02-27T10:00:00Z"), changes: [limits.changes[0]], days: 2,
        before: ExperimentData.Side(people: 400, blocked: 200, tapped: 8),
        after: ExperimentData.Side(people: 380, blocked: 90, tapped: 9),
        overlapping: [at("2026-02-26T10:00:00Z")])
    ])

  package static let activity = ActivityData(
    days: [
      ActivityData.Day(start: at("2026-02-26T23:00:00Z"), daily: 40, weekly: 120),
      ActivityData.Day(start: at("2026-02-27T23:00:00Z"), daily: 60, weekly: 130, fourWeekly: 200),
      ActivityData.Day(start: at("2026-02-28T23:00:00Z"), daily: 50, weekly: 125, fourWeekly: 210),
    ], missingDays: [at("2026-02-23T23:00:00Z")], knownAccounts: 30, people: 210)

  package static let demand = DemandData(people: 70, taps: 120, answered: 60, empty: 6)
}
