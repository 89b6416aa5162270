import Model
import ReportsTesting
import Testing

@testable import Reports
@testable import Store

@Suite struct LimitProposalsTests {
  private let time = TimeWords(context: SampleReports.context)
  private let periodEnd = SampleReports.context.end
  private let begun = SampleReports.at("2026-02-17T10:00:00Z")

  private var change: SettingChange {
    SettingChange(
      wireName: "freeRefreshLimit", source: .appSettings, oldValue: "2", newValue: "4",
      changedAt: begun)
  }

  private func watched(
    before: (Int, Int) = (40, 400), after: (Int, Int) = (52, 400), days: Int = 10,
    expected: Double = 5, changes: [SettingChange]? = nil, hasCard: Bool = true, longest: Int = 14
  ) -> WatchedProposal {
    func side(_ counts: (Int, Int)) -> ExperimentData.Side {
      ExperimentData.Side(people: counts.1, tapped: counts.0)
    }
    let card = ExperimentData.Experiment(
      at: begun, changes: [change], days: days, before: side(before), after: side(after),
      longest: longest)
    return WatchedProposal(
      SettingProposal(
        key: .refreshLimit, oldValue: "2", value: 4, reason: "Half are blocked",
        expectedPoints: expected, proposedAt: SampleReports.at("2026-02-16T10:00:00Z")),
      changes ?? [change], ExperimentData(experiments: hasCard ? [card] : []))
  }

  @Test func `it says how far it has come, and by when there are enough people`() {
    #expect(
      watched(before: (40, 500), after: (55, 500)).sentence(time, periodEnd: periodEnd)
        == "10 days in, +3.0 points of +5.0 expected; enough by 1 Mar.")
    #expect(
      watched(after: (10, 400)).sentence(time, periodEnd: periodEnd)
        == "10 days in, −7.5 points of +5.0 expected; it harms: revert.")
    #expect(
      watched(after: (90, 400)).sentence(time, periodEnd: periodEnd).hasSuffix("a gain is proven."))
    #expect(
      watched(days: 6).sentence(time, periodEnd: periodEnd).hasSuffix("judged from 7 days on."))
  }

  @Test func `without a card, a day or a change it says why there is no judgement`() {
    #expect(
      watched(changes: []).sentence(time, periodEnd: periodEnd).hasPrefix(
        "Not in force yet: no source has sent 4"))
    #expect(watched(days: 0).sentence(time, periodEnd: periodEnd).hasPrefix("No whole day"))
    #expect(watched(after: (0, 0)).sentence(time, periodEnd: periodEnd).hasPrefix("No whole day"))
  }

  @Test func `without a card it says which bound of the cards applies`() {
    let first = SettingChange(
      wireName: "freeRefreshLimit", source: .appSettings, oldValue: nil, newValue: "4",
      changedAt: begun)
    let bound = begun + .seconds(60 * 86_400)
    let cases = [
      (change, begun, "No card: the change came after this report's period."),
      (change, begun + .microseconds(1), "No card: 8 newer changes have the cards."),
      (change, bound, "No card: 8 newer changes have the cards."),
      (change, bound + .microseconds(1), "No card: the change is older than 60 days."),
      (first, bound, "No card: the setting had no value before."),
    ]
    for (change, end, words) in cases {
      // The report is written long after the end of its period.
      let sentence = watched(changes: [change], hasCard: false).sentence(
        TimeWords(timeZone: "UTC", now: bound + .seconds(86_400)), periodEnd: end)
      #expect(sentence == words)
    }
  }

  @Test(arguments: [
    (27, "enough people, and it does not show. Changed again on 27 Feb."),
    (26, "Changed again on 26 Feb, so that its days cannot be judged."),
  ])
  func `a setting that was changed again is said to be, and judged by its own days alone`(
    day: Int, ending: String
  ) {
    // Ten days from 17 February, 10:00, are over on 27 February, 10:00.
    let back = SettingChange(
      wireName: "freeRefreshLimit", source: .appSettings, oldValue: "4", newValue: "2",
      changedAt: SampleReports.at("2026-02-\(day)T10:00:00Z"))
    let sentence = watched(
      before: (100, 1_000), after: (100, 1_000), changes: [back, change]
    ).sentence(time, periodEnd: periodEnd)
    #expect(sentence.hasSuffix(ending), "\(sentence)")
  }

  @Test(arguments: [(14, "enough by 1 Mar."), (11, "and 11 days are looked at.")])
  func `days that the ledger lacks before the change cannot come`(longest: Int, ending: String) {
    let sentence = watched(before: (40, 500), after: (55, 500), longest: longest).sentence(
      time, periodEnd: periodEnd)
    #expect(sentence.hasSuffix(ending), "\(sentence)")
  }

  @Test func `the section is there when something was proposed`() throws {
    var data = SampleReports.limitsOfAll
    #expect(LimitProposals.section(data, time, periodEnd: periodEnd) == nil)
    data.proposals = [watched().proposal]
    var own = data
    own.experiments = nil
    #expect(LimitProposals.section(own, time, periodEnd: periodEnd) == nil)
    let section = try #require(LimitProposals.section(data, time, periodEnd: periodEnd))
    guard case .table(let table) = section.blocks.first else {
      Issue.record("no table")
      return
    }
    #expect(table.rows[0].cells[0] == .text("refresh limit 2 → 4"))
    #expect(table.rows[0].cells[7] == .pointError(5))
  }
}
