/// Finds a free second after one that is taken, in logarithmically many reads.
///
/// It doubles its step until it meets a free second, then bisects. Where the taken seconds have no
/// gap, as after a rush, it finds the next free one; otherwise a free one whose predecessor is
/// taken.
struct NextFreeId {
  enum Step: Hashable {
    case ask(Int64)
    case found(Int64)
    /// All seconds up to `longestStride` seem to be taken.
    case nothing
  }

  /// About a year; a server that calls more than that taken says yes to everything.
  static let longestStride: Int64 = 1 << 25

  private let start: Int64
  private var taken: Int64
  private var free: Int64?
  private var stride: Int64 = 1

  init(after second: Int64) {
    start = second
    taken = second
  }

  var step: Step {
    guard let free else { return stride > Self.longestStride ? .nothing : .ask(start + stride) }
    return free - taken == 1 ? .found(free) : .ask(taken + (free - taken) / 2)
  }

  mutating func answer(_ second: Int64, isTaken: Bool) {
    if isTaken {
      taken = second
      if free == nil { stride *= 2 }
    } else {
      free = second
    }
  }
}
