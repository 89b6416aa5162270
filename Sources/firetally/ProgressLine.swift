import Jobs
import Model
import Reports
import Synchronization
import Workspace

/// The progress line of long work on a terminal.
///
/// It is drawn on standard error and rewritten in place; it disappears when the work ends or
/// something else is printed. Without a terminal nothing is drawn.
final class ProgressLine: Sendable {
  private struct State {
    var meter: ProgressMeter?
    var isDrawn = false
  }

  private static let shown = Mutex<ProgressLine?>(nil)

  private let isEnabled: Bool
  private let elapsed: @Sendable () -> Duration
  private let columns: @Sendable () -> Int
  private let write: @Sendable (String) -> Void
  private let state = Mutex(State())

  /// `elapsed` is the time since the command began; `write` must pass on control sequences.
  init(
    isEnabled: Bool, elapsed: @escaping @Sendable () -> Duration,
    columns: @escaping @Sendable () -> Int = {
      TerminalSize.columns(of: StandardStream.errors.rawValue)
    },
    write: @escaping @Sendable (String) -> Void = { StandardStream.errors.write($0) }
  ) {
    self.isEnabled = isEnabled
    self.elapsed = elapsed
    self.columns = columns
    self.write = write
  }

  func begin(
    _ title: String, _ unit: String, total: Int?, prices: [FirestoreEdition: ReadPrice] = [:]
  ) {
    guard isEnabled else { return }
    end()
    let meter = ProgressMeter(
      title: title, unit: unit, total: total, prices: prices, startedAt: elapsed())
    state.withLock { $0.meter = meter }
    Self.shown.withLock { $0 = self }
  }

  func advance(
    by count: Int, reads: Int = 0, on edition: FirestoreEdition = .standard, total: Int? = nil
  ) {
    guard isEnabled else { return }
    state.withLock { state in
      state.meter?.advance(by: count, reads: reads, on: edition, total: total)
      // The last column stays empty: some terminals begin a new line there.
      guard let line = state.meter?.nextLine(at: elapsed(), columns: columns() - 1) else { return }
      state.isDrawn = true
      write("\r\(line)\u{1B}[K")
    }
  }

  /// Removes the line; prints nothing if there is none.
  func end() {
    guard isEnabled else { return }
    Self.shown.withLock { $0 = nil }
    state.withLock { state in
      state.meter = nil
      Self.clear(&state, write)
    }
  }

  /// Clears the line for other output; the next step draws it again.
  static func giveWay() {
    guard let line = shown.withLock(\.self) else { return }
    line.state.withLock { clear(&$0, line.write) }
  }

  private static func clear(_ state: inout State, _ write: (String) -> Void) {
    guard state.isDrawn else { return }
    state.isDrawn = false
    write("\r\u{1B}[K")
  }

  /// Returns an observer that shows the progress of work, and logs its notes.
  ///
  /// `prices` are those of reads; without them no cost is shown.
  func observer(
    _ log: LineLog, prices: [FirestoreEdition: ReadPrice] = [:]
  ) -> WorkObserver {
    WorkObserver { [self] event in
      switch event {
      case .began(let title, let unit, let total):
        begin(title, unit, total: total, prices: prices)
      case .advanced(let count, let reads, let edition, let total):
        advance(by: count, reads: reads, on: edition, total: total)
      case .ended: end()
      case .note(let text, let job): log.debug(text, job: job)
      }
    }
  }
}

/// The progress of long work: the sum of its steps, and the line that shows it.
///
/// It has no clock: times are relative to the start of the command. See
/// `docs/commands.md#progress`.
struct ProgressMeter {
  /// The shortest time between two lines, which allows at most five a second.
  static let interval = Duration.milliseconds(200)

  /// The time after which the rate and the remaining time are plausible.
  private static let warmUp = Duration.seconds(1)

  let title: String
  let unit: String
  /// Nil when unknown.
  private(set) var total: Int?
  /// The prices of reads; the cost is shown only for an edition that has one.
  let prices: [FirestoreEdition: ReadPrice]
  let startedAt: Duration
  private(set) var shownAt: Duration?
  private(set) var count = 0
  private(set) var reads = 0
  private(set) var edition = FirestoreEdition.standard

  /// Adds to the count.
  ///
  /// `reads`, in the unit of the edition, replaces the reads, which never decrease; a given total
  /// replaces the total.
  mutating func advance(
    by count: Int, reads: Int = 0, on edition: FirestoreEdition = .standard, total: Int? = nil
  ) {
    self.count += count
    self.reads = max(self.reads, reads)
    self.edition = edition
    if let total { self.total = total }
  }

  /// Returns the next line if it is due; it has at most `columns` columns.
  mutating func nextLine(at now: Duration, columns: Int) -> String? {
    if let shownAt, now - shownAt < Self.interval { return nil }
    shownAt = now
    return DisplayWidth.cut(text(at: now), to: columns)
  }

  /// Returns the line:
  /// `online-users: 1,200 of 5,000 documents (24%), 400/s, 3 s, 10 s left, 1,200 reads, $0.03`.
  func text(at now: Duration) -> String {
    let elapsed = now - startedAt
    var parts = ["\(VisibleText.line(title)): \(amount)"]
    let rate = Double(count) / max(elapsed / .seconds(1), .leastNonzeroMagnitude)
    if elapsed >= Self.warmUp, count > 0 { parts.append("\(Self.rate(rate))/s") }
    parts.append(Self.time(elapsed))
    if let left = left(rate: rate), elapsed >= Self.warmUp {
      parts.append("\(Self.time(.seconds(left.rounded(.up)))) left")
    }
    if reads > 0 {
      parts.append(NumberWords.counted(reads, edition.readNoun))
      if let price = prices[edition] { parts.append(NumberWords.money(price.cost(of: reads))) }
    }
    return parts.joined(separator: ", ")
  }

  private var amount: String {
    guard let total else { return "\(NumberWords.grouped(count)) \(unit)" }
    let percent = total > 0 ? " (\(min(100, count * 100 / total))%)" : ""
    return "\(NumberWords.grouped(count)) of \(NumberWords.grouped(total)) \(unit)\(percent)"
  }

  /// Returns the seconds to the end; nil when unknown.
  private func left(rate: Double) -> Double? {
    guard let total, count > 0, count < total, rate > 0 else { return nil }
    return Double(total - count) / rate
  }

  private static func rate(_ perSecond: Double) -> String {
    perSecond < 10
      ? NumberWords.decimal(perSecond, places: 1) : NumberWords.grouped(Int(perSecond.rounded()))
  }

  /// Returns a time such as `3 s`, `2:05`, `1:00:00`.
  private static func time(_ duration: Duration) -> String {
    let seconds = max(0, duration.components.seconds)
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    switch seconds {
    case ..<60: return "\(seconds) s"
    case ..<3_600: return "\(seconds / 60):\(two(seconds % 60))"
    default: return "\(seconds / 3_600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }
  }
}
