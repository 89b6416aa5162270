import Fixtures
import JobsTesting
import Model
import Store
import StoreTesting
import Sync
import SyncTesting
import Testing

@testable import Firestore
@testable import Jobs

/// A pass over all accounts: pages, positions, and what it finds to be gone.
struct AccountsPullTests {
  private struct Killed: Error {}

  private let folder: TemporaryStore
  private let store: Store

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  private static func accounts(_ count: Int) -> [Account] {
    (0..<count).map { Account(uid: "u" + String($0 + 100)) }
  }

  private func pull(
    _ port: ScriptedAccounts, pageSize: Int = 3, maxDelete: DeleteLimit = .percent(50),
    startsOver: Bool = false
  ) async throws -> AccountsPullResult {
    try await AccountsPull(
      job: "accounts", store: store,
      mapping: AccountMapping(options: SyncAuthOptions(email: .none, phone: .none)),
      pageSize: pageSize, maxDelete: maxDelete, startsOver: startsOver, now: .morning,
      accounts: port.accounts(after:limit:)
    ).run()
  }

  private func uids() throws -> [String] {
    try SQLiteFile.text(folder.path, "SELECT uid FROM auth_users ORDER BY uid")
  }

  /// Who changed from what tier to what, oldest first.
  private func changes() throws -> [String] {
    try SQLiteFile.text(
      folder.path,
      """
      SELECT uid || ' ' || ifnull(from_tier, '-') || ' ' || ifnull(to_tier, '-')
      FROM tier_changes ORDER BY seen_at, id
      """)
  }

  @Test(arguments: [0, 1, 2, 3, 4, 6, 7], [false, true])
  func `all accounts arrive, whatever the last page looks like`(
    count: Int, endsWithEmptyPage: Bool
  ) async throws {
    let port = ScriptedAccounts(Self.accounts(count), endsWithEmptyPage: endsWithEmptyPage)
    let result = try await pull(port)
    #expect(result.counts.fetched == count && result.counts.inserted == count)
    #expect(result.passCount == count && result.resumedAfter == nil && result.refusal == nil)
    #expect(try uids() == Self.accounts(count).map(\.uid))
    // A full last page is followed by an empty one only where it has a token.
    let pages = endsWithEmptyPage ? count / 3 + 1 : max(1, (count + 2) / 3)
    #expect(port.calls == pages)
    let again = try await pull(port)
    #expect(again.counts.unchanged == count && again.counts.storedTotal == 0)
  }

  @Test(arguments: 1...4)
  func `killed at any page, the next run goes on there and ends the same`(
    call: Int
  ) async throws {
    let port = ScriptedAccounts(Self.accounts(10))
    port.fail(call, with: Killed())
    await #expect(throws: Killed.self) { try await pull(port) }
    #expect(try uids().count == (call - 1) * 3)
    let result = try await pull(port)
    #expect(result.resumedAfter == (call == 1 ? nil : (call - 1) * 3))
    #expect(result.counts.fetched == 10 - (call - 1) * 3 && result.passCount == 10)
    #expect(try uids() == Self.accounts(10).map(\.uid))
    #expect(port.calls == 5)
  }

  @Test(arguments: 1...4)
  func `what is gone is found by a pass that was killed at any page, and not before its end`(
    call: Int
  ) async throws {
    let port = ScriptedAccounts(Self.accounts(10))
    _ = try await pull(port)
    port.remove("u101")
    port.remove("u108")
    port.fail(4 + call, with: Killed())
    if call < 4 {
      await #expect(throws: Killed.self) { try await pull(port) }
      #expect(try uids().count == 10)
    }
    let result = try await pull(port)
    #expect(result.counts.deleted == 2)
    let left = try uids()
    #expect(left.count == 8 && !left.contains("u101") && !left.contains("u108"))
  }

  @Test func `an account that goes between two pages stays until the next pass`() async throws {
    let port = ScriptedAccounts(Self.accounts(6))
    port.before(2) { port in
      // One whose page was read, and one whose page was not.
      port.remove("u100")
      port.remove("u104")
    }
    #expect(try await pull(port).counts.deleted == 0)
    #expect(try uids() == ["u100", "u101", "u102", "u103", "u105"])
    #expect(try await pull(port).counts.deleted == 1)
    #expect(try uids() == ["u101", "u102", "u103", "u105"])
  }

  @Test(arguments: [(1, true), (2, true), (3, false), (10, false)])
  func `no more rows go than max_delete allows`(gone: Int, isDeleted: Bool) async throws {
    let port = ScriptedAccounts(Self.accounts(10))
    _ = try await pull(port)
    for account in Self.accounts(gone) { port.remove(account.uid) }
    let result = try await pull(port, maxDelete: .percent(20))
    #expect(result.counts.deleted == (isDeleted ? gone : 0))
    let refusal =
      "\(gone) of 10 rows have lost their account, but max_delete (20%) allows 2: nothing was "
      + "deleted. If that many are gone, raise max_delete and run the job again."
    #expect(result.refusal == (isDeleted ? nil : refusal))
    #expect(try uids().count == (isDeleted ? 10 - gone : 10))
    // The pass is over: the next one is a whole one, and finds the same.
    #expect(try await pull(port, maxDelete: .rows(10)).counts.deleted == (isDeleted ? 0 : gone))
  }

  @Test func `a position that the server does not take any more begins the pass again`()
    async throws
  {
    let port = ScriptedAccounts(Self.accounts(7))
    port.fail(2, with: Killed())
    await #expect(throws: Killed.self) { try await pull(port) }
    port.fail(3, with: Self.refusal("INVALID_PAGE_SELECTION"))
    let result = try await pull(port)
    #expect(result.startedOver && result.resumedAfter == nil && result.passCount == 7)
    #expect(try uids().count == 7)
    // In a pass of its own it is an error: nothing could be gained by beginning again.
    port.fail(port.calls + 2, with: Self.refusal("INVALID_PAGE_SELECTION"))
    await #expect(throws: FirestoreError.self) { try await pull(port) }
  }

  @Test func `a full run gives up the position`() async throws {
    let port = ScriptedAccounts(Self.accounts(7))
    port.fail(2, with: Killed())
    await #expect(throws: Killed.self) { try await pull(port) }
    let result = try await pull(port, startsOver: true)
    #expect(result.resumedAfter == nil && result.counts.fetched == 7)
  }

  @Test func `people who were erased are left out and counted`() async throws {
    let key = KeyedHash(low: 5, high: 6)
    try store.write { writer in
      try writer.setErasureKey(key.hexadecimal)
      try writer.noteErased(hash: Int64(bitPattern: key.of(Array("u101".utf8))), at: .morning)
    }
    var parent = Account(uid: "u200")
    parent.customAttributes = #"{"child":"u101"}"#
    let result = try await pull(ScriptedAccounts(Self.accounts(4) + [parent]))
    #expect(result.counts.skipped == ["erased": 2] && result.counts.fetched == 5)
    #expect(try uids() == ["u100", "u102", "u103"])
  }

  @Test func `a changed account is overwritten`() async throws {
    let port = ScriptedAccounts(Self.accounts(2))
    _ = try await pull(port)
    var changed = Account(uid: "u100")
    changed.isDisabled = true
    port.put([changed])
    let result = try await pull(port)
    #expect(result.counts.updated == 1 && result.counts.unchanged == 1)
    #expect(try store.read { try $0.authUser(uid: "u100")?.isDisabled } == true)
  }

  private static func subscriber(_ uid: String, _ tier: String?) -> Account {
    var account = Account(uid: uid)
    account.customAttributes = tier.map { #"{"tier":"\#($0)"}"# }
    return account
  }

  /// As docs/jobs/sync-auth.md#tiers has it.
  @Test func `a profile has the tier of its account's claim, and loses it with the claim`()
    async throws
  {
    func tiers() throws -> [Tier] { try store.read { try $0.profiles().map(\.tier) } }
    try store.write { writer in
      for (name, uid, tier) in [("default", "u1", Tier.free), ("other", "u2", .pro)] {
        try writer.save(Profile(name: name, userId: uid, tier: tier))
      }
      let id = try writer.enqueue(.moment, profile: "default", payload: "{}", at: .morning)
      try writer.park(id: id, until: nil, reason: "limit")
    }
    let port = ScriptedAccounts([Self.subscriber("u1", "lite"), Account(uid: "u2")])
    _ = try await pull(port)
    // An account that names no tier decides nothing.
    #expect(try tiers() == [.lite, .pro])
    #expect(try store.read { try $0.outboxItems(limit: 9).map(\.state) } == [.queued])
    port.put([Self.subscriber("u1", nil)])
    _ = try await pull(port)
    #expect(try tiers() == [.free, .pro])
    #expect(try changes().map { $0.split(separator: " ").last } == ["lite", "free"])
  }

  @Test(arguments: 1...4)
  func `a pass that was killed at any page keeps each change of a tier once`(
    call: Int
  ) async throws {
    let port = ScriptedAccounts((0..<10).map { Self.subscriber("u\($0 + 100)", "lite") })
    port.fail(call, with: Killed())
    await #expect(throws: Killed.self) { try await pull(port) }
    _ = try await pull(port)
    let found = try changes()
    #expect(found.count == 10 && found.allSatisfy { $0.hasSuffix(" - lite") })
    port.remove("u101")
    port.put([Self.subscriber("u102", "pro"), Self.subscriber("u200", "plus")])
    port.fail(5 + call, with: Killed())
    await #expect(throws: Killed.self) { try await pull(port) }
    _ = try await pull(port)
    let later = try changes().dropFirst(10)
    #expect(later.sorted() == ["u101 lite -", "u102 lite pro", "u200 free plus"])
  }

  private static func refusal(_ message: String) -> FirestoreError {
    .refused(
      Refusal(
        ErrorEnvelope(status: .invalidArgument, message: message), httpStatus: 400,
        request: "list the accounts of projects/demo", api: .identityToolkit))
  }

  @Test(arguments: [["t1", "t1"], ["t1", "t2", "t0", "t1"]])
  func `tokens in a circle end the pass, and the next run begins a new one`(tokens: [String])
    async throws
  {
    let asked = Counter()
    let circle = AccountsPull(
      job: "accounts", store: store,
      mapping: AccountMapping(options: SyncAuthOptions(email: .none, phone: .none)),
      pageSize: 3, now: .morning,
      accounts: { _, _ in
        let number = asked.next()
        try #require(number < 20)
        return AccountPage(
          [Account(uid: "u\(number + 100)")], nextToken: tokens[number % tokens.count])
      })
    let error = await #expect(throws: FirestoreError.self) { try await circle.run() }
    #expect(
      error?.description.hasPrefix("Could not list the accounts: the server repeats a page token")
        == true)
    #expect(try uids().count == tokens.count - 1)
    let port = ScriptedAccounts(Self.accounts(4))
    let next = try await pull(port, maxDelete: .percent(100))
    #expect(next.resumedAfter == nil && next.passCount == 4)
    #expect(try uids() == Self.accounts(4).map(\.uid))
  }
}
