import ArgumentParser
import Model
import Rules
import Store

/// The criteria that users are picked by, the same in every command that takes them.
struct FilterOptions: ParsableArguments {
  enum GenderChoice: String, ExpressibleByArgument, CaseIterable {
    case male, female, both
  }

  @Option(help: "male, female or both.")
  var gender: GenderChoice?

  @Option(help: "An English country name, as in the data.")
  var country: String?

  @Option(help: "An English language name, as in the data.")
  var language: String?

  @Option(help: "Youngest age, 18 to 99.")
  var minAge: Int?

  @Option(help: "Oldest age, 18 to 99.")
  var maxAge: Int?

  @Flag(help: "Only users in the profile's own city.")
  var nearby = false

  var filter: UserFilter {
    UserFilter(
      gender: gender.flatMap(Self.gender), country: country, language: language, minAge: minAge,
      maxAge: maxAge, isNearbyOnly: nearby)
  }

  /// The criteria as a question to the store, once they make sense for the profile.
  func question(_ profileName: String, in reader: Reader) throws -> UserQuestion {
    let city = try reader.profile(named: profileName)?.city
    let problems = FilterRule.problems(of: filter, profileCity: city)
    guard problems.isEmpty else {
      throw ValidationError(problems.map { String(describing: $0) }.joined(separator: "\n"))
    }
    return UserQuestion(filter, nearCity: city)
  }

  private static func gender(_ choice: GenderChoice) -> Gender? {
    switch choice {
    case .male: .male
    case .female: .female
    case .both: nil
    }
  }
}
