import Model
import Store

/// The section with what new subscribers may pay and what the reads cost: docs/people.md#money.
enum UsageMoney {
  /// Nil without anything to say: no price, and no reads.
  static func section(_ data: UsageData, context: ReportContext) -> Section? {
    guard let money = data.money else { return nil }
    let income = data.people.flatMap { incomeTable(money, $0) }
    let forecast = ReadForecast(
      data.history, settings: context.findingSettings,
      calendar: ReportCalendar(timeZone: context.timeZone))
    let costs = costsTable(money, activeUsers: data.activeUsers, forecast)
    guard income != nil || money.period.count + money.month.count > 0 else { return nil }
    return Section(
      id: "money", title: "Money, estimated",
      lead: income == nil
        ? "What the billed reads cost. Without a price of the subscription in `firetally.yml` there "
          + "is no figure for what it brings."
        : "What the new subscribers of this period may have paid for their first term, and what "
          + "the billed reads cost.",
      blocks: [income, costs].compactMap(\.self) + [
        .text("Reads: \(money.readPrice.words(isOwn: money.namesReadPrice))."),
        .definitions(definitions),
      ])
  }

  /// Nil without a price that is a number.
  private static func incomeTable(_ money: MoneyData, _ people: PeopleData) -> Block? {
    guard let text = money.price, let price = PriceText(text) else { return nil }
    let range = Statistics.poisson(people.newSubscribers)
    func amount(_ count: Double) -> Cell {
      .money((count * price.amount * 100).rounded() / 100, currency: price.currency)
    }
    return .table(
      id: "income", title: "First terms at \(text)", of: people.knowsUserTypes ? [people] : [],
      columns: [
        Column("new_subscribers", "New subscribers") { .count($0.newSubscribers) },
        Column("at_least", "At least") { _ in amount(range.lower) },
        Column("estimate", "Estimate") { amount(Double($0.newSubscribers)) },
        Column("at_most", "At most") { _ in amount(range.upper) },
      ],
      emptyText: "No event of this period says who subscribes.", isFolded: true)
  }

  private static func costsTable(
    _ money: MoneyData, activeUsers: Int, _ forecast: ReadForecast?
  ) -> Block {
    func cell(_ amount: Double) -> Cell {
      .money((amount * 1_000_000).rounded() / 1_000_000, currency: money.readPrice.currency)
    }
    var costs: [(title: String, value: Cell)] = [
      ("Reads of this period", cell(money.period.amount)),
      (
        "For each of \(NumberWords.counted(activeUsers, "active person", "active people"))",
        activeUsers == 0 ? .missing : cell(money.period.amount / Double(activeUsers))
      ),
      ("Reads of this month so far", cell(money.month.amount)),
    ]
    if let forecast {
      let cost = forecast.cost(at: money.readPrice)
      costs += [
        ("The whole month, at least", cell(cost.lower)),
        ("The whole month, forecast", cell(cost.middle)),
        ("The whole month, at most", cell(cost.upper)),
      ]
    }
    return .table(
      id: "read-costs", title: "Billed reads", of: costs,
      columns: [
        Column("what", "What", .leading) { .text($0.title) },
        Column("cost", "Estimated cost") { $0.value },
      ],
      isFolded: true)
  }

  private static let definitions = [
    Definition(
      "At least, at most",
      "The price times the range in which so many new subscribers lie by chance alone: the score "
        + "interval of a Poisson count."),
    Definition(
      "Not in it",
      "Renewals, refunds, trials, the store's share, taxes, other prices and platforms, and who "
        + "subscribed without coming back to a limited feature."),
    Definition(
      "The whole month",
      "What was read so far, and for each day to come what the same weekdays of the last six weeks "
        + "had, at the present price; the findings forecast alike."),
  ]
}
