package import Model
package import Store

extension ProfileSession {
  /// Changes the profile, stores it if it changed, and returns it.
  @discardableResult
  package func updateProfile(_ change: (inout Profile) throws -> Void) throws -> Profile {
    try store.write { try updateProfile(in: $0, change) }
  }

  /// The same inside the caller's transaction.
  ///
  /// A change of the name is ignored. A new user id removes that user from the local copy.
  @discardableResult
  package func updateProfile(
    in writer: Writer, _ change: (inout Profile) throws -> Void
  ) throws -> Profile {
    let stored = try writer.profile(named: profileName)
    var profile = stored ?? Profile(name: profileName)
    try change(&profile)
    profile.name = profileName
    profile.authCreatedAt = try writer.accountCreatedAt(uid: profile.userId)
    if profile != stored { try writer.save(profile) }
    if profile.filter != stored?.filter { try writer.apply(profile.filter.nameEffects) }
    if let own = profile.userId, own != stored?.userId {
      try writer.deleteUser(id: own)
      if let tier = try writer.authUser(uid: own)?.tier, tier != profile.tier {
        try writer.setTier(tier, ofProfile: profileName)
        return try self.profile(in: writer)
      }
    }
    return profile
  }

  /// Creates the profile; nil, with nothing stored, when the name is taken.
  package func createProfile(_ change: (inout Profile) throws -> Void) throws -> Profile? {
    try store.write { writer in
      guard try writer.profile(named: profileName) == nil else { return nil }
      return try updateProfile(in: writer, change)
    }
  }

  /// Deletes the local users and the profile's refresh time; returns the number of users.
  ///
  /// An unfinished load begins again. The caller must hold the workspace lock.
  package func clearUsers(keepingFilter: Bool) throws -> Int {
    try store.write { writer in
      try updateProfile(in: writer) { profile in
        if !keepingFilter { profile.filter = .none }
        profile.usersRefreshedAt = nil
      }
      return try writer.deleteAllUsers()
    }
  }

  /// Changes the tier and returns the number of moments that were queued again.
  ///
  /// An upgrade forgets the reached quotas, opens the timeline and queues the parked moments. The
  /// free tier resets nothing.
  @discardableResult
  package func setTier(_ tier: Tier) throws -> Int {
    try store.write { try setTier(tier, in: $0) }
  }

  /// The same inside the caller's transaction.
  @discardableResult
  package func setTier(_ tier: Tier, in writer: Writer) throws -> Int {
    try updateProfile(in: writer) { _ in }
    return try writer.setTier(tier, ofProfile: profileName)
  }

  /// Saves the criteria of the next filtered load; requests nothing and changes no users.
  ///
  /// `wanted` computes them from the stored profile, inside the transaction.
  package func saveFilter(_ wanted: (Profile, Writer) throws -> UserFilter) throws {
    _ = try store.write { writer in
      try updateProfile(in: writer) { $0.filter = try wanted($0, writer) }
    }
  }

  /// Clears the filter and the users' refresh time, so that the next run loads the users.
  package func clearFilter() throws {
    try updateProfile { profile in
      profile.filter = .none
      profile.usersRefreshedAt = nil
    }
  }
}

extension UserFilter {
  /// The parameters about a filter in its events; docs/events.md#events.
  package var eventDetails: [String: EventValue] {
    let criteria = criteria
    return [
      "filter_criteria": .string(criteria.joined(separator: ", ")),
      "filter_count": .integer(Int64(criteria.count)),
      "filter_gender": .string(gender?.rawValue ?? ""),
      "filter_country": .string(country ?? ""),
      "filter_language": .string(language ?? ""),
    ]
  }

  /// One text for each criterion, such as `age 25-35`; both bounds of the age are one criterion.
  private var criteria: [String] {
    [
      gender.map { "gender \($0.rawValue)" }, country.map { "country \($0)" },
      language.map { "language \($0)" }, ageCriterion, isNearbyOnly ? "nearby" : nil,
    ].compactMap(\.self)
  }

  private var ageCriterion: String? {
    switch (minAge, maxAge) {
    case (nil, nil): nil
    case (let minAge?, nil): "age \(minAge)+"
    case (nil, let maxAge?): "age up to \(maxAge)"
    case (let minAge?, let maxAge?): "age \(minAge)-\(maxAge)"
    }
  }
}

/// The tiers of profiles; docs/rules.md#profiles.
extension Writer {
  /// Changes the tier of a stored profile; see `ProfileSession.setTier`.
  ///
  /// - Returns: the moments that were queued again.
  @discardableResult
  func setTier(_ tier: Tier, ofProfile name: String) throws -> Int {
    guard var profile = try profile(named: name) else { return 0 }
    profile.tier = tier
    if tier.isSubscribed { profile.isTimelineRestricted = false }
    try save(profile)
    guard tier.isSubscribed else { return 0 }
    try setReachedMomentLimits(.none, profile: name)
    return try requeueParked(kind: .moment, profile: name)
  }

  /// Sets the tier of these accounts' profiles from their claims, or from a claim that was lost in
  /// this reading.
  ///
  /// `before` is called with the name of each profile whose tier is about to change.
  package func takeTiers(
    of accounts: [AuthUser], after changes: [TierChange], before: (_ profile: String) throws -> Void
  ) throws {
    let named = accounts.compactMap { account in account.tier.map { (account.uid, $0) } }
    let lost = changes.compactMap { change in change.to.map { (change.uid, $0) } }
    let tiers = Dictionary(lost + named) { $1 }
    for profile in try profiles() {
      guard let tier = profile.userId.flatMap({ tiers[$0] }), tier != profile.tier else { continue }
      try before(profile.name)
      try setTier(tier, ofProfile: profile.name)
    }
  }
}
