import Model

/// Records how each popup of the period ended, in the relation `popup`:
/// docs/reports/events.md#popup-ends.
struct PopupEnds {
  private static let mostInMemory = 1_000

  private let insertion: RowInsertion
  private let dismissals: DismissalReader
  private let period: Range<Int64>
  private var day = PopupDay()
  /// When the popups were shown that earlier days left open.
  private var open: [PopupDay.Place: Int64] = [:]

  init(_ reader: Reader, in period: Range<Int64>) throws {
    self.period = period
    insertion = RowInsertion(reader.database, into: "temp.popup")
    dismissals = try DismissalReader(reader)
  }

  /// Takes an event of the period that may begin or end a popup.
  ///
  /// - Precondition: no event before came later.
  mutating func add(
    event id: Int64, _ key: BucketCounter.EventKey, of person: Int?, at: Int64
  ) throws {
    guard period.contains(at) else { return }
    let place = PopupDay.Place(person: person, feature: key.feature)
    try day.add(PopupDay.Step(id: id, kind: key.kind, place: place), at: at, dismissals)
    if day.popups.count >= Self.mostInMemory { try writeEnded() }
  }

  private mutating func writeEnded() throws {
    for popup in day.takeEnded() where popup.shownAt != nil { try write(popup) }
  }

  /// Takes a popup of a day that was counted before, or what ends one that is open.
  ///
  /// - Precondition: the days come in their order, and of each the popups in theirs.
  mutating func add(_ popup: PopupDay.Popup) throws {
    guard let shownAt = popup.shownAt else { return try close(popup) }
    guard period.contains(shownAt) else { return }
    guard let endedAt = popup.endedAt, endedAt < period.upperBound else {
      open[popup.place] = shownAt
      return
    }
    try write(popup)
  }

  /// Ends the popup at a place, if one is open, in a way that is not known.
  mutating func endQuietly(_ place: PopupDay.Place) throws {
    guard let shownAt = open.removeValue(forKey: place) else { return }
    try write(PopupDay.Popup(place: place, shownAt: shownAt))
  }

  private mutating func close(_ step: PopupDay.Popup) throws {
    guard let shownAt = open[step.place] else { return }
    var popup = step
    popup.shownAt = shownAt
    if let performedAt = step.performedAt,
      performedAt - shownAt < AppSessionRule.timeout.microseconds
    {
      popup.endedAt = performedAt
      popup.ending = "action"
      popup.seconds = nil
    }
    guard let endedAt = popup.endedAt, endedAt < period.upperBound else { return }
    if popup.ending != nil { popup.seconds = popup.seconds ?? (endedAt - shownAt) / 1_000_000 }
    open[step.place] = nil
    try write(popup)
  }

  /// Ends the last instant; popups that are still open have no end.
  mutating func finish() throws {
    try day.finish(dismissals)
    try writeEnded()
    let left = open.sorted {
      ($0.value, $0.key.person ?? -1, $0.key.feature.position)
        < ($1.value, $1.key.person ?? -1, $1.key.feature.position)
    }
    for (place, shownAt) in left { try write(PopupDay.Popup(place: place, shownAt: shownAt)) }
  }

  /// The end is counted where something says which it was.
  private func write(_ popup: PopupDay.Popup) throws {
    try insertion.add([
      "person": popup.place.person, "at": popup.shownAt,
      "feature": popup.place.feature.rawValue,
      "ended_at": popup.ending.flatMap { _ in popup.endedAt }, "ending": popup.ending,
      "seconds": popup.seconds,
    ])
  }
}
