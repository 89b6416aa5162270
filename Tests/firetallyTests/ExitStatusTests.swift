import App
import Feeds
import Foundation
import HTTP
import Model
import Store
import Sync
import Testing
import Workspace

@testable import Firestore
@testable import Jobs
@testable import firetally

/// Swift Testing has an `ExitStatus` of its own.
typealias ProgramStatus = firetally.ExitStatus

@Suite struct ExitStatusTests {
  private static func refused(_ status: RPCStatus, _ message: String = "") -> FirestoreError {
    .refused(
      Refusal(
        ErrorEnvelope(status: status, message: message), httpStatus: status.httpStatus,
        request: "query Users"))
  }

  @Test(
    arguments: [
      (refused(.unavailable), .remoteUnavailable),
      (refused(.deadlineExceeded), .remoteUnavailable),
      (refused(.unauthenticated), .notAuthorised),
      (refused(.permissionDenied), .notAuthorised),
      (refused(.internal), .remoteUnavailable), (refused(.unknown), .remoteUnavailable),
      (refused(.aborted), .remoteUnavailable),
      (refused(.resourceExhausted, "Quota exceeded."), .tryLater),
      (refused(.resourceExhausted, "Bandwidth exhausted"), .tryLater),
      (refused(.failedPrecondition, "That index is currently building."), .configuration),
      (refused(.failedPrecondition, "the stored version does not match"), .failed),
      (refused(.notFound, "The database x does not exist"), .configuration),
      (refused(.notFound, "Document not found"), .failed), (refused(.alreadyExists), .failed),
      (refused(.outOfRange), .failed), (refused(.unimplemented), .failed),
      (refused(.cancelled), .failed), (refused(.dataLoss), .failed),
      (refused(.failedPrecondition, "The query requires an index."), .configuration),
      (refused(.invalidArgument), .failed),
      (
        .malformedAnswer(request: "query Users", httpStatus: 200, problem: "HTML"),
        .remoteUnavailable
      ),
      (.transport(request: "query Users", .refused(host: "h")), .remoteUnavailable),
      (.credentials(.noneFound), .notAuthorised),
    ] as [(FirestoreError, ProgramStatus)])
  func `an answer of Firestore's becomes a status by what it means`(
    error: FirestoreError, status: ProgramStatus
  ) {
    #expect(ProgramStatus(of: error) == status)
  }

  @Test(
    arguments: [
      (.corrupt(path: "p", reason: "r"), .badData), (.notADatabase(path: "p"), .badData),
      (.busy(path: "p"), .tryLater), (.readOnly(path: "p"), .failed),
      (.diskFull(path: "p"), .failed), (.missing(path: "p"), .configuration),
      (.newerSchema(path: "p", version: 9, supported: 7), .configuration),
      (.unreleasedSchema(path: "p", version: 26), .configuration),
    ] as [(StoreError, ProgramStatus)])
  func `trouble with the database becomes a status by who can mend it`(
    error: StoreError, status: ProgramStatus
  ) {
    #expect(ProgramStatus(of: error) == status)
  }

  @Test
  func `the rest: cancelled 130, blocked 75, bad file 65, feed that answers garbage 69, else 1`() {
    let limit = LimitSnapshot(profile: Profile(), settings: Settings([]), appName: "", price: nil)
      .peek(.refresh, now: Instant(unixSeconds: 0))
    #expect(ProgramStatus(of: CancellationError()) == .interrupted)
    #expect(ProgramStatus(of: HTTPError.cancelled(host: "h")) == .interrupted)
    #expect(ProgramStatus(of: CommandError.blocked(limit)) == .tryLater)
    #expect(ProgramStatus(of: WorkspaceError.lockHeld(by: nil, waited: .zero)) == .tryLater)
    #expect(ProgramStatus(of: FeedError.truncated(path: "p")) == .badData)
    #expect(ProgramStatus(of: FeedError.noCity(feed: "f", address: "")) == .remoteUnavailable)
    #expect(ProgramStatus(of: FeedError.malformed(feed: "f", reason: "r")) == .remoteUnavailable)
    #expect(ProgramStatus(of: CommandError(.usage, "f")) == .usage)
    #expect(ProgramStatus(of: WorkspaceError.noUsersJob) == .configuration)
    #expect(ProgramStatus(of: PageError.pageDidNotAdvance(name: "n")) == .remoteUnavailable)
    #expect(ProgramStatus(of: POSIXError(.EIO)) == .failed)
  }

  @Test func `the manual lists every status, and no other`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "docs/commands.md"), encoding: .utf8)
    let section = try #require(text.components(separatedBy: "## Exit codes").last)
    let listed = section.split(separator: "\n").compactMap { line in
      line.hasPrefix("|") ? Int32(line.split(separator: "|")[0].filter(\.isNumber)) : nil
    }
    #expect(listed.sorted() == ProgramStatus.allCases.map(\.rawValue).sorted())
  }
}
