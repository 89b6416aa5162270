import App
import Foundation
import Jobs
import Model
import Reports

/// A popup that counts down in place on a terminal until the user may proceed.
struct LimitWatch {
  /// Between two pictures: the bar moves several times a second, the terminal is hardly busy.
  static let interval: Duration = .milliseconds(250)

  let output: Output
  /// The popup at the moment of the call.
  let check: () throws -> LimitCheck

  /// Whether somebody looks at a terminal that can be drawn on.
  static func isPossible(on output: Output) -> Bool {
    output.canDraw && !output.isJSON && !output.isQuiet
  }

  /// Draws what the check decided, and goes on until the user may proceed: that stays on the
  /// screen.
  ///
  /// A popup that blocks without counting down, as after a limit was lowered, ends with status 75.
  /// An interruption leaves the popup as it stood and ends the program without another word.
  func run(from first: LimitCheck) async -> (
    reason: DismissReason, result: Result<Void, any Error>
  ) {
    do {
      try await countDown(from: first)
      return (.expired, .success(()))
    } catch {
      return (.dismissed, .failure(error))
    }
  }

  private func countDown(from first: LimitCheck) async throws {
    output.write(Self.hideCursor.utf8)
    defer { output.write(Self.showCursor.utf8) }
    var drawn: [String] = []
    var current = first
    while true {
      drawn = draw(current, over: drawn)
      // The ledger gets the end at its own time, when the cooldown expires.
      if current.result.canProceed { return try await pause(current.result.toleratedCooldown) }
      guard current.result.remainingCooldown > .zero else { throw StatusOnly(status: .tryLater) }
      try await pause(Self.interval)
      current = try check()
    }
  }

  private func pause(_ duration: Duration) async throws {
    do {
      try await Task.sleep(for: duration)
    } catch {
      throw StatusOnly(status: .interrupted)
    }
  }

  /// Draws the popup in the place of the lines before, and returns its own.
  private func draw(_ check: LimitCheck, over drawn: [String]) -> [String] {
    let columns = TerminalSize.columns(of: STDOUT_FILENO)
    let lines = PopupText.lines(check, width: columns)
    // A terminal that became narrower has broken the lines that it shows.
    let rows = drawn.reduce(0) { $0 + max(1, (DisplayWidth.of($1) + columns - 1) / columns) }
    let up = rows > 0 ? "\u{1B}[\(rows)A\r" : ""
    let text = lines.map { coloured($0) + Self.clearToLineEnd + "\n" }.joined()
    output.write((up + text + Self.clearBelow).utf8)
    return lines
  }

  private func coloured(_ line: String) -> String {
    line.hasPrefix("█") ? output.coloured(line, .blue) : line
  }

  // ECMA-48's control sequences; DEC's private mode 25 is the cursor.
  private static let hideCursor = "\u{1B}[?25l"
  private static let showCursor = "\u{1B}[?25h"
  private static let clearToLineEnd = "\u{1B}[K"
  private static let clearBelow = "\u{1B}[J"
}
