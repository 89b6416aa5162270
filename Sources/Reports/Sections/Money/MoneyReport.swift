package import Model
package import Store

/// What people pay, and what makes them: docs/money.md.
///
/// Its sections are queries of the folder `Queries`; what stands here is where they go.
package enum MoneyReport {
  package static func make(_ data: UsageData, context: ReportContext) -> Report {
    Report(
      name: .money, title: "Money", context: context,
      dataTime: Report.DataTime(label: "Newest event", at: data.newestEventAt),
      summary: summary(data.people), headline: headline(data),
      sections: sections + [ReadCosts.section(data, context: context)].compactMap(\.self))
  }

  /// The same sentence as that below the funnel of the usage page begins with.
  private static func summary(_ people: PeopleData?) -> String {
    guard let people else {
      return "Money is told of everybody; this report is of one profile."
    }
    guard people.knowsUserTypes else { return "No event of this period says who subscribes." }
    return "\(NumberWords.counted(people.newSubscribers, "new subscriber")) in this period, "
      + "\(NumberWords.grouped(people.stages.subscribed)) of them through the limit."
      + (people.untyped == 0
        ? ""
        : " Of \(NumberWords.counted(people.untyped, "person", "people")) no event has a known "
          + "user_type: they are in none of these numbers.")
  }

  /// Of the period: the numbers of the funnel on the usage page.
  private static func headline(_ data: UsageData) -> [Figure] {
    guard let people = data.people, people.knowsUserTypes else { return [] }
    return [
      Figure(
        id: "new-subscribers", label: "New subscribers", value: .count(people.newSubscribers),
        section: salesId),
      Figure(
        id: "through-the-limit", label: "Through the limit",
        value: .count(people.stages.subscribed),
        note: "of \(NumberWords.counted(people.newSubscribers, "new subscriber"))",
        section: salesId),
    ]
  }

  private static let salesId = "sales"

  /// Before the queries are placed on them.
  private static let sections = [
    Section(
      id: salesId, title: "New subscribers",
      lead: "Whom events called free or new before, and then a subscriber for the first time, and "
        + "what their first terms bring."),
    Section(
      id: "base", title: "Who pays",
      lead: "The people who seem to pay now, and what that is in a month: from the tiers that "
        + "accounts claim, the prices of the workspace, and who was last seen as a subscriber."),
    Section(
      id: "forecast", title: "This month",
      lead: "New subscribers so far, and those of the days to come if they are like the last 28."),
    Section(
      id: "price-test", title: "One price against another",
      lead: "Of the newest 102 days, whatever the period; a price that popups alone carry, of the "
        + "period. The first table has people of different weeks; compare prices by the others."),
    Section(
      id: "blocks", title: "What a block costs",
      lead: "What people did after their first block, beside people of the same days who were not "
        + "blocked. An observation: who is blocked uses the app more than others."),
    Section(
      id: "grace", title: "Free period and limits",
      lead: "People by the settings that they lived under."),
  ]
}

/// What the billed reads cost: docs/costs.md#prices.
enum ReadCosts {
  /// Nil without any reads, and in a report of one profile.
  static func section(_ data: UsageData, context: ReportContext) -> Section? {
    guard let money = data.money, money.period.count + money.month.count > 0 else { return nil }
    let forecast = ReadForecast(
      data.history, settings: context.findingSettings,
      calendar: ReportCalendar(timeZone: context.timeZone))
    return Section(
      id: "costs", title: "What the reads cost", lead: "Billed reads of Firestore, estimated.",
      blocks: [
        table(money, activeUsers: data.activeUsers, forecast),
        .text("Reads: \(money.readPrice.words(isOwn: money.namesReadPrice))."),
        .definitions([
          Definition(
            "The whole month",
            "What was read so far, and for each day to come what the same weekdays of the last six "
              + "weeks had, at the present price; the findings forecast alike.")
        ]),
      ])
  }

  private static func table(
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
}
