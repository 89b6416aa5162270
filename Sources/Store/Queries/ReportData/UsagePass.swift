import Model

/// Everything that is counted while the events of the usage report go by.
struct UsagePass {
  typealias Text = UnsafeRawBufferPointer

  private let question: UsageReader.Question
  private let period: Range<Int64>
  private let before: Range<Int64>
  private let ids = StringInterner()
  private var count = BucketCounter()
  private var users = UserUseCount()
  private var days: DayCount
  private var people: SpanCount

  init(_ question: UsageReader.Question) {
    self.question = question
    period = question.period.inMicroseconds
    before = question.before.inMicroseconds
    days = DayCount(question.days, now: question.now)
    people = SpanCount(question.peopleSpans.map(\.inMicroseconds))
  }

  /// What has to be read, in the order of time, nothing twice.
  var spans: [Range<Instant>] {
    var spans: [Range<Instant>] = []
    let wanted = [question.before, question.period, days.span].compactMap(\.self)
    for span in wanted.sorted(by: { $0.lowerBound < $1.lowerBound }) where !span.isEmpty {
      if let last = spans.last, span.lowerBound <= last.upperBound {
        spans[spans.count - 1] = last.lowerBound..<max(last.upperBound, span.upperBound)
      } else {
        spans.append(span)
      }
    }
    return spans
  }

  /// Counts an event; names are empty for NULL.
  ///
  /// - Precondition: no event before came later.
  mutating func add(
    at: Int64, _ feature: Text, _ kind: Text, _ userType: Text, user: Text
  ) throws {
    let key = try count.key(feature, kind, userType)
    let number = user.isEmpty ? nil : ids.number(of: String(decoding: user, as: UTF8.self))
    days.add(number, key, at: at)
    if let number { people.add(number, at: at) }
    let isCurrent = period.contains(at)
    guard isCurrent || before.contains(at) else { return }
    count.add(at: at, key)
    if isCurrent, let number { users.add(number, key) }
  }

  /// `named` adds the names of users.
  mutating func answer(
    heaviest: Int, named: ([UsageData.HeavyUser]) throws -> [UsageData.HeavyUser]
  ) rethrows -> UsageReader.Answer {
    UsageReader.Answer(
      buckets: count.buckets(), activeUsers: users.count, people: people.counts,
      heaviestUsers: try named(users.heaviest(heaviest, ids: ids)), days: days.days)
  }
}

extension Range<Instant> {
  fileprivate var inMicroseconds: Range<Int64> {
    lowerBound.microseconds..<upperBound.microseconds
  }
}
