import App
import Firestore
import Model
import Store
import Sync

struct AccountsPullResult: Hashable, Sendable {
  var counts = RunCounts()
  /// The numbers of accounts by a description of their unreadable value.
  var notes: [String: Int] = [:]
  /// The accounts that an unfinished pass had stored before this run; nil when this run began its
  /// pass.
  var resumedAfter: Int?
  /// Whether the server rejected the position of the unfinished pass.
  var startedOver = false
  /// The reason why rows of deleted accounts were kept; nil when none were.
  var refusal: String?
  /// The accounts of the whole pass, including those of earlier runs.
  var passCount = 0

  /// A sentence about the unfinished pass that this run continued; nil without one.
  var resumption: String? { Resumption.sentence(after: resumedAfter, "account") }
}

/// A pull of all accounts page by page, each committed with its position.
///
/// It is crash-safe: the next run continues with the first page that was not stored. The
/// transaction of the last page also deletes the rows that the pass has not seen.
struct AccountsPull: Sendable {
  let job: String
  let store: Store
  let mapping: AccountMapping
  /// The number of accounts per request.
  let pageSize: Int
  var maxDelete = DeleteLimit.default
  /// Whether to discard an unfinished pass.
  var startsOver = false
  let now: Instant
  let accounts: AccountPages
  /// Receives the number of accounts of each stored page.
  var onPage: @Sendable (Int) -> Void = { _ in }
  /// Called in the page's transaction before a profile's tier changes.
  var willChangeTier: @Sendable (_ profile: String, _ writer: Writer) throws -> Void = { _, _ in }

  /// The stored position of a pass.
  private struct Position: Codable {
    /// The number that marks the rows seen by the pass.
    var pass: Int
    /// Whether no earlier pass has finished, though one may have begun; nil as written by firetally
    /// 0.2.0.
    var first: Bool?
    /// Nil before the first page.
    var token: String?
    var count = 0

    var isFirst: Bool { first ?? (pass == 1) }
  }

  private static let key = "accounts"

  func run() async throws -> AccountsPullResult {
    var result = AccountsPullResult()
    let (stored, erased) = try store.read {
      (try $0.cursor(job: job, key: Self.key), try $0.erasedPeople())
    }
    // A position that this version cannot read starts a new pass.
    let unfinished = stored.flatMap { try? StoredJSON.value(Position.self, of: $0.value) }
    func newPosition() throws -> Position {
      let pass = try store.read { try $0.nextAccountPass() }
      return Position(pass: pass, first: unfinished?.isFirst ?? (pass == 1))
    }
    var position = try newPosition()
    if !startsOver, let unfinished, unfinished.token != nil {
      position = unfinished
      result.resumedAfter = unfinished.count
    }
    var tokens = PageTokens(of: "list the accounts", from: position.token)
    var isLast = false
    while !isLast {
      try Task.checkCancellation()
      let page: AccountPage
      do {
        page = try await accounts(position.token, pageSize)
      } catch let error as FirestoreError
        where error.reason == .pageTokenInvalid && result.resumedAfter != nil
        && !result.startedOver
      {
        result.startedOver = true
        result.resumedAfter = nil
        position = try newPosition()
        tokens = PageTokens(of: "list the accounts")
        continue
      }
      do {
        try tokens.follow(page.nextToken)
      } catch {
        try giveUp(position)
        throw error
      }
      isLast = page.nextToken == nil
      try commit(page, &position, &result, erased)
      onPage(page.accounts.count)
    }
    result.passCount = position.count
    return result
  }

  /// Makes the next run begin a new pass, because the stored token leads in a circle.
  private func giveUp(_ position: Position) throws {
    let restart = Position(pass: position.pass, first: position.isFirst)
    let cursor = SyncCursor(value: try StoredJSON.text(of: restart), startedAt: now)
    try store.write { try $0.setCursor(cursor, job: job, key: Self.key) }
  }

  /// Stores a page with its position; the last page also deletes the rows of missing accounts.
  private func commit(
    _ page: AccountPage, _ position: inout Position, _ result: inout AccountsPullResult,
    _ erased: ErasedPeople
  ) throws {
    let known = page.accounts.filter { account in
      !erased.contains(account.uid) && !erased.areNamed(inText: account.customAttributes ?? "")
    }
    let users = known.map { mapping.row(of: $0, notes: &result.notes) }
    position.count += page.accounts.count
    position.token = page.nextToken
    let reached = position
    let (changes, deleted, refusal) = try store.write { writer in
      let (changes, tiers) = try writer.upsert(
        users, pass: reached.pass, isFirst: reached.isFirst, at: now)
      try writer.takeTiers(of: users, after: tiers) { try willChangeTier($0, writer) }
      guard reached.token == nil else {
        try writer.setCursor(
          SyncCursor(value: try StoredJSON.text(of: reached), startedAt: now), job: job,
          key: Self.key)
        return (changes, 0, nil as String?)
      }
      try writer.clearCursor(job: job, key: Self.key)
      let (rows, missing) = try writer.accountCounts(unseenBy: reached.pass)
      let finding = DeleteRule.Finding(
        counted: reached.count, listed: reached.count, rows: rows, missing: missing)
      if case .tooMany(let allowed) = DeleteRule.decide(finding, limit: maxDelete) {
        return (changes, 0, maxDelete.refusal(of: finding, "account", allowed: allowed))
      }
      return (changes, try writer.deleteAccounts(unseenBy: reached.pass, at: now), nil)
    }
    result.counts.add(page, changes, erased: page.accounts.count - known.count)
    result.counts.deleted += deleted
    result.refusal = refusal
  }
}

extension RunCounts {
  fileprivate mutating func add(_ page: AccountPage, _ changes: UpsertCounts, erased: Int) {
    fetched += page.accounts.count + page.unnamedCount
    inserted += changes.inserted
    updated += changes.updated
    unchanged += changes.unchanged
    if erased > 0 { skipped[ErasedPeople.countedAs, default: 0] += erased }
    if page.unnamedCount > 0 {
      skipped[SkipReason.badField("localId").id, default: 0] += page.unnamedCount
    }
  }
}
