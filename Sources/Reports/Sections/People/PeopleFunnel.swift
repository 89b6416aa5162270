import Model

/// The section with the people from the first use of a period to a subscription:
/// docs/people.md#funnel.
enum PeopleFunnel {
  static let id = "funnel"
  static func section(_ data: PeopleData?) -> Section {
    Section(
      id: id, title: "From active to subscriber", lead: lead(data),
      blocks: data.map { isFollowed($0) ? blocks($0) : [] } ?? [])
  }

  /// Whether there is anybody to follow.
  static func isFollowed(_ data: PeopleData) -> Bool { data.stages.active > 0 }

  private static func lead(_ data: PeopleData?) -> String {
    guard let data else {
      return "The funnel follows everybody; this report is of one profile, so it is left out."
    }
    guard data.knowsUserTypes else {
      return "No event of this period says who is a free user, so nobody can be followed."
    }
    guard isFollowed(data) else { return "Nobody used a limited feature as a free user." }
    return "People, each once: every stage is a part of the one before it. Behind a percentage "
      + "stands the range that it may be by chance."
  }

  private static func blocks(_ data: PeopleData) -> [Block] {
    [
      table(data.stages), .text(besides(data)), delays(data), attempts(data),
      groups("funnel-by-country", "By country", ("country", "Country"), data.countries),
      groups(
        "funnel-by-criteria", "By what they filter by", ("criterion", "Filtered by"),
        data.criteria.map(Self.named)),
    ] + (data.sampledOneIn > 1 ? [.text(sampled(data.sampledOneIn))] : [])
      + [.definitions(definitions)]
  }

  /// A stage of the funnel, in the order of the way.
  struct Stage {
    var title: String
    var people: Int
    /// The people of the stage before; nil for the first one.
    var before: Int?
  }

  static func stages(_ stages: PeopleData.Stages) -> [Stage] {
    [
      Stage(title: "Active as a free user", people: stages.active),
      Stage(title: "Saw a popup", people: stages.popup, before: stages.active),
      Stage(title: "Was blocked", people: stages.blocked, before: stages.popup),
      Stage(title: "Tapped to subscribe", people: stages.tapped, before: stages.blocked),
      Stage(title: "New subscriber", people: stages.subscribed, before: stages.tapped),
    ]
  }

  static var ofPrevious: Column<Stage> {
    Column("of_previous", "Of the stage before") { stage in
      stage.before.map { .rate(Ratio(stage.people, of: $0)) } ?? .missing
    }
  }

  private static func table(_ counts: PeopleData.Stages) -> Block {
    .table(
      id: "funnel", title: "From stage to stage", of: stages(counts),
      columns: [
        Column("stage", "Stage", .leading) { .text($0.title) },
        Column("people", "People", drawsBars: true) { .count($0.people) },
        ofPrevious,
        Column("lost", "Ended before") { stage in
          stage.before.map { .count($0 - stage.people) } ?? .missing
        },
      ])
  }

  /// Those whose way was another one.
  private static func besides(_ data: PeopleData) -> String {
    let tapped = NumberWords.counted(data.tappedAtAll, "person", "people")
    let new = NumberWords.counted(data.newSubscribers, "new subscriber")
    let otherTapped = NumberWords.grouped(data.tappedAtAll - data.stages.tapped)
    let otherNew = NumberWords.grouped(data.newSubscribers - data.stages.subscribed)
    return "\(tapped) tapped to subscribe, \(otherTapped) of them by another way than this "
      + "funnel. The period has \(new), \(otherNew) of them by another way."
  }

  private static func delays(_ data: PeopleData) -> Block {
    func quartile(_ share: Double) -> Cell {
      Statistics.quantile(share, ofSorted: data.blockDelays).map(Cell.seconds) ?? .missing
    }
    let isEmpty = data.blockDelays.isEmpty && data.blockedAtFirstTap == 0
    return .table(
      id: "time-to-block", title: "From the first tap to the first block",
      of: isEmpty ? [] : [data],
      columns: [
        Column("people", "People blocked later") { .count($0.blockDelays.count) },
        Column("quarter", "A quarter within") { _ in quartile(0.25) },
        Column("median", "Half within") { _ in quartile(0.5) },
        Column("three_quarters", "Three quarters") { _ in quartile(0.75) },
        Column("at_first_tap", "Blocked at the first tap") { .count($0.blockedAtFirstTap) },
      ],
      emptyText: "Nobody was blocked in this period.", isFolded: true)
  }

  private static func attempts(_ data: PeopleData) -> Block {
    .table(
      id: "funnel-by-attempt", title: "By uses left", of: data.attempts,
      columns: [
        Column("left", "Popup with", .leading) { attempt in
          .text(
            attempt.left == 0
              ? "no use left: blocked" : NumberWords.counted(attempt.left, "use") + " left")
        },
        Column("people", "People who saw it") { .count($0.people) },
        Column("tapped", "Tapped to subscribe on it") { .rate(Ratio($0.tapped, of: $0.people)) },
      ],
      shownLimit: 12, emptyText: "No popup says how many uses were left.", isFolded: true)
  }

  private static func named(_ group: PeopleData.Group) -> PeopleData.Group {
    PeopleData.Group(
      name: FilterCriterion(rawValue: group.name)?.title ?? "No criterion", stages: group.stages)
  }

  private static func groups(
    _ id: String, _ title: String, _ first: (id: String, title: String),
    _ groups: [PeopleData.Group]
  ) -> Block {
    .table(
      id: id, title: title, of: groups,
      columns: [
        Column(first.id, first.title, .leading) {
          .text($0.name.isEmpty ? "not told" : $0.name)
        },
        Column("active", "Active") { .count($0.stages.active) },
        Column("blocked", "Blocked, of active") {
          .rate(Ratio($0.stages.blocked, of: $0.stages.active))
        },
        Column("tapped", "Blocked and tapped, of active") {
          .rate(Ratio($0.stages.tapped, of: $0.stages.active))
        },
        Column("subscribed", "New subs") { .count($0.stages.subscribed) },
      ],
      shownLimit: 12, emptyText: "No event of this period tells.", isFolded: true)
  }

  /// What the tables of sampled people say of themselves.
  private static func sampled(_ oneIn: Int) -> String {
    "The tables by uses left, country and criteria count the people of one in "
      + "\(NumberWords.grouped(oneIn)) ids, chosen by chance, since there are too many events to "
      + "read them all."
  }

  private static let definitions = [
    Definition(
      "Active", "People with an event of a limited feature as a free user in the period."),
    Definition(
      "Tapped to subscribe", "At or after their first block; other taps are named below the table."),
    Definition(
      "New subscriber",
      "Called free or new by an event before, and a subscriber for the first time in the period, "
        + "after that tap. Who paid and did not come back to a limited feature is not seen."),
    Definition(
      "Range", "Wilson's interval: in 95 of 100 such samples it holds the true share."),
  ]
}

extension FilterCriterion {
  var title: String { rawValue.capitalizedFirst }
}

/// The few lines of the index about people and limits: docs/people.md#digest.
enum PeopleDigest {
  /// A table of the funnel and a sentence on the newest change; empty when nobody was active free.
  static func blocks(_ people: PeopleData?, _ experiments: ExperimentData?) -> [Block] {
    guard let people, PeopleFunnel.isFollowed(people) else { return [] }
    let table = Block.table(
      id: "limit-sells", title: "From active to subscriber", of: PeopleFunnel.stages(people.stages),
      columns: [
        Column("stage", "Stage", .leading) { .text($0.title) },
        Column("people", "People") { .count($0.people) },
        PeopleFunnel.ofPrevious,
      ])
    return [table] + [sentence(experiments)].compactMap { $0.map(Block.text) }
  }

  private static func sentence(_ data: ExperimentData?) -> String? {
    guard let newest = data?.experiments.first(where: { $0.countedDays > 0 }) else { return nil }
    let verdict = LimitExperiments.verdict(
      Ratio(newest.before.tapped, of: newest.before.people),
      Ratio(newest.after.tapped, of: newest.after.people))
    return "\(LimitExperiments.words(newest)): people who tapped to subscribe, "
      + "\(NumberWords.counted(newest.countedDays, "day")) before and after: \(verdict)."
  }
}
