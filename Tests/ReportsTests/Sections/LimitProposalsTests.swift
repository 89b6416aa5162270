import Model
import Testing

@testable import Reports
@testable import Store

@Suite struct LimitProposalsTests {
  private let time = TimeWords(context: SampleReports.context)
  private let begun = SampleReports.at("2026-02-17T10:00:00Z")

  private var change: SettingChange {
    SettingChange(
      wireName: "freeRefreshLimit", source: .appSettings, oldValue: "2", newValue: "4",
      changedAt: begun)
  }

  private func watched(
    before: (Int, Int) = (40, 400), after: (Int, Int) = (52, 400), days: Int = 10,
    expected: Double = 5, changes: [SettingChange]? = nil, hasCard: Bool = true
  ) -> WatchedProposal {
    func side(_ counts: (Int, Int)) -> ExperimentData.Side {
      ExperimentData.Side(people: counts.1, tapped: counts.0)
    }
    let card = ExperimentData.Experiment(
      at: begun, changes: [change], days: days, before: side(before), after: side(after))
    return WatchedProposal(
      SettingProposal(
        key: .refreshLimit, oldValue: "2", value: 4, reason: "Half are blocked",
        expectedPoints: expected, proposedAt: SampleReports.at("2026-02-16T10:00:00Z")),
      changes ?? [change], ExperimentData(experiments: hasCard ? [card] : []))
  }

  @Test func `it says how far it has come, and by when there are enough people`() {
    #expect(
      watched(before: (40, 500), after: (55, 500)).sentence(time)
        == "10 days in, +3.0 points of +5.0 expected; enough by 1 Mar.")
    #expect(
      watched(after: (10, 400)).sentence(time)
        == "10 days in, −7.5 points of +5.0 expected; it harms: revert.")
    #expect(watched(after: (90, 400)).sentence(time).hasSuffix("a gain is proven."))
    #expect(watched(days: 6).sentence(time).hasSuffix("judged from 7 days on."))
  }

  @Test func `without a card, a day or a change it says why there is no judgement`() {
    #expect(watched(changes: []).sentence(time).hasPrefix("Not in force yet: no source has sent 4"))
    #expect(watched(hasCard: false).sentence(time).hasPrefix("No card"))
    #expect(watched(days: 0).sentence(time).hasPrefix("No whole day"))
    #expect(watched(after: (0, 0)).sentence(time).hasPrefix("No whole day"))
  }

  @Test func `a setting that was changed again is said to be`() {
    let back = SettingChange(
      wireName: "freeRefreshLimit", source: .appSettings, oldValue: "4", newValue: "2",
      changedAt: SampleReports.at("2026-02-20T10:00:00Z"))
    #expect(
      watched(changes: [back, change]).sentence(time).hasSuffix(" Changed again on 20 Feb."))
  }

  @Test func `the section is there when something was proposed`() throws {
    var data = SampleReports.limits
    #expect(LimitProposals.section(data, time) == nil)
    data.proposals = [watched().proposal]
    let section = try #require(LimitProposals.section(data, time))
    guard case .table(let table) = section.blocks.first else {
      Issue.record("no table")
      return
    }
    #expect(table.rows[0].cells[0] == .text("refresh limit 2 → 4"))
    #expect(table.rows[0].cells[7] == .text("+5.0 points"))
  }
}
