import GRDB
import Model

extension Reader {
  /// Fills `rating_dialog` and `rating_question`.
  func fillDialogs(of relations: ReportRelations, _ userId: String?) throws {
    let context = relations.context
    let insertion = try database.makeStatement(
      sql: """
        INSERT INTO temp.rating_dialog VALUES (
            ?1, ?2, ?3, ?11, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?6 AND ?8 IS NOT NULL,
            ?6 AND ifnull(?8 <= 3, 0), ?6 AND ifnull(?8 > 3, 0), NOT ?6 AND ?8 IS NOT NULL)
        """)
    let events = try ratingPrompts(
      from: context.previousStart, to: context.end, of: userId,
      on: context.platform)
    for dialog in RatingPromptEvent.dialogs(events) {
      try insertion.execute(arguments: [
        dialog.at.microseconds, dialog.userId, dialog.appVersion, dialog.thresholds?.messages,
        dialog.thresholds?.maxPrompts, dialog.wasShown, dialog.wasPutOff, dialog.stars,
        dialog.wasFollowed, dialog.at >= context.start, dialog.platform,
      ])
    }
    try fillQuestions(events.filter { $0.at >= context.start }, relations.settings, userId)
  }

  private func fillQuestions(
    _ events: [RatingPromptEvent], _ settings: Settings, _ userId: String?
  ) throws {
    let insertion = try database.makeStatement(
      sql: "INSERT INTO temp.rating_question VALUES (?, ?, ?, ?, ?)")
    for event in events {
      try insertion.execute(arguments: [
        event.userId, event.at.microseconds, event.kind.rawValue, nil,
        RatingPromptRule.wasDue(event),
      ])
    }
    for profile in try profiles() {
      let id = profile.eventUserId
      guard userId.map(id.hasSameBytes(as:)) ?? true else { continue }
      let state = RatingPromptRule.decide(
        profile.rating, threshold: settings.value(.ratingThreshold) ?? 0,
        maxPrompts: settings.value(.ratingMaxPrompts) ?? 0
      ).state
      try insertion.execute(arguments: [id, nil, nil, state.rawValue, state == .due])
    }
  }
}
