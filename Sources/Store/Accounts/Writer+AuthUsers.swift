import Foundation
import GRDB
package import Model

/// The accounts of Firebase Authentication; see `docs/jobs/sync-auth.md`.
extension Readable {
  package func authUser(uid: String) throws -> AuthUser? {
    try reader.first("SELECT * FROM auth_users WHERE uid = ?", [uid]) { try AuthUser($0) }
  }

  /// When the account was created; nil for an unknown one.
  package func accountCreatedAt(uid: String?) throws -> Instant? {
    try reader.instant("SELECT created_at FROM auth_users WHERE uid = ?", [uid])
  }

  /// The number that a new pass gets: one more than any row has.
  package func nextAccountPass() throws -> Int {
    try reader.count("SELECT coalesce(max(pass), 0) + 1 FROM auth_users")
  }

  /// The rows, and those of them that a pass has not seen.
  package func accountCounts(unseenBy pass: Int) throws -> (rows: Int, unseen: Int) {
    (
      try reader.count("SELECT count(*) FROM auth_users"),
      try reader.count("SELECT count(*) FROM auth_users WHERE pass <> ?", [pass])
    )
  }
}

extension Writer {
  /// Inserts new accounts, overwrites changed ones, and marks all as seen by the pass; notes the
  /// tiers that changed.
  ///
  /// No pass has come to its end before the first.
  package func upsert(
    _ users: [AuthUser], pass: Int, isFirst: Bool, at now: Instant
  ) throws -> (counts: UpsertCounts, tiers: [TierChange]) {
    var changes = UpsertCounts()
    var tiers: [TierChange] = []
    for user in users {
      let stored = try reader.authUser(uid: user.uid)
      if let change = try noteTier(of: stored, user, isFirst: isFirst, at: now) {
        tiers.append(change)
      }
      switch stored {
      case user:
        try database.cachedStatement(sql: "UPDATE auth_users SET pass = ? WHERE uid = ?")
          .execute(arguments: [pass, user.uid])
        changes.unchanged += 1
      case nil:
        try store(user, pass: pass, at: now)
        changes.inserted += 1
      default:
        try store(user, pass: pass, at: now)
        changes.updated += 1
      }
    }
    return (changes, tiers)
  }

  /// Deletes the accounts that the pass has not seen, and returns their number; notes the
  /// subscribers among them.
  package func deleteAccounts(unseenBy pass: Int, at now: Instant) throws -> Int {
    try noteGoneSubscribers(unseenBy: pass, at: now)
    return try run("DELETE FROM auth_users WHERE pass <> ?", [pass])
  }

  private func store(_ user: AuthUser, pass: Int, at now: Instant) throws {
    let cells = try user.cells() + [("synced_at", now.microseconds), ("pass", pass)]
    try insert(into: "auth_users", cells, orReplace: true)
  }
}

extension AuthUser {
  fileprivate init(_ row: Row) throws {
    let providers: String = row["providers"]
    self.init(uid: row["uid"])
    (email, emailHash, isEmailVerified) = (row["email"], row["email_hash"], row["email_verified"])
    (phone, phoneHash) = (row["phone"], row["phone_hash"])
    self.providers = try StoredJSON.value(of: providers)
    createdAt = row.instant("created_at")
    lastSignInAt = row.instant("last_sign_in_at")
    lastRefreshAt = row.instant("last_refresh_at")
    (isDisabled, tenantId, factorCount) = (row["disabled"], row["tenant_id"], row["factors"])
    (claims, tier) = (row["claims"], try row.choiceIfAny("tier", of: "auth_users"))
    namesOtherTier = row["names_other_tier"]
    (passwordHash, salt) = (row["password_hash"], row["salt"])
  }

  fileprivate func cells() throws -> [ColumnValue] {
    [
      ("uid", uid), ("email", email), ("email_hash", emailHash),
      ("email_verified", isEmailVerified), ("phone", phone), ("phone_hash", phoneHash),
      ("providers", try StoredJSON.text(of: providers)), ("created_at", createdAt?.microseconds),
      ("last_sign_in_at", lastSignInAt?.microseconds),
      ("last_refresh_at", lastRefreshAt?.microseconds), ("disabled", isDisabled),
      ("tenant_id", tenantId), ("factors", factorCount), ("claims", claims),
      ("tier", tier?.rawValue), ("names_other_tier", namesOtherTier),
      ("password_hash", passwordHash), ("salt", salt),
    ]
  }
}
