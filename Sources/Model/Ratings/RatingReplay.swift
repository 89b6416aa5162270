/// How often people would be asked for a rating under other settings, by the counters in the events
/// of their dialogs: docs/ratings.md#what-if.
package struct RatingReplay: Sendable {
  /// What an asked person answered.
  package enum Answer: Hashable, Sendable {
    case later
    /// 1 to 5.
    case stars(Int)

    /// Whether no dialog follows.
    fileprivate var isHigh: Bool {
      guard case .stars(let stars) = self else { return false }
      return StarRating(rawValue: stars)?.isHigh == true
    }

    fileprivate var isLow: Bool { self != .later && !isHigh }
  }

  /// From one start of the counters to the next.
  private struct Cycle {
    /// The smaller of messages sent and received, as far as it is known.
    var messages: Int64 = 0
    var wasAsked = false
    /// Nil while the dialog is open, and when no answer is known.
    var answer: Answer?
  }

  private struct Person {
    /// Low ratings before the first event.
    let tries: Int64
    let cycles: [Cycle]
  }

  /// Askings, and what came of them.
  package struct Outcome: Hashable, Sendable {
    /// How often somebody was asked; a dialog that comes again until it is answered is one.
    package var asked = 0
    package var people = 0
    package var later = 0
    /// By stars: index 0 is one star.
    package var stars = [0, 0, 0, 0, 0]
    /// Askings more than the person ever answered.
    package var unknown = 0

    package var rated: Int { stars.reduce(0, +) }

    /// The mean of the stars; nil without any.
    package var meanStars: Double? {
      guard rated > 0 else { return nil }
      let sum = zip(1..., stars).reduce(0) { $0 + $1.0 * $1.1 }
      return Double(sum) / Double(rated)
    }

    /// The stars with those that unknown answers would bring, if people answered as they did.
    package func estimatedStars(by actual: Outcome) -> [Int] {
      zip(stars, actual.stars).map { known, given in
        guard actual.asked > 0 else { return known }
        return known + Int((Double(unknown * given) / Double(actual.asked)).rounded())
      }
    }

    /// The askings, corrected by how far the replay under the settings in force is off.
    ///
    /// Nil where that replay asks nobody.
    package func calibrated(by actual: Outcome, inForce: Outcome) -> Int? {
      guard inForce.asked > 0 else { return nil }
      return Int((Double(asked) * Double(actual.asked) / Double(inForce.asked)).rounded())
    }

    fileprivate mutating func add(_ answer: Answer?) {
      asked += 1
      switch answer {
      case .later: later += 1
      case .stars(let number): stars[number - 1] += 1
      case nil: break
      }
    }
  }

  /// Messages of one cycle that are counted, far above any threshold.
  private static let most: Int64 = 1_000_000

  private let people: [Person]
  /// Dialogs of people without an event that has counters.
  package let untold: Int
  package let actual: Outcome

  /// The events of the dialog come oldest first; those without a user id are left out.
  package init(_ events: [RatingPromptEvent]) {
    var people: [Person] = []
    var (untold, actual) = (0, Outcome())
    for own in Dictionary(grouping: events.filter { !$0.userId.isEmpty }, by: \.userId).values {
      guard let first = own.first?.counters, own.allSatisfy({ $0.counters != nil }) else {
        untold += own.count { $0.kind == .shown }
        continue
      }
      let person = Person(tries: first.tries, cycles: Self.cycles(own))
      people.append(person)
      let asked = person.cycles.filter(\.wasAsked)
      actual.people += asked.isEmpty ? 0 : 1
      for cycle in asked { actual.add(cycle.answer) }
    }
    (self.people, self.untold, self.actual) = (people, untold, actual)
  }

  private static func cycles(_ events: [RatingPromptEvent]) -> [Cycle] {
    var cycles: [Cycle] = []
    var current = Cycle()
    for event in events {
      guard let counters = event.counters else { continue }
      let messages = min(counters.sent, counters.received, most)
      current.messages = max(current.messages, messages)
      switch event.kind {
      case .shown:
        if !event.isFromSettings { current.wasAsked = true }
        continue
      case .later: current.answer = .later
      case .stars: current.answer = event.stars.map { .stars($0) }
      case .due, .feedback, .store: continue
      }
      let isLast = current.answer?.isHigh == true
      cycles.append(current)
      current = Cycle()
      if isLast { return cycles }
    }
    return current.wasAsked || current.messages > 0 ? cycles + [current] : cycles
  }

  /// The people whom these settings would have asked, with everybody's messages as they were.
  ///
  /// A person's first asking takes the first answer that the person gave, and so on; beyond them
  /// the answer is unknown, and ends nothing.
  package func outcome(threshold: Int, maxPrompts: Int) -> Outcome {
    people.reduce(into: Outcome()) { outcome, person in
      let before = outcome.asked
      Self.replay(person, Int64(threshold), Int64(maxPrompts), &outcome)
      outcome.people += outcome.asked > before ? 1 : 0
    }
  }

  private static func replay(
    _ person: Person, _ threshold: Int64, _ most: Int64, _ outcome: inout Outcome
  ) {
    var answers = person.cycles.filter(\.wasAsked).map(\.answer)[...]
    var (since, tries) = (Int64(0), person.tries)
    for cycle in person.cycles {
      let (atStart, before) = (since, outcome.asked)
      since += cycle.messages
      while since > threshold, tries < most, let answer = answers.popFirst() {
        since -= threshold + 1
        outcome.add(answer)
        if answer?.isHigh == true { return }
        if answer?.isLow == true { tries += 1 }
      }
      if since > threshold, tries < most {
        let times = since / (threshold + 1)
        outcome.asked += Int(times)
        outcome.unknown += Int(times)
        since -= times * (threshold + 1)
      }
      if !cycle.wasAsked, let answer = cycle.answer {
        // A dialog that the person opened: its answer starts the counters under any settings.
        if answer.isHigh { return }
        (since, tries) = (0, tries + (answer.isLow ? 1 : 0))
      } else if atStart == 0, outcome.asked == before + 1 {
        // Asked once, as it was: what came until the dialog was answered is no new message.
        since = 0
      }
    }
  }
}
