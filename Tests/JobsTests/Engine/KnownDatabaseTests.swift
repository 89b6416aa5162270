import Fixtures
import Model
import Store
import StoreTesting
import SyncTesting
import Testing

@testable import Firestore
@testable import Jobs
@testable import Workspace

/// What is kept of the database; see `docs/editions.md#knowing-the-edition`.
@Suite struct KnownDatabaseTests {
  private static let name = "projects/p/databases/(default)"

  private func known(_ edition: FirestoreEdition) -> KnownDatabase {
    KnownDatabase(
      name: Self.name, facts: DatabaseFacts(edition: edition), knownAt: .morning, isOwnWord: true)
  }

  @Test func `nothing is known at first, then what was kept, of this database alone`() throws {
    let store = try Store.inMemory()
    #expect(try store.read { try KnownDatabase.stored(in: $0) } == nil)
    try store.commit([try known(.enterprise).effect()])
    #expect(try store.read { try KnownDatabase.stored(in: $0) } == known(.enterprise))
    #expect(
      try store.read { try KnownDatabase.stored(in: $0, of: Self.name) } == known(.enterprise))
    #expect(
      try store.read { try KnownDatabase.stored(in: $0, of: "projects/p/databases/d") } == nil)
    try store.commit([try known(.standard).effect()])
    #expect(try store.read { try KnownDatabase.stored(in: $0) } == known(.standard))
  }

  @Test func `reads are priced as the edition bills them`() throws {
    let store = try Store.inMemory()
    var config = WorkspaceConfig()
    config.cost.documentPrice = ReadPrice(per100kReads: 0.03, currency: "EUR")
    #expect(try store.read { try config.priced(in: $0).cost.price } == config.cost.documentPrice)
    try store.commit([try known(.enterprise).effect()])
    let price = try store.read { try config.priced(in: $0).cost.price }
    var expected = ReadPrice.unitExample
    expected.currency = "EUR"
    #expect(price == expected && !price.isOwn)
    // 0.05 US$ a million, as the pricing page has it.
    #expect(price.cost(of: 1_000_000).amount == 0.05)
    config.cost.per100kReadUnits = 0.01
    let own = ReadPrice(per100kReads: 0.01, currency: "EUR", edition: .enterprise)
    #expect(try store.read { try config.priced(in: $0).cost.price } == own && own.isOwn)
  }

  @Test func `words tell what is known, and nothing else`() {
    #expect(DatabaseFacts(edition: .standard).words == "Standard edition")
    var facts = DatabaseFacts(edition: .enterprise)
    (facts.location, facts.pointInTimeRecovery, facts.freeTier) = ("eur3", false, true)
    (facts.mongodbAccess, facts.realtimeUpdates) = (true, false)
    #expect(
      facts.words
        == "Enterprise edition in eur3, point-in-time recovery off, MongoDB API on, "
        + "realtime updates off, free quota")
  }

  @Test(arguments: [
    ("https://firestore.googleapis.com", true),
    ("https://firestore.europe-west1.rep.googleapis.com/v1", true),
    ("http://firestore.googleapis.com", false), ("https://googleapis.com.example", false),
    ("http://127.0.0.1:8080", false), ("", false),
  ])
  func `Google's servers are known by their names`(address: String, isGoogle: Bool) {
    #expect(Endpoint.isGoogle(address) == isGoogle)
  }
}
