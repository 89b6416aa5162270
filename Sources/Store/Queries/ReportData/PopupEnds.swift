import Model

/// Tells how each popup of the period ended, in the relation `popup`: docs/reports/events.md#popup-ends.
struct PopupEnds {
  /// Whose popup it is; the person is nil for events without a user id.
  private struct Place: Hashable {
    let person: Int?
    let feature: Feature
  }

  private struct Step {
    let id: Int64
    let kind: EventKind
    let place: Place
  }

  /// The reason of `popup_dismissed` that names none.
  private static let untold = "not told"

  private let popups: RawStatement
  private let dismissals: RawStatement
  private let period: Range<Int64>
  /// When the open popups were shown.
  private var open: [Place: Int64] = [:]
  /// Those of the instant at hand: they come in no order, and happened in that of their ids.
  private var steps: [Step] = []
  private var at = Int64.min

  init(_ reader: Reader, in period: Range<Int64>) throws {
    self.period = period
    popups = try RawStatement(
      reader.database, sql: "INSERT INTO temp.popup VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
    dismissals = try RawStatement(
      reader.database,
      sql: """
        SELECT CAST(ifnull(\(Event.parameter("dismiss_reason")), '\(Self.untold)') AS TEXT),
          CASE WHEN typeof(\(Event.parameter("popup_seconds"))) IN ('integer', 'real')
            THEN CAST(\(Event.parameter("popup_seconds")) AS INTEGER) ELSE -1 END
        FROM events WHERE id = ?1
        """)
  }

  /// Takes an event of the period that may begin or end a popup.
  ///
  /// - Precondition: no event before came later.
  mutating func add(
    event id: Int64, _ key: BucketCounter.EventKey, of person: Int?, at: Int64
  ) throws {
    switch key.kind {
    case .buttonTapped, .popupShown, .popupDismissed, .performed, .subscriptionButtonTapped,
      .cooldownCompleted:
      break
    default: return
    }
    guard period.contains(at) else { return }
    if at != self.at {
      try settle()
      self.at = at
    }
    steps.append(
      Step(id: id, kind: key.kind, place: Place(person: person, feature: key.feature)))
  }

  /// Ends the last instant; popups that are still open have no end.
  mutating func finish() throws {
    try settle()
    let left = open.sorted {
      ($0.value, $0.key.person ?? -1, $0.key.feature.position)
        < ($1.value, $1.key.person ?? -1, $1.key.feature.position)
    }
    for (place, shownAt) in left { try write(place, shownAt: shownAt, ending: nil) }
    open = [:]
    popups.reset()
    dismissals.reset()
  }

  private mutating func settle() throws {
    for step in steps.sorted(by: { $0.id < $1.id }) { try take(step) }
    steps.removeAll(keepingCapacity: true)
  }

  private mutating func take(_ step: Step) throws {
    let shownAt = open[step.place]
    if step.kind == .popupShown { open[step.place] = at }
    guard let shownAt else { return }
    switch step.kind {
    case .popupShown: try write(step.place, shownAt: shownAt, ending: nil)
    case .buttonTapped:
      // Nobody taps what lies behind an open popup.
      open[step.place] = nil
      try write(step.place, shownAt: shownAt, ending: nil)
    case .subscriptionButtonTapped: try end(step, shownAt, "subscribe")
    case .cooldownCompleted: try end(step, shownAt, "expired")
    case .performed where at - shownAt < AppSessionRule.timeout.microseconds:
      try end(step, shownAt, "action")
    case .popupDismissed: try dismiss(step, shownAt)
    default: break
    }
  }

  private mutating func dismiss(_ step: Step, _ shownAt: Int64) throws {
    try dismissals.bind(step.id, at: 1)
    defer { dismissals.rewind() }
    guard try dismissals.step() else { return }
    let reason = String(decoding: dismissals.text(column: 0), as: UTF8.self)
    let seconds = dismissals.integer(column: 1)
    try end(step, shownAt, reason, seconds: seconds < 0 ? nil : seconds)
  }

  private mutating func end(
    _ step: Step, _ shownAt: Int64, _ ending: String, seconds: Int64? = nil
  ) throws {
    open[step.place] = nil
    try write(step.place, shownAt: shownAt, ending: ending, seconds: seconds)
  }

  private func write(
    _ place: Place, shownAt: Int64, ending: String?, seconds: Int64? = nil
  ) throws {
    let between = ending.map { _ in (at - shownAt) / 1_000_000 }
    try popups.run(
      with: place.person, shownAt, place.feature.rawValue, ending.map { _ in at }, ending,
      seconds ?? between)
  }
}
