import Fixtures
import Model
import StoreTesting
import Testing

@testable import Store

@Suite struct RecordProposalsTests {
  private func proposal(
    _ key: SettingKey, _ value: Int, _ reason: String = "why", after seconds: Int = 0
  ) -> SettingProposal {
    SettingProposal(
      key: key, oldValue: "2", value: value, reason: reason, expectedPoints: -1.5,
      proposedAt: .morning + .seconds(seconds))
  }

  @Test func `a proposal takes the place of one that never came into force`() throws {
    let (_, store) = try TemporaryStore.opened()
    let other = proposal(.filterLimit, 9)
    let newest = proposal(.refreshLimit, 5, after: 60)
    try store.write {
      for proposal in [proposal(.refreshLimit, 4), other, newest] { try $0.record(proposal) }
    }
    #expect(try store.read { try $0.settingProposals() } == [newest, other])
  }

  @Test func `one that came into force stays beside the next`() throws {
    let (_, store) = try TemporaryStore.opened()
    let first = proposal(.refreshLimit, 4)
    let second = proposal(.refreshLimit, 2, after: 60)
    try store.write {
      try $0.record(first)
      for value in ["2", "4"] {
        try $0.record(
          fetched: [
            FetchedSetting(
              wireName: "freeRefreshLimit", rawValue: value, source: .appSettings,
              fetchedAt: .morning)
          ], from: .appSettings, at: .morning)
      }
      try $0.record(second)
    }
    #expect(try store.read { try $0.settingProposals() } == [second, first])
  }

  @Test func `a reason loses the name of a person who is erased`() throws {
    let (_, store) = try TemporaryStore.opened()
    try store.write { try $0.record(proposal(.refreshLimit, 4, "as u-4711 asks")) }
    _ = try store.erasing { try $0.erasePerson(id: "u-4711") }
    #expect(try store.read { try $0.settingProposals() }.map(\.reason) == ["as [erased] asks"])
  }
}
