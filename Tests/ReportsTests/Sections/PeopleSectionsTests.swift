import Model
import ReportsTesting
import Testing

@testable import Reports
@testable import Store

@Suite("The sections about people")
struct PeopleSectionsTests {
  private let time = TimeWords(context: SampleReports.context)

  private func tables(_ blocks: [Block]) -> [String: Table] {
    let found = blocks.compactMap { block in
      switch block {
      case .table(let table): table
      case .chart(let chart): chart.table
      default: nil
      }
    }
    return Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) })
  }

  private func texts(_ blocks: [Block]) -> [String] {
    blocks.compactMap { if case .text(let text) = $0 { text } else { nil } }
  }

  @Test func `who tapped or subscribed by another way than the funnel is counted beside it`() {
    #expect(
      texts(PeopleFunnel.section(SampleReports.people).blocks)
        == [
          "12 people tapped to subscribe, 3 of them outside this funnel. The period has "
            + "5 new subscribers, 2 of them outside it."
        ])
  }

  @Test func `a funnel of nobody, of one profile, or without user types is a sentence`() {
    var untold = PeopleData()
    untold.knowsUserTypes = false
    for (data, words) in [
      (nil, "about one profile"), (PeopleData(), "Nobody used"), (untold, "who is a free user"),
    ] as [(PeopleData?, String)] {
      let section = PeopleFunnel.section(data)
      #expect(section.blocks.isEmpty && section.lead.contains(words))
    }
  }

  @Test func `the money page tells of whom no event says what they are, and only then`() {
    func summary(_ untyped: Int) -> String {
      var usage = SampleReports.usage
      usage.people = SampleReports.people
      usage.people?.untyped = untyped
      return MoneyReport.make(usage, context: SampleReports.context).summary
    }
    #expect(summary(0).hasSuffix("through the limit."))
    #expect(
      summary(1).hasSuffix(
        "1 person has no known user_type and is not counted."))
    #expect(summary(2).hasSuffix(" 2 people have no known user_type and are not counted."))
  }

  @Test func `a sample says of how many ids it is`() {
    var data = SampleReports.people
    data.sampledOneIn = 4
    let blocks = PeopleFunnel.section(data).blocks
    #expect(texts(blocks).contains { $0.contains("one in 4 ids") })
    #expect(
      !texts(PeopleFunnel.section(SampleReports.people).blocks).contains { $0.contains(" ids") })
  }

  @Test
  func `an experiment has both sides, the difference, what it proves, and what else happened`()
    throws
  {
    let blocks = LimitExperiments.section(SampleReports.experiments, time).blocks
    let card = try #require(tables(blocks)["experiment-1772186400"])
    #expect(card.title == "refresh limit 2 → 5, 27 Feb 2026, 11:00")
    #expect(card.columns.map(\.title).dropFirst().prefix(2) == ["2 days before", "2 days after"])
    let (before, after) = (Ratio(200, of: 400), Ratio(90, of: 380))
    #expect(
      card.rows[1].cells
        == [
          .text("were blocked"), .rate(before), .rate(after), .points(from: before, to: after),
          .text("lower"),
        ])
    #expect(card.rows[0].cells.last == .text("not proven"))
    let notes = texts(blocks)
    #expect(
      notes.first?.hasSuffix("tapped to subscribe in 2 days, 2% of 400 before: not proven.") == true
    )
    #expect(notes.contains { $0.contains("both are 2 days long. They do not hold the same") })
    #expect(notes.contains { $0.contains("(26 Feb 2026, 11:00)") })
  }

  @Test func `a card says which days are in no number`() throws {
    var data = SampleReports.experiments
    data.experiments[0].days = 14
    data.experiments[0].leftOut = 1
    data.experiments[0].missing = [SampleReports.at("2026-02-23T23:00:00Z")]
    let blocks = LimitExperiments.section(data, time).blocks
    #expect(
      tables(blocks)["experiment-1772186400"]?.columns[1].title == "13 days before")
    #expect(
      texts(blocks).contains("1 day of each side is left out: lines of 24 Feb are missing."))
  }

  @Test func `an experiment without a whole day, or without people, proves nothing`() throws {
    var data = SampleReports.experiments
    data.experiments[0].days = 0
    data.experiments[0].before = ExperimentData.Side()
    data.experiments[0].after = ExperimentData.Side()
    let card = try #require(
      tables(LimitExperiments.section(data, time).blocks)["experiment-1772186400"])
    #expect(card.rows.isEmpty && card.emptyText.hasPrefix("Not a whole day"))
    #expect(LimitExperiments.section(ExperimentData(), time).blocks.isEmpty)
    #expect(LimitExperiments.section(nil, time).lead.contains("one profile"))
    #expect(LimitExperiments.verdict(Ratio(0, of: 0), Ratio(1, of: 2)) == "no people on one side")
  }

  @Test func `the digest has the funnel of the page Usage, and the newest change`() throws {
    let index = try #require(SampleReports.reports().first)
    let blocks = try #require(index.sections.first { $0.id == "sells" }).blocks
    let table = try #require(tables(blocks)["limit-sells"])
    #expect(table.columns.map(\.id) == ["stage", "people", "of_previous"])
    #expect(table.rows.map { $0.cells[1] } == [210, 180, 64, 9, 3].map(Cell.count))
    #expect(table.rows[0].cells[2] == .missing)
    #expect(table.rows[2].cells[2] == .rate(Ratio(64, of: 180)))
    let words = CellWords(time: time)
    let digest = PeopleDigest.blocks(table, SampleReports.experiments, words)
    #expect(digest.count == 2)
    #expect(
      texts(digest) == [
        "Refresh limit 2 → 5: 2.4% of 380 people tapped to subscribe in 2 days, 2% of 400 before: "
          + "not proven."
      ])
    #expect(texts(blocks).last == texts(digest).last)
    #expect(PeopleDigest.blocks(table, nil, words).count == 1)
    #expect(PeopleDigest.blocks(nil, SampleReports.experiments, words).isEmpty)
  }

  @Test func `few days are a table, more a line; days that are not whole are in no share`() throws {
    let blocks = UsersRetention.section(SampleReports.activity, SampleReports.context).blocks
    guard case .chart = blocks.first else {
      Issue.record("three days are no line")
      return
    }
    #expect(texts(blocks).contains { $0.hasPrefix("Lines of 24 Feb are missing. ") })
    #expect(texts(blocks).contains { $0.hasPrefix("The accounts of 30 of 210 people ") })
    let days = try #require(tables(blocks)["active-people"]).rows.map(\.cells)
    #expect(days[0][3] == .missing && days[0][4] == .missing)
    #expect(days[2][4] == .rate(Ratio(50, of: 210)))
    var partial = SampleReports.activity
    partial.days[2].coverage = .partial
    partial.days[1].coverage = .none
    let rows = try #require(
      tables(UsersRetention.section(partial, SampleReports.context).blocks)["active-people"]
    ).rows.map(\.cells)
    #expect(rows[2][1] == .count(50) && rows[2][4] == .missing && rows[2][5] == .text("in part"))
    #expect(rows[1][1] == .missing && rows[1][5] == .text("none"))
    partial.days[2].coverage = .none
    partial.days[1].coverage = .partial
    let lead = UsersRetention.section(partial, SampleReports.context).lead
    #expect(
      lead.contains("60 people on Sat 28 Feb, the last known day, known in part, 130"), "\(lead)")
    var few = SampleReports.activity
    few.days.removeFirst()
    guard case .table = UsersRetention.section(few, SampleReports.context).blocks.first else {
      Issue.record("two days are no table")
      return
    }
    #expect(UsersRetention.section(ActivityData(), SampleReports.context).blocks.isEmpty)
  }

  @Test func `demand says how many people filtered, how often, and found nobody`() {
    func lead(_ change: (inout DemandData) -> Void = { _ in }) -> String {
      var data = SampleReports.demand
      change(&data)
      return UsersReport.demand(data, SampleReports.context)
    }
    #expect(
      lead() == "70 known people tapped the filter 120 times in this period. "
        + "6 of 60 that tell their result found nobody.")
    #expect(lead { $0.answered = 0 }.hasSuffix("No event says how many users were found."))
    #expect(lead { $0.sampledOneIn = 4 }.hasSuffix(" Counted for one in 4 ids, chosen by chance."))
  }

  @Test func `the reads cost what the runs say, and the month is the findings' forecast`() throws {
    func section(_ change: (inout MoneyData) -> Void) throws -> Section? {
      var data = SampleReports.usageOfAll
      var money = try #require(data.money)
      change(&money)
      data.money = money
      for index in data.history.days.indices { data.history.days[index].reads = 1_000 }
      return ReadCosts.section(data, context: SampleReports.context)
    }
    let whole = tables(try #require(try section { _ in }).blocks)
    let costs = try #require(whole["read-costs"]).rows.map { $0.cells[1] }
    #expect(costs[0] == .money(0.42, currency: "USD"))
    #expect(costs[1] == .money(0.007241, currency: "USD"))
    // 31 days of 1,000 reads each, as the two weeks before; the same as the findings forecast.
    let month = Cell.money(0.0186, currency: "USD")
    #expect(Array(costs.dropFirst(3)) == [month, month, month])
    #expect(whole["read-costs"]?.title == "Billed reads")
    func said(_ amount: Double) throws -> String? {
      try section { $0.period.amount = amount }.flatMap { texts($0.blocks).first }
    }
    #expect(try said(0.009) == "The reads of this period cost less than $0.01.")
    #expect(try said(0.42) == "The reads of this period cost $0.42.")
    for (isOwn, words) in [
      (true, "Reads: at the price of each run's day; now $0.06 per 100,000 reads."),
      (
        false,
        "Reads: at the price of each run's day; now $0.06 per 100,000 reads, Google's price of"
      ),
    ] {
      let section = try #require(try section { $0.readPrice.isOwn = isOwn })
      let said = try #require(texts(section.blocks).last)
      #expect(said.hasPrefix(words) && said.contains("cost.per_100k_reads") != isOwn)
    }
    #expect(
      try section {
        $0.period = MoneyData.Reads()
        $0.month = MoneyData.Reads()
      } == nil)
  }
}
