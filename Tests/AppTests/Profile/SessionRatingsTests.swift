import Foundation
import Store
import Testing

@testable import App
@testable import Jobs
@testable import Model

@Suite("A session's ratings")
struct SessionRatingsTests {
  private let now = SessionStore.start
  private let text = "It drains my battery."

  private func expectNothingStored(_ workspace: SessionStore, _ counters: RatingCounters) throws {
    #expect(try workspace.eventNames() == [])
    #expect(try workspace.outbox() == [])
    #expect(try workspace.feedback() == [])
    #expect(try workspace.session().profile().rating == counters)
  }

  @Test func `a low rating queues its feedback with the row, the event and the counters`() throws {
    let workspace = try SessionStore()
    let session = workspace.session()
    try session.updateProfile {
      $0.userId = "me-1"
      $0.gender = "Female"
      $0.country = "Spain"
      $0.appVersion = "1.4.0"
      $0.rating = RatingCounters(sent: 15, received: 12, tries: 1)
    }
    let answer = try session.submitRating(.two, feedback: " \(text) ", now: now)

    let item = try #require(workspace.outbox().first)
    guard case .accepted(let outcome, let outboxId) = answer else {
      Issue.record("refused: \(answer)")
      return
    }
    #expect(outboxId == item.id)
    #expect(!outcome.opensStore)
    #expect(item.kind == .feedback)
    #expect(item.state == .queued)
    let feedback = try JSONDecoder().decode(Feedback.self, from: Data(item.payload.utf8))
    #expect(
      feedback
        == Feedback(
          userId: "me-1", gender: "Female", country: "Spain", appVersion: "1.4.0", text: text,
          timestamp: 1_769_846_400, stars: 2))
    #expect(try workspace.feedback().map(\.feedback) == [feedback])
    #expect(try session.profile().rating == RatingCounters(sent: 0, received: 0, tries: 2))
    let events = try workspace.events()
    #expect(
      events.map(\.name) == ["rating_prompt_stars", "app_events", "rating_prompt_feedback"])
    #expect(events[1].parameters["rating_ChatHub_2"] == .integer(1))
    for event in [events[0], events[2]] {
      #expect(event.parameters["ios_rating_stars"] == .integer(2))
      #expect(event.parameters["ios_rating_tries"] == .integer(1))
      #expect(event.parameters["ios_rating_sent"] == .integer(15))
    }
  }

  @Test func `the dialog's events carry the thresholds in force, whoever shows it`() throws {
    let workspace = try SessionStore()
    let session = workspace.session(set: [.ratingThreshold: "7", .ratingMaxPrompts: "3"])
    try session.updateProfile { $0.rating = RatingCounters(sent: 8, received: 8) }
    #expect(try session.showRatingPrompt(now: now).isDue)
    #expect(try session.profile().rating == RatingCounters(sent: 8, received: 8))
    try session.rateLater(now: now + .seconds(5))
    #expect(try !session.showRatingPrompt(now: now + .seconds(6)).isDue)
    _ = try session.submitRating(.five, feedback: nil, now: now + .seconds(9))
    let prompts = try workspace.events().filter { $0.name.hasPrefix("rating_prompt_") }
    #expect(
      prompts.map(\.name)
        == ["shown", "later", "shown", "stars", "store"].map { "rating_prompt_\($0)" }
    )
    for event in prompts {
      #expect(event.parameters["ios_rating_threshold"] == .integer(7))
      #expect(event.parameters["ios_rating_max_prompts"] == .integer(3))
      #expect(
        RatingPromptEvent(event)?.thresholds
          == RatingPromptEvent.Thresholds(messages: 7, maxPrompts: 3))
    }
    #expect(
      prompts.map { $0.parameters["ios_rating_trigger"] }
        == [.string("due"), nil, .string("settings"), nil, nil])
    #expect(prompts.map { RatingPromptEvent($0)?.stars } == [nil, nil, nil, 5, 5])
    let stored = try workspace.store.read {
      try $0.ratingPrompts(from: now, to: now + .seconds(9))
    }
    #expect(stored.map(\.kind) == [.shown, .later, .shown])
  }

  @Test func `a high rating leaves two events of its own and delivers nothing`() throws {
    let workspace = try SessionStore()
    let session = workspace.session()
    let answer = try session.submitRating(.five, feedback: nil, now: now)
    guard case .accepted(let outcome, nil) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(outcome.opensStore)
    #expect(try workspace.outbox() == [])
    let keys = try workspace.events().filter { $0.name == "app_events" }.map { event in
      event.parameters.keys.filter { $0.hasPrefix("rating_") }
    }
    #expect(keys == [["rating_ChatHub_5"], ["rating_ChatHub_5_after_0"]])
    #expect(try session.profile().rating.sent == RatingRule.neverAgain)
    #expect(
      try workspace.store.read { try $0.ratings(from: now, to: now + .seconds(1)) }.map(\.stars)
        == [5])
  }

  @Test(arguments: [nil, "too short"])
  func `a refused rating stores nothing`(feedback: String?) throws {
    let workspace = try SessionStore()
    let answer = try workspace.session().submitRating(.one, feedback: feedback, now: now)
    guard case .refused = answer else {
      Issue.record("\(answer)")
      return
    }
    try expectNothingStored(workspace, RatingCounters())
  }

  @Test
  func `a transaction that fails after the rating leaves neither row, event nor counter`() throws {
    let workspace = try SessionStore()
    let session = workspace.session()
    #expect(throws: Interruption.self) {
      try workspace.store.write { writer in
        _ = try session.submitRating(.one, feedback: text, now: now, in: writer)
        throw Interruption()
      }
    }
    try expectNothingStored(workspace, RatingCounters())
  }

  @Test func `a closed database refuses the rating and holds nothing of it`() throws {
    let workspace = try SessionStore()
    let store = try workspace.reopened()
    let session = workspace.session(on: store)
    try store.close()
    #expect(throws: StoreError.self) {
      try session.submitRating(.one, feedback: text, now: now)
    }
    try expectNothingStored(workspace, RatingCounters())
  }

  @Test func `equal ratings of one instant are both delivered and both in the ledger`() throws {
    let workspace = try SessionStore()
    for id in ["s1", "s2"] {
      _ = try workspace.session(id: id).submitRating(.one, feedback: text, now: now)
    }
    #expect(try workspace.outbox().count == 2)
    #expect(try workspace.events().count { $0.name == "app_events" } == 2)
  }

  @Test func `messages lead to the prompt, later leads away from it`() throws {
    let workspace = try SessionStore()
    let session = workspace.session()
    try session.recordMessages(sent: 10, received: 11, now: now)
    #expect(try !session.limitSnapshot().ratingPrompt.isDue)
    try session.recordMessages(sent: 1, received: 0, now: now)
    #expect(try session.limitSnapshot().ratingPrompt.isDue)
    try session.rateLater(now: now)
    #expect(try !session.limitSnapshot().ratingPrompt.isDue)
    #expect(try session.profile().rating == RatingCounters())
  }

  @Test func `the ledger tells once when the conditions are met, one message above the threshold`()
    throws
  {
    let workspace = try SessionStore()
    let session = workspace.session(set: [.ratingThreshold: "10", .ratingMaxPrompts: "2"])
    func due() throws -> [Event] {
      try workspace.events().filter { $0.name == "rating_prompt_due" }
    }
    try session.recordMessages(sent: 11, received: 10, now: now)
    #expect(try due().isEmpty)
    try session.recordMessages(sent: 0, received: 1, now: now + .seconds(1))
    try session.recordMessages(sent: 5, received: 5, now: now + .seconds(2))
    let event = try #require(try due().first.flatMap { RatingPromptEvent($0) })
    #expect(try due().count == 1 && event.at == now + .seconds(1))
    #expect(event.counters == RatingCounters(sent: 11, received: 11))
    #expect(RatingPromptRule.wasDue(event))
    try session.rateLater(now: now + .seconds(3))
    try session.recordMessages(sent: 11, received: 11, now: now + .seconds(4))
    #expect(try due().count == 2)
  }

  @Test func `prompts are switched off by the settings`() throws {
    let workspace = try SessionStore()
    let session = workspace.session(set: [.ratingMaxPrompts: "0", .ratingThreshold: "0"])
    try session.recordMessages(sent: 5, received: 5, now: now)
    #expect(try !session.limitSnapshot().ratingPrompt.isDue)
    #expect(try workspace.events().isEmpty)
  }
}
