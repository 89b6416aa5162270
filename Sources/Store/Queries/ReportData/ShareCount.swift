import Model

/// Counts people by their values, one or two at a time: docs/shares.md.
struct ShareCount {
  private typealias Measure = ShareCounts.Measure

  private struct Person {
    var wasSeen = false
    var isSubscriber = false
  }

  private struct CellPart: Hashable {
    let dimension: Int
    /// The number of the name, or the place of the user type; -1 for none.
    let value: Int32
  }

  /// Of people; an hour is one of events.
  private static let dimensions: [ShareCounts.Dimension] = [
    .country, .language, .version, .platform, .userType,
  ]
  /// What is counted together, by the places of the dimensions: version and user type, version and
  /// country, a platform's countries and versions.
  private static let combinations: [[Int]] = [
    [], [0], [1], [2], [3], [4], [2, 4], [2, 0], [0, 3], [2, 3],
  ]

  private let dayCount: Int
  private var people: [Person] = []
  /// The cells of people with the same values.
  private var cellsOfSaid: [SIMD8<Int32>: [Int]] = [:]
  private var cells: [[CellPart]] = []
  private var placeOfCell: [[CellPart]: Int] = [:]
  /// Cell by cell, measure by measure, day by day.
  private var numbers: [Int] = []

  init(dayCount: Int) { self.dayCount = dayCount }

  /// Counts a person of a day, which no day before came after.
  ///
  /// A day below 0 is not counted; who was seen on it is known.
  mutating func add(_ seen: PartCount.Seen, on day: Int) {
    while people.count <= seen.person { people.append(Person()) }
    let before = people[seen.person]
    let isSubscriber = seen.type.map { $0 == .liteSubscriber } ?? before.isSubscriber
    people[seen.person] = Person(wasSeen: true, isSubscriber: isSubscriber)
    guard day >= 0 else { return }
    let measures = Self.measures(
      of: seen, isNew: !before.wasSeen, isLost: before.isSubscriber && !isSubscriber)
    for cell in cells(of: seen) {
      let first = cell * Measure.allCases.count * dayCount + day
      for measure in Measure.allCases where measures & 1 << measure.rawValue != 0 {
        numbers[first + measure.rawValue * dayCount] += 1
      }
    }
  }

  /// A bit for each measure that counts the person.
  private static func measures(of seen: PartCount.Seen, isNew: Bool, isLost: Bool) -> Int {
    var bits = 1 << Measure.people.rawValue
    func set(_ measure: Measure, _ isCounted: Bool) {
      if isCounted { bits |= 1 << measure.rawValue }
    }
    set(.newcomers, isNew)
    set(.free, seen.type == .freeUser)
    set(.subscribers, seen.type == .liteSubscriber)
    set(.lost, isLost)
    set(.tapping, seen.taps > 0)
    set(.failed, seen.taps > 0 && seen.performed == 0)
    set(.limited, seen.freeTaps > 0)
    set(.blocked, seen.freeTaps > 0 && seen.flags.contains(.blocked))
    set(.popups, seen.flags.contains(.popup))
    set(.subscriptionTaps, seen.flags.isSuperset(of: [.popup, .subscriptionTap]))
    return bits
  }

  private mutating func cells(of seen: PartCount.Seen) -> [Int] {
    var said = SIMD8<Int32>(repeating: -1)
    said[0] = Int32(seen.country ?? -1)
    said[1] = Int32(seen.language ?? -1)
    said[2] = Int32(seen.version ?? -1)
    said[3] = Int32(seen.platform ?? -1)
    said[4] = Int32(seen.type?.position ?? -1)
    if let known = cellsOfSaid[said] { return known }
    let places = Self.combinations.map { dimensions in
      place(of: dimensions.map { CellPart(dimension: $0, value: said[$0]) })
    }
    cellsOfSaid[said] = places
    return places
  }

  private mutating func place(of cell: [CellPart]) -> Int {
    if let known = placeOfCell[cell] { return known }
    placeOfCell[cell] = cells.count
    cells.append(cell)
    numbers += repeatElement(0, count: Measure.allCases.count * dayCount)
    return cells.count - 1
  }

  /// The counts, with the names of the values instead of their numbers.
  func counts(of names: [String]) -> ShareCounts {
    func word(_ part: CellPart) -> String {
      guard part.value >= 0 else { return "" }
      let dimension = Self.dimensions[part.dimension]
      return dimension == .userType
        ? UserType.allCases[Int(part.value)].rawValue : names[Int(part.value)]
    }
    var counts = ShareCounts()
    for (place, cell) in cells.enumerated() {
      let parts = cell.map { ShareCounts.Part(Self.dimensions[$0.dimension], word($0)) }
      counts.cells[parts] = Measure.allCases.map { measure in
        let first = (place * Measure.allCases.count + measure.rawValue) * dayCount
        return Array(numbers[first..<first + dayCount])
      }
    }
    return counts
  }
}
