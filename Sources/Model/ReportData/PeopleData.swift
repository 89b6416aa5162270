/// How far the people of a period went towards a subscription: docs/people.md#funnel.
package struct PeopleData: Sendable {
  /// Nested: each stage is a part of the one before it.
  package struct Stages: Hashable, Sendable {
    /// People with an event as a free user in the period.
    package var active: Int
    package var popup: Int
    package var blocked: Int
    /// At or after their first block of the period.
    package var tapped: Int
    /// At or after that tap.
    package var subscribed: Int

    package init(
      active: Int = 0, popup: Int = 0, blocked: Int = 0, tapped: Int = 0, subscribed: Int = 0
    ) {
      self.active = active
      self.popup = popup
      self.blocked = blocked
      self.tapped = tapped
      self.subscribed = subscribed
    }
  }

  /// The people of a country or with a criterion.
  package struct Group: Hashable, Sendable {
    /// Empty when the events do not say.
    package var name: String
    package var stages: Stages

    package init(name: String, stages: Stages) {
      self.name = name
      self.stages = stages
    }
  }

  /// The people who saw a popup with so many uses left.
  package struct Attempt: Hashable, Sendable {
    /// 0 for a popup at the limit.
    package var left: Int
    package var people: Int
    /// Of them, those who tapped the subscription button with as many left.
    package var tapped: Int

    package init(left: Int, people: Int, tapped: Int) {
      self.left = left
      self.people = people
      self.tapped = tapped
    }
  }

  package var stages: Stages
  /// Whether any event of the period says who is free and who subscribes.
  package var knowsUserTypes: Bool
  /// People active free who tapped the subscription button, blocked before or not.
  package var tappedAtAll: Int
  /// People whose events called them free or new before, and subscribers first in the period.
  package var newSubscribers: Int
  /// Seconds from the first tap to the first block, ascending, of people blocked later than at it.
  package var blockDelays: [Int]
  /// People whose first tap of the period was blocked.
  package var blockedAtFirstTap: Int
  /// What follows counts the people of one in so many ids; 1 for all.
  package var sampledOneIn: Int
  /// Fewest uses left first.
  package var attempts: [Attempt]
  /// Most people first, then by name.
  package var countries: [Group]
  /// Those who filtered by it, in the order of `FilterCriterion`; none comes last.
  package var criteria: [Group]

  package init(
    stages: Stages = Stages(), knowsUserTypes: Bool = true, tappedAtAll: Int = 0,
    newSubscribers: Int = 0, blockDelays: [Int] = [], blockedAtFirstTap: Int = 0,
    sampledOneIn: Int = 1, attempts: [Attempt] = [], countries: [Group] = [],
    criteria: [Group] = []
  ) {
    self.stages = stages
    self.knowsUserTypes = knowsUserTypes
    self.tappedAtAll = tappedAtAll
    self.newSubscribers = newSubscribers
    self.blockDelays = blockDelays
    self.blockedAtFirstTap = blockedAtFirstTap
    self.sampledOneIn = sampledOneIn
    self.attempts = attempts
    self.countries = countries
    self.criteria = criteria
  }
}

/// What people can filter users by.
package enum FilterCriterion: String, CaseIterable, Codable, Sendable {
  case gender, country, language, age, nearby
}
