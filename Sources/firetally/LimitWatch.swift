import App
import Foundation
import Jobs
import Model
import Reports

/// A popup that counts down in place on a terminal, until the user may proceed.
struct LimitWatch {
  /// The interval between two drawings: the bar moves several times a second, without much output.
  static let interval: Duration = .milliseconds(250)

  let output: Output
  /// Returns the popup's current state.
  let check: () throws -> LimitCheck

  /// Whether the output is a terminal that supports drawing.
  static func isPossible(on output: Output) -> Bool {
    output.canDraw && !output.isJSON && !output.isQuiet
  }

  /// Draws the popup repeatedly until the user may proceed; the last state stays on the screen.
  ///
  /// A popup that blocks without a countdown, such as after a limit was lowered, ends with status
  /// 75. An interruption leaves the popup as it was and ends the program without another message.
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
      // When the cooldown expires, the ledger gets the end with its own time.
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

  /// Draws the popup over the previous lines, and returns the new lines.
  private func draw(_ check: LimitCheck, over drawn: [String]) -> [String] {
    let columns = TerminalSize.columns(of: STDOUT_FILENO)
    let lines = PopupText.lines(check, width: columns)
    // A terminal that became narrower has wrapped the lines that it shows.
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
