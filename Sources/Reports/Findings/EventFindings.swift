import Model

/// Events that do not fit, in sentences: docs/findings.md#events.
struct EventFindings {
  let events: EventCounts
  let hours: HoursMoved
  let exports: PartialExport

  private var days: JudgedDays { events.days }

  func found(on day: Int) -> [Detection] {
    [moved(on: day), thinned(on: day), doubled(on: day), flood(on: day)].compactMap(\.self)
  }

  /// Whether the counts of a day cannot be compared with those of others.
  func isOdd(_ day: Int) -> Bool {
    exports.sign(on: day) != nil || events.doubled(on: day) != nil || events.flood(on: day) != nil
  }

  private func moved(on day: Int) -> Detection? {
    let moves = hours.moves(until: day)
    guard let move = moves[day] else { return nil }
    let first = days.firstDay(until: day) { moves[$0] != nil }
    let count = NumberWords.counted(abs(move.byHours), "hour")
    return Detection(
      .warn, .hoursMoved, "hours-moved", since: first, days.names, at: (.usage, UsageDays.id),
      weight: 800, topics: [.use], explains: Set(Detection.Topic.allCases),
      "Events are dated \(count) \(move.byHours > 0 ? "later" : "earlier") than usual since "
        + "\(days.names.name(first)): the busiest hours begin at \(Self.clock(move.now)) instead "
        + "of \(Self.clock(move.usual)). Nothing is missing.",
      evidence: [
        Evidence(
          "Hours moved, by \(NumberWords.grouped(move.events)) events", abs(move.byHours), .hours)
      ],
      advice: "See whether the export's time zone, a phone's clock or `time_zone` in firetally.yml "
        + "changed; import the days again when the export was wrong.")
  }

  private func thinned(on day: Int) -> Detection? {
    guard let sign = exports.sign(on: day) else { return nil }
    let name = days.names.name(day)
    let words =
      switch sign {
      case .cut(let gap):
        gap.start <= days.days[day].start
          ? "none came for the hours up to \(days.names.clock(gap.end))"
          : "none came for the hours from \(days.names.clock(gap.start)) on"
      case .thinned(let part):
        "each person, each feature and each hour has about \(Self.percent(part)) of the usual"
      case .othersOnline(let part, _):
        "only \(Self.percent(part)) of the usual people have events, though as many were online"
      }
    var evidence = [
      Evidence("Export lines on \(name)", days.days[day].exportLines, .lines),
      Evidence("Taps on \(name)", days.days[day].taps, .taps),
    ]
    if case .othersOnline(_, let online) = sign {
      evidence.append(Evidence("Online at the last load of \(name)", online, .people))
    }
    return Detection(
      .warn, .partialExport, "partial-export", since: day, days.names, at: (.usage, UsageDays.id),
      weight: 850, topics: [.use], explains: Set(Detection.Topic.allCases),
      "A part of the export is missing for \(name): \(words).", evidence: evidence,
      advice: "Export the day from BigQuery again and run `firetally events import FILE`; lines "
        + "that are known already are not counted twice.")
  }

  private func doubled(on day: Int) -> Detection? {
    guard let found = events.doubled(on: day) else { return nil }
    let first = days.firstDay(until: day) { events.doubled(on: $0) != nil }
    let value = NumberWords.decimal(found.value, places: 1)
    let usual = NumberWords.decimal(found.usual, places: 1)
    return Detection(
      .warn, .doubled, "doubled", since: first, days.names, at: (.usage, UsageDays.id), weight: 600,
      topics: [.use], direction: .rose, explains: [.use, .blocks, .subscriptionTaps, .ratings],
      explainsOnly: .rose,
      "Events seem to be logged more than once since \(days.names.name(first)): \(value) "
        + "\(found.name) instead of about \(usual).",
      evidence: [
        Evidence(
          "\(found.name.capitalizedFirst) on \(days.names.name(day))", found.value, .mean,
          expected: min(found.usual, found.highest)...found.highest,
          comparedDays: days.usual(before: day).count, basis: "day")
      ],
      advice:
        "See whether a release, a second analytics library or an import logs each event twice.")
  }

  private func flood(on day: Int) -> Detection? {
    guard let found = events.flood(on: day) else { return nil }
    let first = days.firstDay(until: day) { events.flood(on: $0) != nil }
    let who = found.people == 1 ? "One person makes" : "\(found.people) people make"
    let share = Ratio(found.events, of: found.whole)
    return Detection(
      .warn, .flood, "flood", since: first, days.names, at: (.usage, "users"), weight: 550,
      topics: [.use], direction: .rose, explains: [.use, .blocks, .subscriptionTaps, .ratings],
      explainsOnly: .rose,
      "\(who) \(NumberWords.percent(share.percent)) of all events since "
        + "\(days.names.name(first)): \(NumberWords.grouped(found.events)) of "
        + "\(NumberWords.grouped(found.whole)) on \(days.names.name(day)).",
      evidence: [
        Evidence(
          "Share of the busiest on \(days.names.name(day))", share.share * 100, .percent,
          expected: (min(found.usual, found.highest) * 100)...(found.highest * 100),
          comparedDays: days.usual(before: day).count, basis: "day")
      ],
      advice:
        "See who it is under \"Heaviest users\": a test account, a script, or a loop in the app.")
  }

  private static func clock(_ hour: Int) -> String { hour < 10 ? "0\(hour):00" : "\(hour):00" }

  private static func percent(_ part: Double) -> String {
    NumberWords.percent(Ratio(Int((part * 1_000).rounded()), of: 1_000).percent)
  }
}
