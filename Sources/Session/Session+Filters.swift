package import Model
package import Store

extension Session {
  /// Saves the criteria that the next filtered load goes by; requests nothing, touches no users.
  ///
  /// `wanted` makes them of those that are saved, in the transaction that saves them.
  package func saveFilter(_ wanted: (Profile, Writer) throws -> UserFilter) throws {
    _ = try store.write { writer in
      try updateProfile(in: writer) { $0.filter = try wanted($0, writer) }
    }
  }

  /// Forgets the criteria and when the users were fetched, so that the next run fetches them anew.
  package func clearFilter() throws {
    try updateProfile { profile in
      profile.filter = .none
      profile.usersRefreshedAt = nil
    }
  }
}

extension UserFilter {
  /// What the events of a filter say about it; docs/rules.md#events.
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

  /// One text a criterion, such as `age 25-35`; both bounds of the age are one criterion.
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
