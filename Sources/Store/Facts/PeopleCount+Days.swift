import Model

extension PeopleCount {
  /// Counts what a person did on a day, as all of their events would.
  ///
  /// `day` is the place of the day among those that people are followed on. A day lies on each side
  /// whole, or not at all.
  ///
  /// - Returns: whether the person was an active one of the period before.
  mutating func add(
    _ row: PersonDayRow, on day: Int, _ sides: ReportRelations.Sides
  ) throws -> Bool {
    while people.count <= row.person { people.append(Person()) }
    if sides.inPeriod, !row.flags.isDisjoint(with: [.unsubscribed, .subscriber]) {
      knowsUserTypes = true
    }
    let wasActive = people[row.person].ways.inPeriod.contains(.active)
    try people[row.person].add(row, on: day, sides)
    return wasActive
  }

  func hasComeThroughLimit(_ person: Int) -> Bool {
    people.indices.contains(person) && people[person].flags.contains(.cameThroughLimit)
  }

  /// Goes on to the evening of a day.
  ///
  /// - Returns: the attempt of the day that is a return only because of the days before, and
  ///   whether it is a success; nil for none.
  mutating func addReturns(of row: PersonDayRow) -> (at: Int64, isUse: Bool)? {
    while people.count <= row.person { people.append(Person()) }
    let before = people[row.person]
    let attempt = row.attemptedAt.flatMap { at in
      before.attemptedAt == .min || Self.isPause(from: before.attemptedAt, to: at) ? at : nil
    }
    switch row.awaiting {
    case .asBefore: if attempt != nil { people[row.person].awaitedSince = .max }
    case .none: people[row.person].awaitedSince = .max
    case .since(let at): people[row.person].awaitedSince = at
    }
    if let last = row.lastAttempt { people[row.person].attemptedAt = last }
    guard before.awaitedSince != .max else { return nil }
    if let attempt { return (attempt, false) }
    return row.returnedAt.map { ($0, row.flags.contains(.returnIsUse)) }
  }
}

extension PeopleCount.Person {
  fileprivate mutating func add(
    _ row: PersonDayRow, on day: Int, _ sides: ReportRelations.Sides
  ) throws {
    let bit: UInt128 = 1 &<< UInt128(day)
    days |= bit
    if row.flags.contains(.free) { freeDays |= bit }
    firstAt = min(firstAt, row.firstAt)
    if let type = try row.readNewestType() { newestType = type }
    if let at = row.newUntil { newUntil = at }
    if let at = row.freeFrom { freeFrom = min(freeFrom, at) }
    if let at = row.subscriberFrom { subscribe(row, at: at, on: sides) }
    ways.update(on: sides) { $0.add(row) }
    if sides.inPeriod { addPeriod(row) }
    if row.flags.contains(.unsubscribed) { flags.insert(.seenFree) }
    if row.flags.contains(.tapAfterBlock)
      || flags.contains(.blockedAtAll) && row.flags.contains(.subscriptionTap)
    {
      flags.insert(.tappedAfterBlock)
    }
    if row.flags.contains(.freeBlocked) { flags.insert(.blockedAtAll) }
  }

  private mutating func subscribe(
    _ row: PersonDayRow, at: Int64, on sides: ReportRelations.Sides
  ) {
    let isFirst = !flags.contains(.seenSubscriber)
    flags.insert(.seenSubscriber)
    guard isFirst, flags.contains(.seenFree) || row.flags.contains(.unsubscribedFirst) else {
      return
    }
    subscribedAt = at
    let isThroughLimit =
      flags.contains(.tappedAfterBlock) || row.flags.contains(.tapAfterBlockBeforeSubscriber)
      || flags.contains(.blockedAtAll) && row.flags.contains(.tapBeforeSubscriber)
    if sides.inPeriod { flags.insert(.newSubscriber) }
    guard isThroughLimit else { return }
    flags.insert(.cameThroughLimit)
    ways.update(on: sides) { $0.formUnion(.whole) }
  }

  private mutating func addPeriod(_ row: PersonDayRow) {
    flags.insert(.inPeriod)
    taps += UInt32(row.taps)
    freeTaps += UInt32(row.freeTaps)
    performed += UInt32(row.performed)
    freeBlocked += UInt32(row.freeBlocked)
    guard row.flags.contains(.free) else { return }
    addTaps(row)
    if firstBlock == .max, let at = row.firstBlock { firstBlock = at }
  }

  private mutating func addTaps(_ row: PersonDayRow) {
    let taps = [row.firstTap, row.secondTap].compactMap(\.self)
    for at in taps {
      if firstTap == .max { firstTap = at } else if secondTap == .max { secondTap = at }
    }
  }
}

extension PersonDayRow {
  func readNewestType() throws -> UserType? {
    let text = newestType
    guard !text.isEmpty else { return nil }
    return try UserType(
      stored: String(decoding: text, as: UTF8.self), in: "newest_type",
      of: FactTables.Name.personDay.rawValue)
  }
}
