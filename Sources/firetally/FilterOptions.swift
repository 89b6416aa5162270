import ArgumentParser
import Jobs
import Model
import Reports
import Store

/// The filter criteria for users, the same in all commands.
///
/// A missing option keeps its criterion; an empty text removes it.
struct FilterOptions: ParsableArguments {
  @Option(help: "The users' gender.")
  var gender: GenderChoice?

  @Option(help: "An English country name; `filter suggest country` searches them.")
  var country: String?

  @Option(help: "An English language name; `filter suggest language` searches them.")
  var language: String?

  @Option(help: "Youngest age, 18 to 99.")
  var minAge: AgeChoice?

  @Option(help: "Oldest age, 18 to 99.")
  var maxAge: AgeChoice?

  @Flag(inversion: .prefixedNo, help: "Only users in the profile's city, or anywhere.")
  var nearby: Bool?

  var isEmpty: Bool {
    gender == nil && country == nil && language == nil && minAge == nil && maxAge == nil
      && nearby == nil
  }

  func onTopOfSaved(_ profileName: String, in reader: some Readable) throws -> UserFilter {
    let profile = try reader.profile(named: profileName)
    return try checked(
      onTopOf: profile?.filter ?? .none, profileCity: profile?.city, in: reader)
  }

  /// Returns the saved filter with the given criteria applied.
  ///
  /// - Throws: `BadSavedFilter` when all problems are in the saved filter, else `CommandError` with
  ///   all problems.
  func checked(
    onTopOf filter: UserFilter, profileCity: String?, in reader: some Readable
  ) throws -> UserFilter {
    let check = try reader.check(applied(to: filter), profileCity: profileCity)
    guard check.problems.isEmpty else {
      let saved = BadSavedFilter(filter, try reader.check(filter, profileCity: profileCity))
      if let saved, Set(check.problems).isSubset(of: saved.problems) { throw saved }
      let sentences = check.problems.map { VisibleText.line(String(describing: $0)) }
      throw CommandError(.usage, sentences.joined(separator: "\n"))
    }
    return check.filter
  }

  private func applied(to filter: UserFilter) -> UserFilter {
    var filter = filter
    if let gender { filter.gender = gender.gender }
    if let country { filter.country = country.isEmpty ? nil : country }
    if let language { filter.language = language.isEmpty ? nil : language }
    if let minAge { filter.minAge = minAge.years }
    if let maxAge { filter.maxAge = maxAge.years }
    if let nearby { filter.isNearbyOnly = nearby }
    return filter
  }
}

/// Male, female, or both, which is not a criterion.
struct GenderChoice: ExpressibleByArgument {
  /// Nil for both.
  let gender: Gender?

  static let allValueStrings = ["male", "female", "both"]

  init?(argument: String) {
    let word = argument.lowercased()
    if word == "both" || word.isEmpty {
      gender = nil
    } else if let gender = Gender.allCases.first(where: { $0.rawValue.lowercased() == word }) {
      self.gender = gender
    } else {
      return nil
    }
  }
}

/// An age in years; nil for an empty text.
struct AgeChoice: ExpressibleByArgument {
  let years: Int?

  init?(argument: String) {
    guard !argument.isEmpty else {
      years = nil
      return
    }
    guard let number = Int(argument) else { return nil }
    years = number
  }
}
