import Fixtures
import Model
import Testing

@Suite struct SettingProposalTests {
  private let proposal = SettingProposal(
    key: .refreshLimit, oldValue: "2", value: 4, reason: "Half are blocked", expectedPoints: 5,
    proposedAt: .morning)

  @Test(arguments: [
    ("+5 points", 5), ("-0.5 points", -0.5), ("1 point", 1), ("100 points", 100),
    ("-100 points", -100),
  ])
  func `an expectation is a number of points`(text: String, points: Double) {
    #expect(SettingProposal.points(parsing: text) == points)
  }

  @Test(arguments: [
    "", "5", "+5", "5 %", "+5points", "0 points", "-0 points", "nan points", "0x5 points",
    "100.1 points", "-101 points", "1e1 points", "+5 points more", "five points",
  ])
  func `anything else is no expectation`(text: String) {
    #expect(SettingProposal.points(parsing: text) == nil)
  }

  private func change(_ name: String, _ new: String?, after seconds: Int) -> SettingChange {
    SettingChange(
      wireName: name, source: .appSettings, oldValue: "2", newValue: new,
      changedAt: .morning + .seconds(seconds))
  }

  @Test func `it begins with the first change to its value, at or after the proposal`() {
    let begins = change("freeRefreshLimit", "4", after: 0)
    let others = [
      change("freeRefreshLimit", "4", after: 90), change("freeRefreshLimit", "4", after: -1),
      change("freeFilterLimit", "4", after: 0), change("freeRefreshLimit", "5", after: 0),
      change("freeRefreshLimit", nil, after: 0),
    ]
    #expect(proposal.beginning(in: others + [begins]) == begins)
    #expect(proposal.beginning(in: Array(others.dropFirst())) == nil)
  }

  @Test func `it ends with the next change of the setting, to whatever`() {
    let begins = change("freeRefreshLimit", "4", after: 10)
    let ends = change("freeRefreshLimit", nil, after: 11)
    #expect(proposal.end(after: begins, in: [begins, ends]) == ends)
    #expect(
      proposal.end(after: begins, in: [begins, change("freeFilterLimit", "1", after: 11)]) == nil)
  }

  private func verdict(
    _ before: (Int, Int), _ after: (Int, Int), days: Int = 7, expected: Double = 5
  ) -> ProposalVerdict? {
    ProposalVerdict(before: before, after: after, days: days, longest: 14, expected: expected)
  }

  @Test func `a week is judged, a day less is not`() {
    #expect(verdict((100, 1_000), (20, 1_000), days: 6) == .tooEarly)
    #expect(verdict((100, 1_000), (20, 1_000), days: 7) == .revert)
  }

  /// Newcombe's upper bound of 73 of 1,000 after 100 is -0.0020, that of 76 is 0.0011.
  @Test func `it harms when the whole range lies below 0`() {
    #expect(verdict((100, 1_000), (73, 1_000)) == .revert)
    #expect(verdict((100, 1_000), (76, 1_000)) != .revert)
  }

  @Test func `a gain is proven when the whole range lies above 0`() {
    #expect(verdict((73, 1_000), (100, 1_000)) == .keep)
    #expect(verdict((76, 1_000), (100, 1_000)) != .keep)
  }

  @Test func `an expected loss is put up with, and no more than that`() {
    #expect(verdict((100, 1_000), (60, 1_000), expected: -10) == .keep)
    #expect(verdict((200, 1_000), (60, 1_000), expected: -10) == .revert)
    #expect(verdict((200, 1_000), (100, 1_000), expected: -10) == .notProven)
  }

  @Test func `without proof it says when there are enough people, and when there never will be`() {
    // 5 points more than 10 of 100: 683 people on each side.
    #expect(Statistics.peopleNeeded(share: 0.1, difference: 0.05) == 683)
    #expect(verdict((70, 700), (72, 700)) == .notProven)
    #expect(verdict((69, 690), (69, 690)) == .notProven)
    #expect(verdict((70, 700), (70, 683)) == .notProven)
    #expect(verdict((70, 700), (70, 682)) == .enough(days: 8))
    #expect(verdict((68, 680), (68, 680)) == .enough(days: 8))
    #expect(verdict((35, 350), (36, 350)) == .enough(days: 14))
    #expect(verdict((34, 340), (34, 340)) == .tooFewPeople(needed: 683))
    #expect(verdict((0, 0), (1, 5)) == nil)
  }
}
