import Model
import Store

/// The section with proposed changes, and what the people say of each: docs/proposals.md#watch.
enum LimitProposals {
  static let id = "proposals"

  /// Nil when nothing was proposed, and in a report on one profile, which shows nobody else.
  static func section(
    _ data: LimitsData, _ time: TimeWords, periodEnd: Instant
  ) -> Section? {
    guard data.experiments != nil, !data.proposals.isEmpty else { return nil }
    let watched = data.proposals.map { WatchedProposal($0, data.changes, data.experiments) }
    return Section(
      .limits, id,
      [
        .table(
          id: "proposals", title: "Proposals", of: watched,
          columns: [
            Column("setting", "Setting", .leading) { .text($0.words) },
            Column("state", "State", .leading, wraps: true) {
              .text($0.sentence(time, periodEnd: periodEnd))
            },
            Column("since", "Since", .leading) { .optional($0.beginning?.changedAt) },
            Column("days", "Days") { .optional($0.card?.countedDays) },
            Column("before", "Before") { $0.sides.map { .rate($0.before) } ?? .missing },
            Column("after", "After") { $0.sides.map { .rate($0.after) } ?? .missing },
            Column("difference", "Difference") {
              $0.sides.map { .points(from: $0.before, to: $0.after) } ?? .missing
            },
            Column("expected", "Expected") { .pointError($0.proposal.expectedPoints) },
            Column("reason", "Because", .leading, wraps: true) { .text($0.proposal.reason) },
          ],
          shownLimit: 10)
      ])
  }
}

/// A proposal, and the card of the change that put it in force.
struct WatchedProposal {
  let proposal: SettingProposal
  /// Nil until a source has sent the proposed value.
  let beginning: SettingChange?
  /// Nil while the proposal is in force, and before.
  let end: SettingChange?
  let card: ExperimentData.Experiment?

  init(
    _ proposal: SettingProposal, _ changes: [SettingChange], _ experiments: ExperimentData?
  ) {
    self.proposal = proposal
    let beginning = proposal.beginning(in: changes)
    self.beginning = beginning
    end = beginning.flatMap { proposal.end(after: $0, in: changes) }
    card = beginning.flatMap { change in
      experiments?.experiments.first { $0.at == change.changedAt }
    }
  }

  /// `refresh limit 2 → 4`.
  var words: String {
    SettingChange.words(
      of: proposal.key.descriptor.title, proposal.oldValue, String(proposal.value))
  }

  /// People who tapped to subscribe, of those of both sides; nil without a day that is over.
  var sides: (before: Ratio, after: Ratio)? {
    guard let card, card.countedDays > 0 else { return nil }
    return (
      Ratio(card.before.tapped, of: card.before.people),
      Ratio(card.after.tapped, of: card.after.people)
    )
  }

  /// Nil without people on both sides.
  var verdict: ProposalVerdict? {
    guard let card, let sides else { return nil }
    return ProposalVerdict(
      before: (sides.before.part, sides.before.whole), after: (sides.after.part, sides.after.whole),
      days: card.countedDays, longest: card.longest - card.leftOut,
      expected: proposal.expectedPoints)
  }

  /// Such as "10 days in, +3.0 points of +5.0 expected; enough by 4 Dec.", in a report of a period.
  func sentence(_ time: TimeWords, periodEnd: Instant) -> String {
    guard let beginning else {
      return "Not in force yet: no source has sent \(proposal.value) since "
        + "\(time.dateAndTime(proposal.proposedAt))."
    }
    let ended = end.map { " Changed again on \(day($0.changedAt, time))." } ?? ""
    guard let card else { return "No card: \(whyNoCard(beginning, periodEnd)).\(ended)" }
    guard let sides, let verdict else {
      return "No whole day with people on both sides yet." + ended
    }
    if let end, end.changedAt < beginning.changedAt + .seconds(86_400 * card.days) {
      return "Changed again on \(day(end.changedAt, time)), so that its days cannot be judged."
    }
    let difference = PointChange.signed((sides.after.share - sides.before.share) * 100)
    return "\(NumberWords.counted(card.countedDays, "day")) in, \(difference) points of "
      + "\(PointChange.signed(proposal.expectedPoints)) expected; "
      + "\(words(verdict, since: beginning.changedAt, card, time)).\(ended)"
  }

  /// Which bound of the cards applies: docs/proposals.md.
  private func whyNoCard(_ change: SettingChange, _ periodEnd: Instant) -> String {
    if change.oldValue == nil { return "the setting had no value before" }
    if change.changedAt >= periodEnd { return "the change came after this report's period" }
    if periodEnd - change.changedAt > ExperimentData.oldest {
      return "the change is older than 60 days"
    }
    return "\(ExperimentData.mostExperiments) newer changes have the cards"
  }

  private func words(
    _ verdict: ProposalVerdict, since start: Instant, _ card: ExperimentData.Experiment,
    _ time: TimeWords
  ) -> String {
    switch verdict {
    case .tooEarly: "judged from \(ProposalVerdict.fewestDays) days on"
    case .revert: "it harms: revert"
    case .keep:
      proposal.expectedPoints > 0 ? "a gain is proven" : "it costs less than that"
    case .enough(let days):
      "enough by \(day(start + .seconds(86_400 * (days + card.leftOut)), time))"
    case .tooFewPeople(let needed):
      "too few people to tell: it takes about \(NumberWords.grouped(needed)) on each side, and "
        + "\(NumberWords.counted(card.longest, "day")) are looked at"
    case .notProven: "enough people, and it does not show"
    }
  }

  /// `4 Dec`.
  private func day(_ instant: Instant, _ time: TimeWords) -> String {
    time.calendar.day(of: instant).short
  }
}
