import Firestore
package import Model
package import Rules
package import Sync

/// How a job of kind `sync-auth` works; see `docs/jobs/sync-auth.md`.
package struct SyncAuthOptions: JobDefinition {
  package static let kind = JobKind("sync-auth")

  /// Accounts a request asks for; 1 to 1,000.
  package var pageSize: Int
  /// How many rows a run may remove because their accounts are gone.
  package var maxDelete: DeleteLimit
  /// Whether a project without accounts is as it should be.
  package var allowsEmpty: Bool
  package var email: AccountMapping.Contact
  package var phone: AccountMapping.Contact
  package var keepsPasswordHashes: Bool
  /// The claim that names the tier: names with dots between them.
  package var tierClaim: String
  /// Texts of the claim that stand for a tier, beside the tiers' own names.
  package var tierWords: [String: Tier]

  package static let defaultPageSize = 1_000
  package static let defaultTierClaim = "tier"
  package static let keys = KeyTable([
    ConfigurationKey(
      "page_size", .integer(FirestoreClient.accountLimits), default: "\(defaultPageSize)"),
    MirrorOptions.maxDeleteKey,
    ConfigurationKey("allow_empty", .boolean, default: "false"),
    contactKey("email"), contactKey("phone"),
    ConfigurationKey("password_hashes", .boolean, default: "false"),
    ConfigurationKey("tier_claim", .text, default: defaultTierClaim),
    ConfigurationKey("tiers", .mapping),
    ConfigurationKey("tiers.*", .choice(of: Tier.self)),
  ])

  private static func contactKey(_ path: String) -> ConfigurationKey {
    ConfigurationKey(
      path, .choice(of: AccountMapping.Contact.self), default: AccountMapping.Contact.hash.rawValue)
  }

  package init(
    pageSize: Int = defaultPageSize, maxDelete: DeleteLimit = .standard, allowsEmpty: Bool = false,
    email: AccountMapping.Contact = .hash, phone: AccountMapping.Contact = .hash,
    keepsPasswordHashes: Bool = false, tierClaim: String = defaultTierClaim,
    tierWords: [String: Tier] = [:]
  ) {
    self.pageSize = pageSize
    self.maxDelete = maxDelete
    self.allowsEmpty = allowsEmpty
    self.email = email
    self.phone = phone
    self.keepsPasswordHashes = keepsPasswordHashes
    self.tierClaim = tierClaim
    self.tierWords = tierWords
  }

  package init(_ reader: MappingReader, job: String) {
    pageSize =
      reader.integer("page_size", in: FirestoreClient.accountLimits) ?? Self.defaultPageSize
    maxDelete = MirrorOptions.maxDelete(reader)
    allowsEmpty = reader.boolean("allow_empty") ?? false
    email = reader.choice("email", of: AccountMapping.Contact.self) ?? .hash
    phone = reader.choice("phone", of: AccountMapping.Contact.self) ?? .hash
    keepsPasswordHashes = reader.boolean("password_hashes") ?? false
    let wanted = "the name of a claim, with a dot before each name inside a map"
    tierClaim =
      reader.text("tier_claim", wanted: wanted) { text in
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
      } ?? Self.defaultTierClaim
    let words = reader.mapping("tiers")
    tierWords = words.entries.reduce(into: [:]) { tiers, entry in
      tiers[entry.name] = words.choice(entry.name, of: Tier.self)
    }
  }

  /// Whether anything is hashed.
  var hashesContacts: Bool { email == .hash || phone == .hash }

  func mapping(_ hash: ContactHash?) -> AccountMapping {
    AccountMapping(
      email: email, phone: phone, contactHash: hash,
      tierClaim: tierClaim.split(separator: ".").map(String.init), tierWords: tierWords,
      keepsPasswordHashes: keepsPasswordHashes)
  }

  package func work(_ job: String, _ context: JobContext) throws -> any JobWork {
    SyncAuthWork(self, job: job, context)
  }
}
