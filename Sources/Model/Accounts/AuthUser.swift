/// A row of `auth_users`: an account of Firebase Authentication; see `docs/jobs/sync-auth.md`.
package struct AuthUser: Hashable, Sendable {
  package var uid: String
  /// Nil unless the job keeps addresses; so for the phone number.
  package var email: String?
  /// A keyed hash as 16 hexadecimal digits; see `docs/privacy.md#contacts`.
  package var emailHash: String?
  package var isEmailVerified: Bool
  package var phone: String?
  package var phoneHash: String?
  /// Ids such as `google.com`, sorted; empty for an anonymous user.
  package var providers: [String]
  package var createdAt: Instant?
  package var lastSignInAt: Instant?
  package var lastRefreshAt: Instant?
  package var isDisabled: Bool
  package var tenantId: String?
  package var factorCount: Int
  /// The custom claims as JSON; a text that is no JSON object is kept as a JSON string.
  package var claims: String?
  /// What the claims say; nil when they do not say, or nothing that can be read.
  package var tier: Tier?
  /// Base64, and only when the job asks for it; so for the salt.
  package var passwordHash: String?
  package var salt: String?

  package init(
    uid: String, email: String? = nil, emailHash: String? = nil, isEmailVerified: Bool = false,
    phone: String? = nil, phoneHash: String? = nil, providers: [String] = [],
    createdAt: Instant? = nil, lastSignInAt: Instant? = nil, lastRefreshAt: Instant? = nil,
    isDisabled: Bool = false, tenantId: String? = nil, factorCount: Int = 0,
    claims: String? = nil, tier: Tier? = nil, passwordHash: String? = nil, salt: String? = nil
  ) {
    self.uid = uid
    self.email = email
    self.emailHash = emailHash
    self.isEmailVerified = isEmailVerified
    self.phone = phone
    self.phoneHash = phoneHash
    self.providers = providers
    self.createdAt = createdAt
    self.lastSignInAt = lastSignInAt
    self.lastRefreshAt = lastRefreshAt
    self.isDisabled = isDisabled
    self.tenantId = tenantId
    self.factorCount = factorCount
    self.claims = claims
    self.tier = tier
    self.passwordHash = passwordHash
    self.salt = salt
  }
}
