import Model
import Store

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
    [.text(besides(data))] + (data.sampledOneIn > 1 ? [.text(sampled(data.sampledOneIn))] : [])
      + [.definitions(definitions)]
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
        + "after that tap. Who was blocked and tapped before the period, within 102 days, counts in "
        + "every stage. Who paid and did not come back to a limited feature is not seen."),
    Definition(
      "Range", "Wilson's interval: in 95 of 100 such samples it holds the true share."),
  ]
}

/// The few lines of the index about people and limits: docs/people.md#digest.
enum PeopleDigest {
  /// What the index has room for of the funnel on the page Usage, which a query counts, and a
  /// sentence on the newest change; empty when nobody was active free.
  static func blocks(_ funnel: Table?, _ experiments: ExperimentData?) -> [Block] {
    guard let funnel, !funnel.rows.isEmpty else { return [] }
    var columns = Array(funnel.columns.prefix(3))
    for index in columns.indices { columns[index].drawsBars = false }
    let table = Table(
      id: "limit-sells", title: "From active to subscriber", columns: columns,
      rows: funnel.rows.map { Table.Row(Array($0.cells.prefix(3))) })
    return [.table(table)] + [sentence(experiments)].compactMap { $0.map(Block.text) }
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

/// The section with what people look for, and how many users there are of it:
/// docs/people.md#demand.
enum UsersDemand {
  static func section(
    _ data: DemandData?, _ context: ReportContext
  ) -> Section {
    Section(
      id: "demand", title: "What people look for", lead: lead(data, context), blocks: [])
  }

  private static func lead(_ data: DemandData?, _ context: ReportContext) -> String {
    guard let data, data.people > 0 else {
      return context.emptyText("Nobody tapped the filter in this period.")
    }
    let results =
      data.answered == 0
      ? "No event says how many users were found."
      : "\(NumberWords.grouped(data.empty)) of \(NumberWords.grouped(data.answered)) that tell their result "
        + "found nobody."
    let sample =
      data.sampledOneIn > 1
      ? " Of one in \(NumberWords.grouped(data.sampledOneIn)) ids, chosen by chance." : ""
    return "\(NumberWords.counted(data.people, "person", "people")) tapped the filter "
      + "\(NumberWords.counted(data.taps, "time")) in this period. \(results)\(sample)"
  }
}
