import Firestore
package import Model
package import Sync

/// How a job of kind `sync-auth` works; see `docs/jobs/sync-auth.md`.
package struct SyncAuthOptions: JobDefinition {
  package static let kind = JobKind("sync-auth")

  /// Accounts a request asks for; 1 to 1,000.
  package var pageSize = 1_000
  /// How many rows a run may remove because their accounts are gone.
  package var maxDelete = DeleteLimit.default
  /// Whether a project without accounts is as it should be.
  package var allowsEmpty = false
  package var email = AccountMapping.Contact.hash
  package var phone = AccountMapping.Contact.hash
  package var keepsPasswordHashes = false
  /// The claim that names the tier: names with dots between them.
  package var tierClaim = "tier"
  /// Texts of the claim that stand for a tier, beside the tiers' own names.
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
        ConfigurationKey("tiers", .mapping), ConfigurationKey("tiers.*", .choice(of: Tier.self))
      ) { reader, options in
        let words = reader.mapping("tiers")
        for entry in words.entries {
          options.tierWords[entry.name] = words.choice(entry.name, of: Tier.self)
        }
      },
    ])

  /// Whether anything is hashed.
  var hashesContacts: Bool { email == .hash || phone == .hash }

  func mapping(_ hash: ContactHash?) -> AccountMapping {
    AccountMapping(
      email: email, phone: phone, contactHash: hash,
      tierClaim: tierClaim.split(separator: ".").map(String.init), tierWords: tierWords,
      keepsPasswordHashes: keepsPasswordHashes)
  }

  package var tables: [(key: String, name: String)] { [("kind", "auth_users")] }

  package func work(_ job: String, _ context: JobContext) throws -> any JobWork {
    SyncAuthWork(self, job: job, context)
  }
}
