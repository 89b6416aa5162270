import Firestore
import Model
import Sync

/// The mapping from accounts to rows of `auth_users`; docs/jobs/sync-auth.md#columns.
struct AccountMapping: Sendable {
  /// The stored form of an e-mail address or a phone number.
  enum Contact: String, CaseIterable, Hashable, Sendable {
    case none
    /// A keyed hash, which shows equal contacts.
    case hash
    case plain
  }

  var options = SyncAuthOptions()
  /// Nil when no contact is hashed.
  var contactHash: ContactHash?

  /// Returns the row of an account, and counts unreadable values in `notes`, by their description.
  func row(of account: Account, notes: inout [String: Int]) -> AuthUser {
    var user = AuthUser(uid: account.uid)
    user.isEmailVerified = account.isEmailVerified
    user.providers = account.providers
    user.createdAt = account.createdAt.map(Instant.init)
    user.lastSignInAt = account.lastSignInAt.map(Instant.init)
    user.lastRefreshAt = account.lastRefreshAt.map(Instant.init)
    user.isDisabled = account.isDisabled
    user.tenantId = account.tenantId
    user.factorCount = account.factorCount
    switch options.email {
    case .none: break
    case .hash: user.emailHash = account.email.flatMap { contactHash?.email($0) }
    case .plain: user.email = account.email
    }
    switch options.phone {
    case .none: break
    case .hash: user.phoneHash = account.phone.flatMap { contactHash?.phone($0) }
    case .plain: user.phone = account.phone
    }
    if options.keepsPasswordHashes {
      user.passwordHash = account.passwordHash
      user.salt = account.salt
    }
    for member in account.unreadable { notes["\(member) of another type", default: 0] += 1 }
    if let text = account.customAttributes {
      let claims = Self.object(text)
      user.claims =
        claims == nil ? String(decoding: JSON.string(text).serialized(), as: UTF8.self) : text
      if let claims {
        takeTier(of: claims, to: &user, notes: &notes)
      } else {
        notes["customAttributes that are not a JSON object", default: 0] += 1
        user.namesOtherTier = true
      }
    }
    return user
  }

  private func takeTier(of claims: JSON, to user: inout AuthUser, notes: inout [String: Int]) {
    let name = "the claim \(options.tierClaim)"
    switch decision(of: claims) {
    case .tier(let tier): user.tier = tier
    case .none: break
    case .wrongType(let type):
      user.namesOtherTier = true
      notes["\(name) that is \(type)", default: 0] += 1
    // The word itself may name a person or hold a secret, so the note leaves it out.
    case .unknownWord:
      user.namesOtherTier = true
      notes["\(name) that names no tier", default: 0] += 1
    }
  }

  /// Decides the tier of the claim; for a list, the highest tier that one of its texts names.
  private func decision(of claims: JSON) -> TierClaimRule.Decision {
    let found = claim(in: claims)
    let decisions = found.map { TierClaimRule.decide($0, words: options.tierWords) }
    let tiers = decisions.compactMap { decision -> Tier? in
      if case .tier(let tier) = decision { tier } else { nil }
    }
    let highest = Tier.allCases.last { tiers.contains($0) }
    return highest.map { .tier($0) } ?? decisions.first ?? .none
  }

  /// Returns the claim, or those of a list; none for an empty list, which RevenueCat writes for
  /// people without purchases.
  private func claim(in claims: JSON) -> [TierClaimRule.Claim] {
    var found = claims
    for name in options.tierClaim.split(separator: ".") {
      guard case .object(let members) = found else { return [.other(Self.type(of: found))] }
      guard let member = members[String(name)], member != .null else { return [.absent] }
      found = member
    }
    guard case .array(let elements) = found else { return [Self.claim(of: found)] }
    return elements.map(Self.claim)
  }

  private static func claim(of json: JSON) -> TierClaimRule.Claim {
    guard case .string(let text) = json else { return .other(type(of: json)) }
    return .text(text)
  }

  private static func type(of json: JSON) -> String {
    switch json {
    case .null: "null"
    case .boolean: "true or false"
    case .number: "a number"
    case .string: "a text"
    case .array: "a list"
    case .object: "a map"
    }
  }

  /// Parses the claims; returns nil for a text that is not a JSON object.
  private static func object(_ text: String) -> JSON? {
    do {
      let json = try JSON(parsing: Array(text.utf8))
      guard case .object = json else { return nil }
      return json
    } catch {
      return nil
    }
  }
}
