import Foundation
import Glibc
import Subprocess
import Synchronization

/// A command of the operator that prints a secret, such as a token or a password.
///
/// Limits its time and output, so that no command blocks a run or fills the memory.
package struct SecretCommand: Sendable {
  /// How the command gave no secret; none of them has what it printed, or the command itself.
  package enum Failure: Error, Hashable, Sendable {
    /// It ended with a status other than 0, or by the signal of that number.
    ///
    /// `said` is the last line of its standard error, without secrets; nil for none.
    case ended(status: Int32, said: String? = nil)
    case notStarted(reason: String)
    /// A clause such as `printed nothing`.
    case misbehaved(String)

    /// Whether the shell found no program to start: the command may be the secret itself.
    package var isNotFound: Bool {
      if case .ended(126...127, _) = self { true } else { false }
    }

    /// The end of a sentence about the command.
    package var clause: String {
      switch self {
      case .ended(let status, let said):
        "ended with status \(status)\(said.map { ": \($0)" } ?? "")"
      case .notStarted(let reason): "could not be started: \(reason)"
      case .misbehaved(let did): did
      }
    }
  }

  private let command: String
  private let folder: String
  private let environment: [String: String]
  private let limit: Duration
  private let longestOutput: Int

  /// `longestOutput` counts the bytes that it may print, line ends included.
  package init(
    _ command: String, in folder: String = ".", environment: [String: String], limit: Duration,
    longestOutput: Int
  ) {
    self.command = command
    self.folder = folder
    self.environment = environment
    self.limit = limit
    self.longestOutput = longestOutput
  }

  /// The single line that the command prints, without blanks around it.
  ///
  /// - Throws: `Failure`, or a cancellation.
  package func line() async throws -> String {
    let text = String(decoding: try await output(), as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: [" ", "\t"]) }.filter { !$0.isEmpty }
    guard let line = lines.first else { throw Failure.misbehaved("printed nothing") }
    guard lines.count == 1 else { throw Failure.misbehaved("printed \(lines.count) lines") }
    return line
  }

  /// Runs the command; keeps its output secret, and of its standard error only the end.
  ///
  /// Cancelling the task, or reaching the limit of time or output, ends the command and its process
  /// group.
  ///
  /// - Throws: `Failure`, or a cancellation.
  package func output() async throws -> [UInt8] {
    let printed = Mutex<[UInt8]>([])
    let said = Mutex(ErrorTail())
    let ending = try await ending(
      printed: { bytes in
        try printed.withLock { printed in
          printed += bytes
          guard printed.count <= longestOutput else {
            throw Failure.misbehaved("printed more than \(Self.grouped(longestOutput)) bytes")
          }
        }
      }, said: { bytes in said.withLock { $0.add(bytes) } })
    let bytes = printed.withLock(\.self)
    switch ending {
    case .exited(status: 0): return bytes
    case .exited(let status), .killed(signal: let status):
      throw Failure.ended(status: status, said: said.withLock { $0.lastLine(hiding: bytes) })
    case .timedOut:
      throw Failure.misbehaved("did not end within \(limit.components.seconds) seconds")
    }
  }

  /// `65,536`.
  private static func grouped(_ count: Int) -> String {
    let digits = String(count)
    return digits.enumerated().map { place, digit in
      place > 0 && (digits.count - place).isMultiple(of: 3) ? ",\(digit)" : "\(digit)"
    }.joined()
  }

  /// Runs the command, and hands on what it writes to its two streams.
  private func ending(
    printed: @escaping @Sendable ([UInt8]) throws -> Void,
    said: @escaping @Sendable ([UInt8]) -> Void
  ) async throws -> ShellProcess.Ending {
    let process = ShellProcess(command, in: folder, environment: environment, leavesGroup: false)
    do {
      return try await process.run(
        timeout: limit, errors: .sequence, sleep: { try await Task.sleep(for: $0) }
      ) { execution in
        try await withThrowingTaskGroup(of: Void.self) { streams in
          streams.addTask {
            do {
              for try await bytes in execution.standardOutput {
                try printed(bytes.withUnsafeBytes { Array($0) })
              }
            } catch {
              // The other stream, which is waited for, ends with the command alone.
              await ProcessGroup.end(execution.processIdentifier.value)
              throw error
            }
          }
          streams.addTask {
            for try await bytes in execution.standardError {
              said(bytes.withUnsafeBytes { Array($0) })
            }
          }
          try await streams.waitForAll()
        }
      }
    } catch let failure as ProcessFailure {
      throw Failure.notStarted(reason: SystemError.text(failure.code))
    }
  }
}

/// How messages name a command of the shell, which may hold a secret.
package enum CommandText {
  /// The program that a command starts; nil where it sets a variable first, or where its first word
  /// is no program's name or path, such as an address.
  package static func program(of command: String) -> String? {
    let word = command.split(whereSeparator: \.isWhitespace).first
    return word.flatMap { word in
      word.wholeMatch(of: /[A-Za-z0-9_.\/+-]+/) == nil || word.contains("//") ? nil : String(word)
    }
  }

  /// Whether it is a lone word that names no program, and so may be the secret itself.
  ///
  /// `path` are the folders that the shell looks into; the usual ones unless it is given.
  package static func mayBeSecret(_ command: String, in folder: String, path: String?) -> Bool {
    let words = command.split(whereSeparator: \.isWhitespace)
    guard words.count == 1, let program = program(of: command) else { return words.count == 1 }
    if program.hasPrefix("/") { return access(program, X_OK) != 0 }
    let folders =
      program.contains("/") ? [folder[...]] : (path ?? "/usr/bin:/bin").split(separator: ":")
    return !folders.contains { access("\($0)/\(program)", X_OK) == 0 }
  }

  /// The program, and `***` in place of what follows; `***` alone where that names none.
  package static func shown(_ command: String) -> String {
    guard let program = program(of: command) else { return "***" }
    return program == command ? command : "\(program) ***"
  }
}
