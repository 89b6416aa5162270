package import Model
package import Store

/// The moments that wait for another day.
package enum ParkedMoments {
  /// Those whose day has come, oldest first.
  ///
  /// That is so when the profile's calendar shows another day than the one whose limit was
  /// reached, also because the profile has moved to another time zone. Those that wait for an
  /// upgrade are not among them.
  package static func due(at now: Instant, in reader: some Readable) throws -> [OutboxItem] {
    let parked = try reader.outboxItems(in: [.parked], kind: .moment, limit: .max)
      .filter { $0.nextAttemptAt != nil }.reversed()
    var isDayOver: [String: Bool] = [:]
    return try parked.filter { item in
      if let until = item.nextAttemptAt, until <= now { return true }
      if let isOver = isDayOver[item.profile] { return isOver }
      let standing = try MomentCarrier.Standing(of: item.profile, at: now, in: reader)
      let isOver = standing.marks.dailyLimitDay != standing.today.text
      isDayOver[item.profile] = isOver
      return isOver
    }
  }
}
