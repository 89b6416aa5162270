import GRDB
import Model

extension Reader {
  /// Fills `rating_dialog` and `rating_question`.
  func fillDialogs(of relations: ReportRelations, _ userId: String?) throws {
    let context = relations.context
    let insertion = RowInsertion(database, into: "temp.rating_dialog")
    let events = try ratingPrompts(
      from: context.previousStart, to: context.end, of: userId,
      on: context.platform)
    for dialog in RatingPromptEvent.dialogs(events) {
      let shownStars = dialog.wasShown ? dialog.stars : nil
      let rating = shownStars.flatMap { StarRating(rawValue: $0) }
      try insertion.add([
        "at": dialog.at.microseconds, "user_id": dialog.userId, "app_version": dialog.appVersion,
        "platform": dialog.platform, "messages": dialog.thresholds?.messages,
        "max_prompts": dialog.thresholds?.maxPrompts, "was_shown": dialog.wasShown,
        "was_put_off": dialog.wasPutOff, "stars": dialog.stars,
        "was_followed": dialog.wasFollowed, "in_period": dialog.at >= context.start,
        "was_rated": shownStars != nil, "is_low": rating.map { !$0.isHigh } ?? false,
        "is_high": rating?.isHigh ?? false,
        "is_unasked": !dialog.wasShown && dialog.stars != nil,
      ])
    }
    try fillQuestions(events.filter { $0.at >= context.start }, relations.settings, userId)
  }

  private func fillQuestions(
    _ events: [RatingPromptEvent], _ settings: Settings, _ userId: String?
  ) throws {
    let insertion = RowInsertion(database, into: "temp.rating_question")
    for event in events {
      try insertion.add([
        "user_id": event.userId, "at": event.at.microseconds, "event": event.kind.rawValue,
        "state": nil, "is_due": RatingPromptRule.wasDue(event),
      ])
    }
    for profile in try profiles() {
      let id = profile.eventUserId
      guard userId.map(id.hasSameBytes(as:)) ?? true else { continue }
      let state = RatingPromptRule.decide(
        profile.rating, threshold: settings.value(.ratingThreshold) ?? 0,
        maxPrompts: settings.value(.ratingMaxPrompts) ?? 0
      ).state
      try insertion.add([
        "user_id": id, "at": nil, "event": nil, "state": state.rawValue, "is_due": state == .due,
      ])
    }
  }
}
