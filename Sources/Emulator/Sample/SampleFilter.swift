import Model

/// What one tap on the sample app's filter looks for.
struct SampleFilter {
  private var gender: String?
  private var country: String?
  private var language: String?
  private var ages: String?
  private var tellsFound = false

  /// Looks for people of one's own country.
  init(of user: SampleUser) { country = user.country }

  /// Looks for what people look for.
  init(of user: SampleUser, random: inout SeededRandom) {
    tellsFound = true
    if random.chance(58) { gender = random.chance(78) == user.isFemale ? "Male" : "Female" }
    if random.chance(36) {
      let places = SampleLocale.all.map(\.country)
      country = random.chance(70) ? user.country : random.pick(places, or: user.country)
    }
    if random.chance(18) { language = user.language }
    if random.chance(27) {
      let low = max(18, user.age - random.integer(2...6))
      ages = "\(low)-\(user.age + random.integer(2...8))"
    }
  }

  /// How many users it finds: fewer for each criterion, and nobody in some cases; nil when the app
  /// does not say.
  func found(_ random: inout SeededRandom) -> Int64? {
    guard tellsFound else { return nil }
    let criteria = [gender, country, language, ages].compactMap(\.self).count
    return random.chance(Double(3 + 7 * criteria))
      ? 0 : Int64(random.integer(1...(240 / (1 + criteria * criteria))))
  }

  /// By their names without the platform.
  func parameters(found: Int64?) -> [String: EventValue] {
    var parameters: [String: EventValue] = [:]
    parameters["filter_gender"] = gender.map(EventValue.string)
    parameters["filter_country"] = country.map(EventValue.string)
    parameters["filter_language"] = language.map(EventValue.string)
    if let ages { parameters["filter_criteria"] = .string("age \(ages)") }
    parameters["filter_result_count"] = found.map(EventValue.integer)
    return parameters
  }
}
