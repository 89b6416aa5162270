import Model

/// Events whose parameters are read: of everybody, or of one person in so many.
///
/// People are chosen by the hash of their ids: of a chosen one all events are read, so that shares
/// of people stay unbiased. docs/people.md#samples.
struct EventSample {
  struct Row {
    let id: Int64
    let person: Int
  }

  /// Rows that are read at most.
  let most: Int
  private(set) var rows: [Row] = []
  /// People whose hash has any of these bits are left out.
  private var mask: UInt32 = 0

  /// So many that reading them takes less than a tenth of a second.
  static let most = 24_000

  init(most: Int = EventSample.most) {
    self.most = most
  }

  var oneIn: Int { Int(mask) + 1 }

  mutating func add(_ row: Row, _ ids: StringInterner) {
    guard holds(row.person, ids) else { return }
    rows.append(row)
    // The last person that is left may have more rows than that.
    while rows.count > most, mask < 1 << 20 {
      mask = mask << 1 | 1
      rows = rows.filter { holds($0.person, ids) }
    }
  }

  func holds(_ person: Int, _ ids: StringInterner) -> Bool {
    mask == 0 || Self.hash(ids[person]) >> 11 & mask == 0
  }

  /// 64-bit FNV-1a, folded so that the low bits depend on every byte: the same in every run.
  private static func hash(_ id: String) -> UInt32 {
    let hash = id.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
  }
}
