import Model

extension PeoplePass {
  /// The number of the day on which the following of people begins; nil without days.
  func firstDay(of relations: ReportRelations) -> Int? {
    days.starts.first.flatMap { first in
      relations.days.first { $0.day.start.microseconds == first }?.number
    }
  }

  /// Makes everybody who was met a row of `person`, and of `person_day` for each day.
  func fill(_ relations: ReportRelations, _ ids: StringInterner, _ reader: Reader) throws {
    guard let offset = firstDay(of: relations) else { return }
    let accounts = try accountDays(reader, ids)
    do {
      let people = try RawStatement(
        reader.database,
        sql: """
          INSERT INTO temp.person VALUES
          (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19,
            nullif(?20, ''), ?21, ?22, nullif(?23, ''),
            ?24, ?25, ?26, ?27)
          """)
      let seen = try RawStatement(
        reader.database, sql: "INSERT INTO temp.person_day VALUES (?1, ?2, ?3)")
      defer {
        people.reset()
        seen.reset()
      }
      for (number, person) in self.people.people.enumerated() where person.wasMet {
        try people.bind(Int64(number), at: 1)
        try people.bind(person, account: accounts[number], offset: Int64(offset))
        try people.bind(sample.holds(ids[number]) ? 1 as Int64 : 0, at: 21)
        let times = [
          (22, person.subscribedAt), (24, person.firstAt), (25, person.newUntil),
          (26, person.freeFrom),
        ]
        let cameThroughLimit = person.flags.contains(.cameThroughLimit)
        try people.bind(cameThroughLimit ? 1 as Int64 : 0, at: 27)
        for (place, at) in times { try people.bind(at == .max ? nil : at, at: Int32(place)) }
        try people.run(texts: [
          (2, ids[number]), (20, countries[number] ?? ""), (23, person.newestType?.rawValue ?? ""),
        ])
        try seen.bind(Int64(number), at: 1)
        var left = person.days
        while left != 0 {
          try seen.bind(Int64(left.trailingZeroBitCount + offset), at: 2)
          try seen.bind(person.freeDays & left & (0 &- left) == 0 ? 0 as Int64 : 1, at: 3)
          try seen.run()
          left &= left - 1
        }
      }
    }
  }
}

extension RawStatement {
  /// Binds the values from `first_day` on; `offset` is the number of the first civil day.
  fileprivate func bind(
    _ person: PeopleCount.Person, account: Int?, offset: Int64
  ) throws {
    let isNewcomer = !person.flags.contains(.seenEarlier) && person.days != 0
    try bind(isNewcomer ? Int64(person.days.trailingZeroBitCount) + offset : nil, at: 3)
    try bind(account.map { Int64($0) + offset }, at: 4)
    let flags: [PeopleCount.Flags] = [
      .inPeriod, .active, .popup, .blocked, .tappedAtAll, .tapped, .subscribed, .newSubscriber,
    ]
    for (place, flag) in flags.enumerated() {
      try bind(person.flags.contains(flag) ? 1 as Int64 : 0, at: Int32(5 + place))
    }
    for (place, instant) in [person.firstTap, person.secondTap, person.firstBlock].enumerated() {
      try bind(instant == .max ? nil : instant, at: Int32(13 + place))
    }
    let counts = [person.taps, person.freeTaps, person.performed, person.freeBlocked]
    for (place, count) in counts.enumerated() { try bind(Int64(count), at: Int32(16 + place)) }
  }

  /// Runs with texts at their indices, which need stay no longer.
  func run(texts: [(index: Int32, text: String)]) throws {
    guard let first = texts.first else { return try run() }
    var text = first.text
    try text.withUTF8 {
      try bind(text: UnsafeRawBufferPointer($0), at: first.index)
      try run(texts: Array(texts.dropFirst()))
    }
  }
}
