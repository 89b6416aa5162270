import Jobs
import Model
import Synchronization

/// The one line of a terminal that shows how far long work has come.
///
/// It is drawn on standard error, rewritten in place, and gone when the work ends or anything else
/// is printed. Without a terminal nothing is drawn.
final class ProgressLine: Sendable {
  private struct State {
    var meter: ProgressMeter?
    var isDrawn = false
  }

  /// The line that is on the terminal now.
  private static let shown = Mutex<ProgressLine?>(nil)

  private let isEnabled: Bool
  private let elapsed: @Sendable () -> Duration
  private let columns: @Sendable () -> Int
  private let write: @Sendable (String) -> Void
  private let state = Mutex(State())

  /// - Parameters:
  ///   - isEnabled: whether anybody is to see it.
  ///   - elapsed: time since the command began.
  ///   - columns: how wide the terminal is now.
  ///   - write: prints to the terminal as it is.
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

  func begin(_ title: String, _ unit: String, total: Int?, price: ReadPrice? = nil) {
    guard isEnabled else { return }
    end()
    let meter = ProgressMeter(title, unit, total: total, price: price, at: elapsed())
    state.withLock { $0.meter = meter }
    Self.shown.withLock { $0 = self }
  }

  func advance(by count: Int, reads: Int = 0, total: Int? = nil) {
    guard isEnabled else { return }
    state.withLock { state in
      state.meter?.advance(by: count, reads: reads, total: total)
      // The last column stays free: some terminals begin a new line there.
      guard let line = state.meter?.nextLine(at: elapsed(), columns: columns() - 1) else { return }
      state.isDrawn = true
      write("\r\(line)\u{1B}[K")
    }
  }

  /// Takes the line away; without one nothing is printed.
  func end() {
    guard isEnabled else { return }
    Self.shown.withLock { $0 = nil }
    state.withLock { state in
      state.meter = nil
      Self.clear(&state, write)
    }
  }

  /// Makes room for another line; the next step draws this one again.
  static func giveWay() {
    guard let line = shown.withLock(\.self) else { return }
    line.state.withLock { clear(&$0, line.write) }
  }

  private static func clear(_ state: inout State, _ write: (String) -> Void) {
    guard state.isDrawn else { return }
    state.isDrawn = false
    write("\r\u{1B}[K")
  }
}

extension ProgressLine {
  /// Shows what work tells, and logs its notes.
  func observer(_ log: LineLog, price: ReadPrice?) -> WorkObserver {
    WorkObserver { [self] event in
      switch event {
      case .began(let title, let unit, let total):
        begin(title, unit, total: total, price: price)
      case .advanced(let count, let reads, let total):
        advance(by: count, reads: reads, total: total)
      case .ended: end()
      case .note(let text, let job): log.note(text, job: job)
      }
    }
  }
}
