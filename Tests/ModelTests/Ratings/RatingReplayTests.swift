import Fixtures
import Testing

@testable import Model

/// Other settings of the rating dialog: docs/ratings.md#what-if.
@Suite struct RatingReplayTests {
  private func event(
    _ kind: RatingPromptEvent.Kind, _ messages: Int64?, stars: Int? = nil, tries: Int64 = 0,
    user: String = "u", received: Int64? = nil, isFromSettings: Bool = false
  ) -> RatingPromptEvent {
    RatingPromptEvent(
      at: .morning, kind: kind, userId: user, stars: stars,
      counters: messages.map {
        RatingCounters(sent: $0, received: received ?? $0, tries: tries)
      }, isFromSettings: isFromSettings)
  }

  private func later(_ messages: Int64, _ count: Int = 1) -> [RatingPromptEvent] {
    (0..<count).flatMap { _ in [event(.shown, messages), event(.later, messages)] }
  }

  private func asked(
    _ events: [RatingPromptEvent], _ threshold: Int, _ maxPrompts: Int = 2
  ) -> Int {
    RatingReplay(events).outcome(threshold: threshold, maxPrompts: maxPrompts).asked
  }

  @Test
  func `the settings that were in force ask as often as happened, however late the app asked`() {
    let replay = RatingReplay(later(14, 20))
    #expect(replay.actual.asked == 20 && replay.actual.later == 20 && replay.actual.people == 1)
    #expect(replay.outcome(threshold: 10, maxPrompts: 2) == replay.actual)
  }

  @Test func `somebody is asked one message above the threshold, and not at it`() {
    #expect(asked([event(.shown, 11)], 10) == 1)
    #expect(asked([event(.shown, 10)], 10) == 0)
    #expect(asked([event(.shown, 30, received: 10)], 10) == 0)
    #expect(asked([event(.shown, 30, received: 11)], 10) == 1)
  }

  @Test func `a higher threshold adds the messages up, and a lower one asks sooner`() {
    // 33 messages in all: 16 and 32 are above 15, twice.
    #expect(asked(later(11, 3), 15) == 2)
    #expect(asked(later(11, 3), 32) == 1)
    #expect(asked(later(11, 3), 33) == 0)
    let lower = RatingReplay(later(12, 1)).outcome(threshold: 5, maxPrompts: 2)
    #expect(lower.asked == 2 && lower.later == 1 && lower.unknown == 1)
  }

  @Test func `nobody is asked after four stars, or when the tries are used up`() {
    func rated(_ stars: Int) -> [RatingPromptEvent] {
      [event(.shown, 11), event(.stars, 11, stars: stars)] + later(11, 3)
    }
    #expect(asked(rated(4), 10) == 1)
    #expect(asked(rated(3), 10, 2) == 4)
    #expect(asked(rated(3), 10, 1) == 1)
    #expect(asked([event(.shown, 11, tries: 2)], 10, 2) == 0)
    #expect(asked([event(.shown, 11, tries: 1)], 10, 2) == 1)
    #expect(asked(later(11, 1), 10, 0) == 0)
  }

  @Test func `a person's first asking takes the first answer`() {
    let events = [event(.shown, 11), event(.stars, 11, stars: 2)] + later(11, 1)
    let one = RatingReplay(events).outcome(threshold: 20, maxPrompts: 2)
    #expect(one.asked == 1 && one.stars == [0, 1, 0, 0, 0] && one.later == 0)
    #expect(one.meanStars == 2)
  }

  @Test func `a dialog that the person opened is no asking, and its answer starts the counters`() {
    let own = [event(.shown, 8, isFromSettings: true), event(.later, 8)]
    #expect(RatingReplay(own).actual.asked == 0)
    #expect(asked(own + [event(.shown, 8)], 10) == 0)
    #expect(asked(own + [event(.shown, 11)], 10) == 1)
    let rated = [
      event(.shown, 8, isFromSettings: true), event(.stars, 8, stars: 5), event(.shown, 50),
    ]
    #expect(asked(rated, 10) == 0)
  }

  @Test func `a dialog that comes again until it is answered is one asking`() {
    let events = [event(.shown, 11), event(.shown, 14), event(.later, 14)]
    #expect(RatingReplay(events).actual.asked == 1 && asked(events, 10) == 1)
  }

  @Test func `who met the conditions and saw no dialog is asked by the replay, once`() {
    let never = RatingReplay([event(.due, 11)])
    #expect(never.actual.asked == 0 && never.actual.people == 0 && never.untold == 0)
    let inForce = never.outcome(threshold: 10, maxPrompts: 2)
    #expect(inForce.asked == 1 && inForce.people == 1 && inForce.unknown == 1)
    #expect(asked([event(.due, 11)], 11) == 0)
    #expect(asked([event(.due, 11)] + later(14), 10) == 1)
  }

  @Test func `who tells no counters, or no id, is left out and counted`() {
    let replay = RatingReplay([event(.shown, nil), event(.shown, 11, user: "")])
    #expect(replay.untold == 1 && replay.actual.asked == 0)
    #expect(replay.outcome(threshold: 0, maxPrompts: 9).asked == 0)
  }

  @Test func `unknown answers bring the stars that people gave, and askings are calibrated`() {
    let people = (0..<4).flatMap { index -> [RatingPromptEvent] in
      let user = "u\(index)"
      guard index < 2 else {
        return [event(.shown, 24, user: user), event(.later, 24, user: user)]
      }
      return [event(.shown, 24, user: user), event(.stars, 24, stars: 5, user: user)]
    }
    let replay = RatingReplay(people)
    let lower = replay.outcome(threshold: 11, maxPrompts: 2)
    // Who rates high is asked once; the two others a second time, with an unknown answer.
    #expect(lower.asked == 6 && lower.unknown == 2)
    #expect(lower.estimatedStars(by: replay.actual) == [0, 0, 0, 0, 3])
    let half = RatingReplay.Outcome()
    #expect(lower.calibrated(by: replay.actual, inForce: lower) == 4)
    #expect(lower.calibrated(by: replay.actual, inForce: half) == nil)
  }

  @Test func `counts near the largest number end`() {
    let outcome = RatingReplay([event(.shown, .max)]).outcome(threshold: 0, maxPrompts: 1)
    #expect(outcome.asked == 1_000_000 && outcome.unknown == 999_999)
  }
}
