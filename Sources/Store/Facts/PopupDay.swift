import Model

/// How the popups of one civil day ended on it, and what ends one that the day before left open:
/// docs/reports/events.md#popup-ends.
struct PopupDay {
  /// The person and feature of the popup; the person is nil for events without a user id.
  struct Place: Hashable {
    let person: Int?
    let feature: Feature
  }

  /// What became of a popup; times are in microseconds.
  struct Popup {
    let place: Place
    /// Nil for one that the day before left open.
    var shownAt: Int64?
    /// The first success, for such a one.
    var performedAt: Int64?
    var endedAt: Int64?
    /// Nil for an end that says nothing, such as the next tap, and for none.
    var ending: String?
    var seconds: Int64?

    /// Whether it is one of the day before; this day only says that it has ended.
    var isQuietEnd: Bool { shownAt == nil && performedAt == nil && ending == nil }
  }

  struct Step {
    let id: Int64
    let kind: EventKind
    let place: Place
  }

  /// In the order in which they ended; those that are left open come last.
  private(set) var popups: [Popup] = []
  /// The popup that stands open at each place, or may from the day before; nil for none.
  private var open: [Place: Popup?] = [:]
  /// Those of the instant at hand: they come in no order, and happened in that of their ids.
  private var steps: [Step] = []
  private var at = Int64.min

  /// Takes an event that may begin or end a popup.
  ///
  /// - Precondition: no event before came later.
  mutating func add(_ step: Step, at: Int64, _ dismissals: DismissalReader) throws {
    guard step.kind.movesPopups else { return }
    if at != self.at {
      try settle(dismissals)
      self.at = at
    }
    steps.append(step)
  }

  /// Ends the day.
  mutating func finish(_ dismissals: DismissalReader) throws {
    try settle(dismissals)
    let left = open.values.compactMap(\.self).filter { $0.shownAt != nil || $0.performedAt != nil }
    popups += left.sorted {
      ($0.shownAt ?? 0, $0.place.person ?? -1, $0.place.feature.position)
        < ($1.shownAt ?? 0, $1.place.person ?? -1, $1.place.feature.position)
    }
    open = [:]
  }

  /// Takes away the popups that have ended so far.
  mutating func takeEnded() -> [Popup] {
    defer { popups.removeAll(keepingCapacity: true) }
    return popups
  }

  private mutating func settle(_ dismissals: DismissalReader) throws {
    for step in steps.sorted(by: { $0.id < $1.id }) { try take(step, dismissals) }
    steps.removeAll(keepingCapacity: true)
  }

  private mutating func take(_ step: Step, _ dismissals: DismissalReader) throws {
    let popup = open[step.place] ?? Popup(place: step.place)
    if step.kind == .popupShown {
      open[step.place] = .some(Popup(place: step.place, shownAt: at))
    }
    guard let popup else { return }
    switch step.kind {
    case .popupShown: end(popup, nil, opensNext: true)
    // Nobody taps what lies behind an open popup.
    case .buttonTapped: end(popup, nil)
    case .subscriptionButtonTapped: end(popup, "subscribe")
    case .cooldownCompleted: end(popup, "expired")
    case .performed: perform(popup)
    case .popupDismissed:
      let (reason, seconds) = try dismissals.dismissal(step.id)
      end(popup, reason, seconds)
    default: break
    }
  }

  private mutating func perform(_ popup: Popup) {
    guard let shownAt = popup.shownAt else {
      // Whether it is within 30 minutes the day before knows.
      var popup = popup
      popup.performedAt = popup.performedAt ?? at
      open[popup.place] = .some(popup)
      return
    }
    if at - shownAt < AppSessionRule.timeout.microseconds { end(popup, "action") }
  }

  private mutating func end(
    _ popup: Popup, _ ending: String?, _ seconds: Int64? = nil, opensNext: Bool = false
  ) {
    var popup = popup
    if !opensNext { open[popup.place] = .some(nil) }
    popup.endedAt = at
    popup.ending = ending
    if ending != nil {
      popup.seconds = seconds ?? popup.shownAt.map { (at - $0) / 1_000_000 }
    }
    popups.append(popup)
  }
}

extension EventKind {
  /// Whether the event may begin or end a popup.
  fileprivate var movesPopups: Bool {
    switch self {
    case .buttonTapped, .popupShown, .popupDismissed, .performed, .subscriptionButtonTapped,
      .cooldownCompleted:
      true
    default: false
    }
  }
}

/// Reads why a popup was dismissed, and after how many seconds.
struct DismissalReader {
  /// The reason of `popup_dismissed` that names none.
  private static let untold = "not told"

  private let dismissals: RawStatement

  init(_ reader: Reader) throws {
    dismissals = try RawStatement(
      reader.database,
      sql: """
        SELECT CAST(ifnull(\(Event.parameter("dismiss_reason")), '\(Self.untold)') AS TEXT),
          CASE WHEN typeof(\(Event.parameter("popup_seconds"))) IN ('integer', 'real')
            THEN CAST(\(Event.parameter("popup_seconds")) AS INTEGER) ELSE -1 END
        FROM events WHERE id = ?1
        """)
  }

  func dismissal(_ id: Int64) throws -> (reason: String, seconds: Int64?) {
    try dismissals.bind(id, at: 1)
    defer { dismissals.rewind() }
    guard try dismissals.step() else { return (Self.untold, nil) }
    let reason = String(decoding: dismissals.text(column: 0), as: UTF8.self)
    let seconds = dismissals.integer(column: 1)
    return (reason, seconds < 0 ? nil : seconds)
  }
}
