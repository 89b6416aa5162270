/// A row of `auth_users`: an account of Firebase Authentication; see `docs/jobs/sync-auth.md`.
package struct AuthUser: Hashable, Sendable {
  package var uid: String
  /// Nil unless the job keeps addresses; so for the phone number.
  package var email: String?
  /// A keyed hash as 16 hexadecimal digits; see `docs/privacy.md#contacts`.
  package var emailHash: String?
  package var isEmailVerified = false
  package var phone: String?
  package var phoneHash: String?
  /// Ids such as `google.com`, sorted; empty for an anonymous user.
  package var providers: [String] = []
  package var createdAt: Instant?
  package var lastSignInAt: Instant?
  package var lastRefreshAt: Instant?
  package var isDisabled = false
  package var tenantId: String?
  package var factorCount = 0
  /// The custom claims as JSON; another text than a JSON object is kept as a JSON string.
  package var claims: String?
  /// What the claims say; nil when they do not say, or nothing that can be read.
  package var tier: Tier?
  /// Whether the claim of the tier cannot be read: it is not a text, or names no tier, or the
  /// claims are not a JSON object; then `tier` is nil.
  package var namesOtherTier = false
  /// Base64, and only when the job asks for it; so for the salt.
  package var passwordHash: String?
  package var salt: String?

  package init(uid: String) { self.uid = uid }
}

/// Which tier a custom claim gives a user; docs/jobs/sync-auth.md#tiers.
package enum TierClaimRule {
  /// The value of the claim, as far as the rule looks at it.
  package enum Claim: Hashable, Sendable {
    case absent
    case text(String)
    /// Any other type of JSON, such as `a number`.
    case other(String)
  }

  package enum Decision: Hashable, Sendable {
    case tier(Tier)
    /// The user has no such claim, so nobody said that they subscribe.
    case none
    /// The claim is no text; the type in words.
    case wrongType(String)
    /// The text stands for no tier.
    case unknownWord(String)
  }

  /// `words` gives texts of the app's own a tier and wins over the tiers' own names.
  package static func decide(_ claim: Claim, words: [String: Tier] = [:]) -> Decision {
    switch claim {
    case .absent: .none
    case .other(let type): .wrongType(type)
    case .text(let text):
      if let tier = words[text] ?? Tier(rawValue: text) { .tier(tier) } else { .unknownWord(text) }
    }
  }
}

/// How the texts of contacts become hashes; docs/privacy.md#contacts.
package struct ContactHash: Sendable {
  private let hash: KeyedHash

  package init(_ hash: KeyedHash) {
    self.hash = hash
  }

  /// The same for all spellings of an address that differ in case or in white space around it.
  package func email(_ address: String) -> String {
    code("email", address.trimmed.lowercased())
  }

  package func phone(_ number: String) -> String { code("phone", number.trimmed) }

  /// 16 hexadecimal digits; an address and a number of one text differ.
  private func code(_ kind: String, _ text: String) -> String {
    hash.of(Array(kind.utf8) + [0xff] + Array(text.utf8)).hexadecimal
  }
}
