import CollectionMapping
import App
import Firestore
package import Model
import Reports
import Store
package import Workspace

/// How a job of kind `sync-auth` works; see `docs/jobs/sync-auth.md`.
package struct SyncAuthOptions: JobKind {
  package static let kind = JobKindName("sync-auth")

  /// The number of accounts per request; 1 to 1,000.
  package var pageSize = 1_000
  /// The limit of rows of deleted accounts that a run may remove.
  package var maxDelete = DeleteLimit.default
  /// Whether a project without accounts is expected.
  package var allowsEmpty = false
  var email = AccountMapping.Contact.hash
  var phone = AccountMapping.Contact.hash
  package var keepsPasswordHashes = false
  /// The path of the claim that names the tier: names joined by dots.
  package var tierClaim = "tier"
  /// Texts of the claim that stand for a tier, in addition to the tiers' own names.
  package var tierWords: [String: Tier] = [:]

  package static let options = OptionKeys(
    SyncAuthOptions(),
    [
      .key("page_size", \.pageSize, .integer(FirestoreClient.accountLimits)),
      .key("max_delete", \.maxDelete, .deleteLimit),
      .key("allow_empty", \.allowsEmpty, .boolean),
      .key("email", \.email, .choice), .key("phone", \.phone, .choice),
      .key("password_hashes", \.keepsPasswordHashes, .boolean),
      .key(
        "tier_claim", \.tierClaim,
        .text(wanted: "the name of a claim, with a dot before each name inside a map") { text in
          text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
        }),
      .custom(
        ConfigurationKey("tiers", .object([ConfigurationKey("*", .choice(of: Tier.self))]))
      ) { reader, options in
        let words = reader.mapping("tiers")
        for entry in words.entries {
          options.tierWords[entry.name] = words.choice(entry.name, of: Tier.self)
        }
      },
    ])

  package var tables: [(key: String, name: String)] { [("kind", "auth_users")] }

  package func work(_ job: String, _ context: JobContext) throws -> any JobWork {
    SyncAuthWork(options: self, job: job, context: context)
  }
}

/// The work of the kind `sync-auth`: reads all accounts of Firebase Authentication;
/// docs/jobs/sync-auth.md.
struct SyncAuthWork: JobWork {
  let options: SyncAuthOptions
  let job: String
  let context: JobContext

  func plan() throws -> String {
    "Would read all accounts of Firebase Authentication into the table auth_users, "
      + "\(options.pageSize) a page. Accounts are not billed as reads; each page is one request of "
      + "the project's quota."
  }

  func perform(within budget: RunBudget) async throws -> JobResult {
    let settings = try context.settings()
    let accounts = try await context.services.firestore.accounts()
    let hashes = [options.email, options.phone].contains(.hash)
    let key = hashes ? try ContactKey.made(in: context.workspace) : nil
    let result = try await AccountsPull(
      job: job, store: context.store,
      mapping: AccountMapping(options: options, contactHash: key.map { ContactHash($0.hash) }),
      pageSize: options.pageSize, maxDelete: options.maxDelete,
      startsOver: context.options.isFull, now: context.now,
      accounts: accounts,
      onPage: context.observePages(of: job, "accounts", total: nil, within: budget),
      willChangeTier: { [context] profile, writer in
        _ = try context.session(of: profile, settings)
          .expireCooldowns(now: context.now, in: writer)
      }
    ).run()
    let counts = result.counts
    let isWhole = counts.skippedTotal == counts.skipped[ErasedPeople.countedAs, default: 0]
    var ended = JobResult(
      isWhole && result.notes.isEmpty && result.refusal == nil ? .ok : .partial,
      summary(of: counts),
      counts: counts, warnings: warnings(about: result, key))
    if result.passCount == 0, result.refusal == nil {
      ended.reportEmptiness(
        "Nothing was stored: the project has no accounts.", isExpected: options.allowsEmpty)
    }
    return ended
  }

  private func summary(of counts: RunCounts) -> String {
    "\(NumberWords.counted(counts.fetched, "account")) read: \(counts.stored)\(counts.removed)"
  }

  private func warnings(about result: AccountsPullResult, _ key: ContactKey?) -> [String] {
    var warnings = [result.resumption].compactMap(\.self)
    if result.startedOver {
      warnings.append(
        "Firebase Authentication no longer takes the position of the interrupted load, so it began "
          + "again.")
    }
    if !result.notes.isEmpty {
      let notes = result.notes.sorted { $0.key < $1.key }
      warnings.append(
        "Left empty, because it cannot be read: "
          + notes.map { "\($0.key) (\($0.value))" }.joined(separator: ", ") + ".")
    }
    return warnings + [result.refusal].compactMap(\.self)
      + (key?.warnings(in: context.workspace) ?? [])
  }
}
