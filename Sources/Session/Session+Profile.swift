package import Model
package import Store

extension Session {
  /// The profile as it is stored, or with its defaults when it was never saved.
  package func profile() throws -> Profile {
    try store.read { try profile(in: $0) }
  }

  /// The same inside a transaction or snapshot of the caller.
  package func profile(in source: some Readable) throws -> Profile {
    try source.profile(named: profileName) ?? Profile(name: profileName)
  }

  /// Changes the profile, which is stored from its first change on, and returns it.
  @discardableResult
  package func updateProfile(_ change: (inout Profile) throws -> Void) throws -> Profile {
    try store.write { try updateProfile(in: $0, change) }
  }

  /// The same as a part of the caller's transaction.
  ///
  /// The name stays: a change of it is ignored.
  @discardableResult
  package func updateProfile(
    in writer: Writer, _ change: (inout Profile) throws -> Void
  ) throws -> Profile {
    let stored = try writer.profile(named: profileName)
    var profile = stored ?? Profile(name: profileName)
    try change(&profile)
    profile.name = profileName
    if profile != stored { try writer.save(profile) }
    return profile
  }

  /// Makes the profile; nil, and nothing stored, when there is one of this name.
  package func createProfile(_ change: (inout Profile) throws -> Void) throws -> Profile? {
    try store.write { writer in
      guard try writer.profile(named: profileName) == nil else { return nil }
      var profile = Profile(name: profileName)
      try change(&profile)
      profile.name = profileName
      try writer.save(profile)
      return profile
    }
  }

  /// Clears the local users, and the profile's filter and refresh time, and says how many users went.
  ///
  /// A load that had stopped half-way begins anew. To be called by the holder of the workspace lock.
  package func signOut() throws -> Int {
    try store.write { writer in
      try updateProfile(in: writer) { profile in
        profile.filter = .none
        profile.usersRefreshedAt = nil
      }
      return try writer.deleteAllUsers()
    }
  }

  /// Changes the tier, and says how many moments that requeued.
  ///
  /// An upgrade forgets the moment quotas and queues the moments that waited. The free tier resets
  /// nothing.
  @discardableResult
  package func setTier(_ tier: Tier) throws -> Int {
    try store.write { try setTier(tier, in: $0) }
  }

  /// The same as a part of the caller's transaction.
  @discardableResult
  package func setTier(_ tier: Tier, in writer: Writer) throws -> Int {
    try updateProfile(in: writer) { $0.tier = tier }
    guard tier.isSubscribed else { return 0 }
    try writer.setMomentMarks(.none, profile: profileName)
    return try writer.requeueParked(kind: .moment, profile: profileName)
  }
}
