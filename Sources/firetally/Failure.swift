import ArgumentParser
import Feeds
import Firestore
import Foundation
import HTTP
import Jobs
import Model
import Reports
import Store
import Sync
import Workspace

/// An error that ends the program, with a sentence on standard error and an exit status.
struct Failure {
  let error: any Error
  let status: Int32
  /// Whether the argument parser reports it, as help or as an error in the arguments.
  private let isOfArgumentParser: Bool
  /// From the raw arguments, because the error may be in the command line.
  private let isJSON: Bool
  private let isQuiet: Bool

  init(_ error: any Error, arguments: [String] = ProgramProcess.current.arguments) {
    let status = ExitStatus(of: error)
    self.error =
      status == .interrupted && !(error is StatusOnly) ? WorkspaceError.interrupted : error
    self.status = status.rawValue
    isOfArgumentParser = Firetally.exitCode(for: error) != .failure
    isJSON = LineLog.isJSONWanted(in: arguments)
    isQuiet = arguments.contains { $0 == "--quiet" || $0.wholeMatch(of: /-[qv]*q[qv]*/) != nil }
  }

  func exit() -> Never { Foundation.exit(report()) }

  /// Prints the error, and returns the exit status.
  func report() -> Int32 {
    if let silent = error as? StatusOnly {
      // The reason is already on standard error, but a failure of standard output is not.
      if let loss = StandardStream.output.loss {
        return Failure(CommandError.outputLost(loss)).report()
      }
      return silent.status.rawValue
    }
    // Requested help is not an error, in any format.
    guard !isOfArgumentParser || status != 0 else { return showHelp() }
    if !isForgone { LineLog.print(text, json: LogLine(error, code: status, message: message)) }
    return status
  }

  private func showHelp() -> Int32 {
    let help = HelpText.arranged(Firetally.fullMessage(for: error))
    if !help.isEmpty { StandardStream.output.write(help + "\n") }
    do {
      try Output.checkWritten()
    } catch {
      return Failure(error).report()
    }
    return 0
  }

  /// Whether a person ended the output with `| head`, and so needs no message.
  private var isForgone: Bool {
    guard let loss = (error as? CommandError)?.loss else { return false }
    return loss.isBrokenPipe && !isJSON && StandardStream.errors.isTerminal
  }

  private var message: String {
    isOfArgumentParser ? Firetally.message(for: error) : String(describing: error)
  }

  /// The sentence instead of a popup, with `--quiet`; nil for other errors.
  private var quietText: String? {
    isQuiet ? (error as? CommandError)?.quietDescription : nil
  }

  /// The text for people; the parser adds the usage of the command.
  private var text: String {
    isOfArgumentParser
      ? HelpText.withShortUsage(Firetally.fullMessage(for: error))
      : "firetally: \(VisibleText.of(quietText ?? message))"
  }
}

extension ExitStatus {
  /// The exit status of an error of any module.
  init(of error: any Error) {
    self =
      switch error {
      case is CancellationError, HTTPError.cancelled: .interrupted
      case is PageError, is HTTPError: .remoteUnavailable
      case is BadSavedFilter, is ChangedColumn: .badData
      case is QueryProblem: .usage
      case let error as CommandError: error.status
      case let error as StatusOnly: error.status
      case let error as WorkspaceError: Self.status(of: error.category)
      case let error as FirestoreError: Self.status(of: error)
      case let error as StoreError: Self.status(of: error)
      case let error as FeedError: Self.status(of: error)
      case let error as MomentRefusal: Self.status(of: error.reason)
      // Help is 0, a wrong command line 64, and errors unknown to the parser are 1.
      default: ExitStatus(rawValue: Firetally.exitCode(for: error).rawValue) ?? .failed
      }
  }

  private static func status(of category: WorkspaceError.Category) -> ExitStatus {
    switch category {
    case .usage: .usage
    case .badData: .badData
    case .tryLater: .tryLater
    case .configuration: .configuration
    case .failed: .failed
    case .interrupted: .interrupted
    case .inputGone: .snapshotGone
    }
  }

  private static func status(of error: FirestoreError) -> ExitStatus {
    switch error.reason {
    case .dailyQuota, .rate, .readTimeTooOld: .tryLater
    case .missingIndex, .buildingIndex, .databaseMissing, .datastoreMode, .authenticationMissing:
      .configuration
    case .unauthenticated, .permissionDenied, .serviceDisabled, .quotaProjectMissing,
      .billingDisabled, .consumerInvalid, .scopeMissing:
      .notAuthorised
    case .transient: .remoteUnavailable
    case .some: .failed
    case nil where error.isUnauthorized: .notAuthorised
    case nil: if case .invalidRequest = error { .configuration } else { .remoteUnavailable }
    }
  }

  private static func status(of error: StoreError) -> ExitStatus {
    switch error {
    case .noSuchOutboxItem: .usage
    case .missing, .foreignDatabase, .newerSchema, .olderSchema, .unreleasedSchema: .configuration
    case .busy: .tryLater
    default: error.isCorrupt ? .badData : .failed
    }
  }

  private static func status(of error: FeedError) -> ExitStatus {
    switch error {
    case .cannotOpen, .cannotRead, .truncated: .badData
    case .cannotWrite: .failed
    case .refused, .busy, .malformed, .noCity: .remoteUnavailable
    }
  }

  private static func status(of reason: MomentRefusal.Reason) -> ExitStatus {
    switch reason {
    case .unauthenticated: .notAuthorised
    case .rate, .limit: .tryLater
    case .serverTrouble: .remoteUnavailable
    case .conflict, .invalid, .foreign: .failed
    }
  }
}
