package import Model
package import Store

/// Filters held against the names of the lists and of the data; see `docs/filters.md#filters`.
extension Readable {
  /// The filter checked; names in use are looked up only for a name that is not listed.
  package func check(_ filter: UserFilter, profileCity: String?) throws -> FilterCheck {
    FilterCheck(
      filter, profileCity: profileCity,
      countries: try list(.countries, for: filter.country) { try countriesInUse() },
      languages: try list(.languages, for: filter.language) { try languagesInUse() })
  }

  /// The profile's filter, with country and language as the lists spell them.
  ///
  /// - Throws: `BadSavedFilter` when it is not valid.
  @discardableResult
  package func validFilter(of profile: Profile) throws -> UserFilter {
    let check = try check(profile.filter, profileCity: profile.city)
    if let bad = BadSavedFilter(profile.filter, check) { throw bad }
    return check.filter
  }

  private func list(
    _ names: NameList, for name: String?, inUse: () throws -> [String]
  ) throws -> NameList {
    guard let name, !names.contains(name) else { return names }
    let isKept = try metadata(named: metadataName(of: name)) != nil
    return names.adding((isKept ? [name] : []) + (try inUse()))
  }
}

extension UserFilter {
  /// What notes the names of a filter that is being saved: it stays valid when nobody has them any
  /// more.
  var nameEffects: [Effect] {
    [(NameList.countries, country), (.languages, language)].compactMap { list, name in
      guard let name, !list.contains(name) else { return nil }
      return .metadata("yes", named: metadataName(of: name))
    }
  }
}

private func metadataName(of name: String) -> String { "filter name \(name)" }
