package import Model
package import Rules

/// The facts of the reports with pseudonyms in the place of people: docs/reports.md#anonymous.
package struct AnonymousFacts {
  private let pseudonyms: Pseudonyms
  /// Profile names and ids that messages may contain, with what stands for them.
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

  package func frame(_ frame: ReportFrame) -> ReportFrame {
    var frame = frame
    frame.scope = frame.scope.map(pseudonyms.profile)
    return frame
  }

  package func usage(_ facts: UsageFacts) -> UsageFacts {
    var facts = facts
    for index in facts.heaviestUsers.indices {
      facts.heaviestUsers[index].userId = pseudonyms.user(facts.heaviestUsers[index].userId)
      facts.heaviestUsers[index].name = nil
    }
    return facts
  }

  package func limits(_ facts: LimitsFacts) -> LimitsFacts {
    var facts = facts
    for index in facts.profiles.indices {
      facts.profiles[index].profile = profile(facts.profiles[index].profile)
    }
    facts.chosenProfile = pseudonyms.profile(facts.chosenProfile)
    return facts
  }

  private func profile(_ profile: Profile) -> Profile {
    var profile = profile
    profile.name = pseudonyms.profile(profile.name)
    profile.userId = profile.userId.map(pseudonyms.user)
    profile.city = nil
    return profile
  }

  /// With the names of users by their ids, as far as they are known.
  package func ratings(_ facts: RatingsFacts, names: [String: String]) throws -> RatingsFacts {
    var facts = facts
    for index in facts.ratings.indices {
      facts.ratings[index].userId = pseudonyms.user(facts.ratings[index].userId)
    }
    for index in facts.feedback.indices {
      let id = facts.feedback[index].feedback.userId
      facts.feedback[index].feedback.text = try pseudonyms.writing(
        facts.feedback[index].feedback.text, by: id, named: names[id])
      facts.feedback[index].feedback.userId = pseudonyms.user(id)
      facts.feedback[index].remoteName = nil
    }
    let reviews = try facts.reviews?.newest.map(review)
    facts.reviews?.newest = reviews ?? []
    let asked = facts.prompt?.profile ?? Profile.defaultName
    facts.prompt?.profile = pseudonyms.profile(asked)
    return facts
  }

  /// Reviews are public, but their authors are people too.
  private func review(_ review: AppReview) throws -> AppReview {
    var review = review
    review.title = try pseudonyms.writing(review.title, by: review.author, named: review.author)
    review.text = try pseudonyms.writing(review.text, by: review.author, named: review.author)
    review.author = pseudonyms.user(review.author)
    return review
  }

  /// The list keeps what is not a way to find a person: gender, country and the hour.
  package func users(_ facts: UsersFacts) -> UsersFacts {
    var facts = facts
    facts.newest = facts.newest.map { user in
      OnlineUser(
        userId: pseudonyms.user(user.userId), name: "", gender: user.gender,
        country: user.country, lastSeenAtSeconds: user.lastSeenAtSeconds / 3_600 * 3_600)
    }
    return facts
  }

  package func runs(_ facts: RunsFacts) throws -> RunsFacts {
    var facts = facts
    facts.runs = try facts.runs.map(run)
    facts.lastRuns = try facts.lastRuns.mapValues(run)
    facts.lastSuccesses = try facts.lastSuccesses.mapValues(run)
    return facts
  }

  private func run(_ run: Run) throws -> Run {
    var run = run
    run.error = try run.error.map { try pseudonyms.message($0, others: known) }
    run.warnings = try run.warnings.map { try pseudonyms.message($0, others: known) }
    return run
  }
}
