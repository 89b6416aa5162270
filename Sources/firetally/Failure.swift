import ArgumentParser
import Feeds
import Firestore
import Foundation
import HTTP
import Jobs
import Reports
import Store
import Sync

/// An error on its way out of the program: a sentence on standard error and an exit status.
struct Failure {
  let error: any Error
  /// As asked for on the command line; read raw, since the error may be about the command line.
  private let isJSON: Bool

  init(_ error: any Error, arguments: [String] = CommandLine.arguments) {
    self.error = ExitStatus(of: error) == .interrupted ? JobsError.interrupted : error
    isJSON = arguments.contains("--json")
  }

  func exit() -> Never {
    if let silent = error as? StatusOnly { Foundation.exit(silent.status.rawValue) }
    // Help that was asked for is no error, whatever its format.
    if isOfArgumentParser, !isJSON || status == 0 { Firetally.exit(withError: error) }
    let text = isJSON ? json : "firetally: \(VisibleText.of(message))"
    FileHandle.standardError.write(Data((text + "\n").utf8))
    Foundation.exit(status)
  }

  var status: Int32 {
    isOfArgumentParser
      ? Firetally.exitCode(for: error).rawValue : ExitStatus(of: error).rawValue
  }

  private var isOfArgumentParser: Bool {
    error is ExitCode || error is CleanExit || error is ValidationError
      || String(reflecting: type(of: error)).hasPrefix("ArgumentParser.")
  }

  private var message: String {
    isOfArgumentParser ? Firetally.message(for: error) : String(describing: error)
  }

  private var json: String { Complaint(error, code: status, message: message).line }
}

/// Ends the program with a status whose reason was printed already.
struct StatusOnly: Error {
  let status: ExitStatus
}

extension ExitStatus {
  /// What an error of any room means to whoever called the program.
  init(of error: any Error) {
    self =
      switch error {
      case is CancellationError, HTTPError.cancelled: .interrupted
      case let error as JobsError: ExitStatus(error.category)
      case let error as StoreError: ExitStatus(error)
      case let error as FirestoreError: ExitStatus(error)
      case is PullPlan.Failure, is HTTPError: .remoteUnavailable
      case is TablePlan.Conflict: .badData
      case let error as FeedError: ExitStatus(error)
      case let error as CommandError: error.status
      default: .failed
      }
  }

  private init(_ category: JobsError.Category) {
    self =
      switch category {
      case .usage: .usage
      case .badData: .badData
      case .tryLater: .tryLater
      case .configuration: .configuration
      case .failed: .failed
      case .interrupted: .interrupted
      }
  }

  private init(_ error: FeedError) {
    self =
      switch error {
      case .cannotOpen, .cannotRead, .truncated: .badData
      case .cannotWrite: .failed
      case .refused, .busy, .malformed, .noCity: .remoteUnavailable
      }
  }

  private init(_ error: StoreError) {
    self =
      switch error {
      case .noSuchOutboxItem: .usage
      case .missing, .foreignDatabase, .newerSchema, .olderSchema: .configuration
      case .busy: .tryLater
      default: error.isCorrupt ? .badData : .failed
      }
  }

  private init(_ error: FirestoreError) {
    self =
      switch error.reason {
      case .dailyQuota, .rate: .tryLater
      case .missingIndex, .buildingIndex, .databaseMissing: .configuration
      case .unauthenticated, .permissionDenied, .serviceDisabled: .notAuthorised
      case .transient: .remoteUnavailable
      case .some: .failed
      case nil: Self(withoutAnswer: error)
      }
  }

  private init(withoutAnswer error: FirestoreError) {
    if error.isUnauthorized {
      self = .notAuthorised
      return
    }
    switch error {
    case .invalidRequest, .transport(_, .noLibrary): self = .configuration
    default: self = .remoteUnavailable
    }
  }
}
