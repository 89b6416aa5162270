package import Model
package import Store

/// Replaces people in the data of the reports by pseudonyms: docs/reports.md#anonymous.
package struct AnonymousData {
  private let pseudonyms: Pseudonyms
  /// The pseudonyms of profile names and ids that messages may contain.
  private let known: [String: String]

  /// - Parameters:
  ///   - pseudonyms: those of the workspace.
  ///   - profiles: all profiles of the workspace.
  package init(_ pseudonyms: Pseudonyms, profiles: [Profile]) {
    self.pseudonyms = pseudonyms
    var known: [String: String] = [:]
    for profile in profiles {
      known[profile.name] = pseudonyms.profile(profile.name)
      if let id = profile.userId { known[id] = pseudonyms.user(id) }
    }
    self.known = known
  }

  package func context(_ context: ReportContext) -> ReportContext {
    var context = context
    context.scope = context.scope.map(pseudonyms.profile)
    return context
  }

  /// What stands for people in the cells of queries.
  package var queryCover: QueryPseudonymizer {
    QueryPseudonymizer(user: pseudonyms.user) { try pseudonyms.message($0, others: known) }
  }

  package func limits(_ data: LimitsData) throws -> LimitsData {
    var data = data
    for index in data.profiles.indices {
      data.profiles[index].profile = profile(data.profiles[index].profile)
      data.profiles[index].moments.reached.dailyMessage = nil
      data.profiles[index].moments.reached.totalMessage = nil
    }
    data.chosenProfile = pseudonyms.profile(data.chosenProfile)
    for index in data.proposals.indices {
      data.proposals[index].reason = try pseudonyms.message(
        data.proposals[index].reason, others: known)
    }
    return data
  }

  private func profile(_ profile: Profile) -> Profile {
    var profile = profile
    profile.name = pseudonyms.profile(profile.name)
    profile.userId = profile.userId.map(pseudonyms.user)
    profile.city = nil
    return profile
  }

  /// `names` are the known names of users, by id.
  package func ratings(_ data: RatingsData, names: [String: String]) throws -> RatingsData {
    var data = data
    for index in data.feedback.indices {
      let id = data.feedback[index].writerId
      data.feedback[index].feedback.text = try pseudonyms.writing(
        data.feedback[index].feedback.text, by: id, named: names[id])
      data.feedback[index].feedback.userId = pseudonyms.user(id)
      data.feedback[index].profile = nil
      data.feedback[index].remoteName = nil
      data.feedback[index].key = ""
    }
    let reviews = try data.reviews?.newest.map(review)
    data.reviews?.newest = reviews ?? []
    let asked = data.prompt?.profile ?? Profile.defaultName
    data.prompt?.profile = pseudonyms.profile(asked)
    return data
  }

  /// Reviews are public, but their authors are people too.
  private func review(_ review: AppReview) throws -> AppReview {
    var review = review
    review.title = try pseudonyms.writing(review.title, by: review.author, named: review.author)
    review.text = try pseudonyms.writing(review.text, by: review.author, named: review.author)
    review.author = pseudonyms.user(review.author)
    return review
  }

  package func runs(_ data: RunsData) throws -> RunsData {
    var data = data
    data.lastRuns = try data.lastRuns.mapValues(run)
    data.lastJudgedRuns = try data.lastJudgedRuns.mapValues(run)
    data.lastSuccesses = try data.lastSuccesses.mapValues(run)
    return data
  }

  private func run(_ run: Run) throws -> Run {
    var run = run
    run.error = try run.error.map { try pseudonyms.message($0, others: known) }
    run.warnings = try run.warnings.map { try pseudonyms.message($0, others: known) }
    return run
  }
}
