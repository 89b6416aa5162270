import Model

/// Counts people by what is said of them, one thing or two at a time: docs/shares.md.
struct ShareCount {
  /// What one person did on a day, and the numbers of what is said of them, in the order of
  /// `dimensions`; nil where nothing is said.
  struct Seen {
    let person: Int
    let parts: [Int?]
    let type: UserType?
    let flags: PersonDay.Flags
    let taps: Int
    let freeTaps: Int
    let performed: Int
  }

  private typealias Measure = ShareCounts.Measure

  private struct Key: Hashable {
    let parts: [Int?]
    let type: UserType?
  }

  private struct Person {
    var wasSeen = false
    var isSubscriber = false
  }

  private static let dimensions: [ShareCounts.Dimension] = [
    .country, .language, .version, .platform, .userType,
  ]
  /// Things that are counted together, by their places among the dimensions.
  private static let pairs = [(2, 4), (2, 0), (0, 4)]

  private let dayCount: Int
  private var people: [Person] = []
  /// The cells that people belong to of whom the same is said.
  private var cellsOfKey: [Key: [Int]] = [:]
  /// Each cell by the places of its dimensions and what is said, in their order.
  private var cells: [[CellPart]] = []
  private var placeOfCell: [[CellPart]: Int] = [:]
  /// Cell by cell, measure by measure, day by day.
  private var numbers: [Int] = []

  private struct CellPart: Hashable {
    let dimension: Int
    let part: Int?
    let type: UserType?
  }

  init(dayCount: Int) { self.dayCount = dayCount }

  /// Counts a person of a day, which no day before came after.
  ///
  /// A day below 0 is not counted; who was seen on it is known.
  mutating func add(_ seen: Seen, on day: Int) {
    while people.count <= seen.person { people.append(Person()) }
    let before = people[seen.person]
    let isSubscriber = seen.type.map { $0 == .liteSubscriber } ?? before.isSubscriber
    people[seen.person] = Person(wasSeen: true, isSubscriber: isSubscriber)
    guard day >= 0 else { return }
    let measures = Self.measures(
      of: seen, isNew: !before.wasSeen, isLost: before.isSubscriber && !isSubscriber)
    for cell in cells(of: Key(parts: seen.parts, type: seen.type)) {
      for measure in measures { numbers[index(of: measure, in: cell) + day] += 1 }
    }
  }

  private static func measures(of seen: Seen, isNew: Bool, isLost: Bool) -> [Measure] {
    let found: [(Measure, Bool)] = [
      (.people, true), (.newcomers, isNew), (.free, seen.type == .freeUser),
      (.subscribers, seen.type == .liteSubscriber), (.lost, isLost), (.tapping, seen.taps > 0),
      (.failed, seen.taps > 0 && seen.performed == 0), (.limited, seen.freeTaps > 0),
      (.blocked, seen.freeTaps > 0 && seen.flags.contains(.blocked)),
      (.popups, seen.flags.contains(.popup)),
      (.subscriptionTaps, seen.flags.isSuperset(of: [.popup, .subscriptionTap])),
    ]
    return found.filter(\.1).map(\.0)
  }

  private mutating func cells(of key: Key) -> [Int] {
    if let known = cellsOfKey[key] { return known }
    func part(_ place: Int) -> CellPart {
      place < key.parts.count
        ? CellPart(dimension: place, part: key.parts[place], type: nil)
        : CellPart(dimension: place, part: nil, type: key.type)
    }
    let parts =
      [[]] + Self.dimensions.indices.map { [part($0)] }
      + Self.pairs.map { [part($0.0), part($0.1)] }
    let places = parts.map { place(of: $0) }
    cellsOfKey[key] = places
    return places
  }

  private mutating func place(of cell: [CellPart]) -> Int {
    if let known = placeOfCell[cell] { return known }
    placeOfCell[cell] = cells.count
    cells.append(cell)
    numbers += repeatElement(0, count: Measure.allCases.count * dayCount)
    return cells.count - 1
  }

  private func index(of measure: Measure, in cell: Int) -> Int {
    (cell * Measure.allCases.count + measure.rawValue) * dayCount
  }

  /// The counts, with what is said as `name` has it.
  func counts(_ name: (Int) -> String) -> ShareCounts {
    var counts = ShareCounts()
    for (place, cell) in cells.enumerated() {
      let parts = cell.map { part in
        ShareCounts.Part(
          Self.dimensions[part.dimension],
          part.part.map(name) ?? part.type?.rawValue ?? "")
      }
      counts.cells[parts] = Measure.allCases.map { measure in
        let first = index(of: measure, in: place)
        return Array(numbers[first..<first + dayCount])
      }
    }
    return counts
  }
}
