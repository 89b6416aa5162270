import Model

/// Findings about the days of a history: docs/findings.md#what-is-found.
struct UsageFindings {
  /// Days in a row after which an anomaly is the new normal.
  static let newsDays = 7
  /// Days after a change of a limit on which its effect is reported, and on which it is known.
  ///
  /// For so long most of the same weekdays before lie before the change.
  static let changeDays = 2
  static let knownDays = 28

  let anomalies: DayAnomalies
  let incidents: Incidents
  let names: DayNames
  let changes: [SettingChange]

  private var days: [DayFacts] { anomalies.days }

  /// The incidents of the last days, and what is unlike other days on the last one.
  ///
  /// `importFails` means that a job which brings the export is in trouble; `readsFail`, that any
  /// job is.
  func found(on last: Int, importFails: Bool, readsFail: Bool) -> [Detection] {
    // An incident that nobody wants to hear of explains its days all the same.
    let reported = incidents.found().map { incident in
      var detection = detection(incident)
      detection.isTold =
        (incident.kind == .outage || !importFails) && incidents.reachesFloor(incident)
        && anomalies.settings.isOn(incident.kind.rule)
      return detection
    }
    let open = anomalies.all(on: last).filter { anomaly in
      guard last - anomaly.firstDay < Self.newsDays, !isKnownEffect(anomaly),
        !isJudgedAsShare(anomaly)
      else { return false }
      guard anomaly.direction == .fell else { return true }
      return !(importFails && anomaly.series.comesByExport)
        && !(readsFail && anomaly.series == .reads)
    }
    let groups = [Detection.Direction.fell, .rose].map { direction in
      open.filter { $0.series.joinsUsageFinding && $0.direction == direction }
    }
    let alone = open.filter { !$0.series.joinsUsageFinding }.map { [$0] }
    return reported
      + (groups.filter { !$0.isEmpty } + alone).map { detection(of: $0, on: last) }
  }

  private func detection(_ incident: Incident) -> Detection {
    let finding = finding(incident)
    return Detection(
      finding: finding, rule: incident.kind.rule, firstDay: incident.days.lowerBound,
      topics: [.use], explains: Set(Detection.Topic.allCases).subtracting([.reads]))
  }

  /// The sentences about an incident.
  func finding(_ incident: Incident) -> Finding {
    let rule = incident.kind.rule
    let since = names.iso8601(incident.days.lowerBound)
    let subject = "\(rule.rawValue) \(since)"
    let day = incident.days.upperBound
    let span = names.span(incident.days)
    let count = incident.days.count
    switch incident.kind {
    case .outage:
      let isOpen = incidents.isOpen(day) && incidents.fallen(on: day).isEmpty
      let words = isOpen ? "\(outageWords(day)), or its lines are late" : outageWords(day)
      return Finding(
        isOpen ? .warn : .error, "Outage \(span): \(words).", report: .usage,
        section: UsageDays.id, subject: subject, rule: rule, since: since,
        evidence: evidence(on: day) + gapEvidence(on: day),
        advice:
          "Look at the server and the app's last changes; if people could use the app all the "
          + "time, look at its analytics.", weight: 1_000)
    case .lostExport:
      let isEmpty = incident.days.allSatisfy { days[$0].exportLines == 0 }
      let lines = count == 1 ? "the day's figures are" : "the figures of \(count) days are"
      return Finding(
        .warn,
        "\(isEmpty ? "No" : "Hardly a") line of the export has arrived for what happened \(span); "
          + "\(lines) unknown.",
        report: .usage, section: UsageDays.id, subject: subject, rule: rule, since: since,
        evidence: evidence(on: day) + gapEvidence(on: day),
        advice: "Export \(count == 1 ? "the day" : "these days") from BigQuery again and run "
          + "`firetally events import FILE`; days that are known already are not counted twice.",
        weight: 900)
    }
  }

  private func outageWords(_ day: Int) -> String {
    let fallen = incidents.fallen(on: day).filter { $0.series != .exportLines }
    guard fallen.isEmpty else {
      let parts = fallen.map { anomaly in
        let part = Ratio(Int(anomaly.value), of: Int(anomaly.median.rounded()))
        return "\(anomaly.series.title.lowercased()) at \(NumberWords.percent(part.percent))"
      }
      return "\(parts.listed) of the usual"
    }
    guard let gap = incidents.gap(on: day) else { return "nothing was used" }
    return "no event between \(names.clock(gap.start)) and \(names.clock(gap.end))"
  }

  /// The figures of a day that stand out, and the lines of the export in any case.
  private func evidence(on day: Int) -> [Evidence] {
    let found = incidents.fallen(on: day).map { $0.series.evidence($0, on: names.name(day)) }
    guard found.isEmpty else { return found }
    let usual = incidents.usualLines(before: day)
    return [
      Evidence(
        "Export lines on \(names.name(day))", Double(days[day].exportLines), .lines,
        expected: usual.min().flatMap { low in usual.max().map { low...$0 } },
        comparedDays: usual.isEmpty ? nil : usual.count)
    ]
  }

  private func gapEvidence(on day: Int) -> [Evidence] {
    guard let gap = incidents.gap(on: day) else { return [] }
    return [
      Evidence(
        "Silent hours, from \(names.clock(gap.start)) to \(names.clock(gap.end))",
        incidents.hours(of: gap), .hours)
    ]
  }

  /// One finding of series that moved the same way on one day.
  private func detection(of moved: [DayAnomaly], on day: Int) -> Detection {
    let ordered = moved.sorted { $0.distance > $1.distance }
    let main = ordered[0]
    let first = ordered.map(\.firstDay).min() ?? day
    let verb = main.direction == .fell ? "fell" : "rose"
    let topics = Set(moved.map(\.series.topic))
    let subjects = ordered.enumerated().map {
      $0.offset == 0
        ? $0.element.series.title
        : $0.element.series.title.lowercased()
    }
    let when = first == day ? "on \(names.name(day))" : "on \(names.name(first)) and stayed so"
    let cause = change(before: main, within: Self.changeDays).map { change in
      "\(change.wireName) changed from \(change.oldValue ?? "nothing") to "
        + "\(change.newValue ?? "nothing")"
    }
    return Detection(
      cause == nil ? main.level : .notice, .day,
      "\(main.series.joinsUsageFinding ? "usage" : main.series.name) \(verb)", since: first,
      names,
      at: main.series.place, weight: 10 * main.distance, topics: topics, direction: main.direction,
      explains: topics.contains(.use) ? topics.union([.subscriptionTaps, .ratings]) : topics,
      explainsOnly: main.direction,
      "\(subjects.listed) \(verb) \(when): \(words(main))"
        + (cause.map { ", after \($0)" } ?? "") + ".",
      evidence: ordered.map { $0.series.evidence($0, on: names.name(day)) },
      advice: cause == nil ? main.advice : "Compare the days before and after the change.")
  }

  /// `212 instead of about 1,020`.
  private func words(_ anomaly: DayAnomaly) -> String {
    let (unit, scale) = (anomaly.series.unit, anomaly.series.scale)
    return "\(Evidence.words(anomaly.value * scale, unit)) instead of about "
      + Evidence.words(anomaly.median * scale, unit)
  }

  /// The newest change of a limit up to and with the first day of an anomaly, at most `count` days
  /// before it; nil for what limits do not touch.
  private func change(before anomaly: DayAnomaly, within count: Int) -> SettingChange? {
    guard anomaly.series == .blockedShare || anomaly.series == .subscriptionTaps else { return nil }
    let first = anomaly.firstDay
    let since = days[max(0, first - count)].start
    return changes.filter { change in
      change.changedAt >= since && change.changedAt < days[first].end && change.oldValue != nil
        && SettingKey(wireName: change.wireName)?.descriptor.role != nil
    }.max { $0.changedAt < $1.changedAt }
  }

  /// Whether what is blocked is judged among the shares of people: docs/shares.md.
  private func isJudgedAsShare(_ anomaly: DayAnomaly) -> Bool {
    anomaly.series == .blockedShare && change(before: anomaly, within: Self.changeDays) == nil
  }

  /// Whether an earlier change of a limit explains the anomaly, and was reported then.
  private func isKnownEffect(_ anomaly: DayAnomaly) -> Bool {
    change(before: anomaly, within: Self.changeDays) == nil
      && change(before: anomaly, within: Self.knownDays) != nil
  }
}

extension DayAnomaly {
  fileprivate var level: Level { direction == series.good ? .notice : .warn }

  fileprivate var advice: String {
    direction == .fell ? series.advice.fell : series.advice.rose
  }
}

/// The days of a history in words.
struct DayNames {
  let days: [DayFacts]
  let calendar: ReportCalendar

  /// `Thu 5 Nov`.
  func name(_ day: Int) -> String { calendar.day(of: days[day].start).withWeekday }

  /// `2026-11-05`.
  func iso8601(_ day: Int) -> String { calendar.day(of: days[day].start).iso8601 }

  /// `on Thu 5 Nov`, `from Thu 5 Nov to Sat 7 Nov`.
  func span(_ span: ClosedRange<Int>) -> String {
    span.count == 1
      ? "on \(name(span.lowerBound))"
      : "from \(name(span.lowerBound)) to \(name(span.upperBound))"
  }

  /// `15:00`.
  func clock(_ instant: Instant) -> String { calendar.localTime(instant).clock }
}
