import Firestore
import Fixtures
import Foundation
import HTTP
import JobsTesting
import Model
import Store
import Sync
import SyncTesting
import Synchronization
import Testing

@testable import Jobs
@testable import Operations
@testable import Workspace

/// A workspace that the doctor looks at, on a machine that the test describes.
final class DoctorStage {
  let workspace: TestWorkspace
  let clock: ManualClock
  /// What shell commands print; nil for those that fail.
  var outputs: [String: String] = [:]
  /// Files beside the workspace's own, by path.
  var files: [String: String] = [:]
  var disk = DoctorMachine.Disk(freeBytes: 1 << 40)
  var head: @Sendable (String) async throws -> Int = { _ in 404 }
  var systemTimeZone = TimeZone.gmt
  var knowsTimeZones = true
  var isOffline = false
  var hasOtherClock = false
  /// Nil for the workspace's own.
  var database: Result<Store?, any Error>?
  var olderSchema: Int?
  var services: Services?

  init(
    jobs: [String: String] = [:], now: Instant = .morning,
    configuration: String = "app: {name: Chat, bundle_id: com.example.app}\n"
  ) throws {
    workspace = try TestWorkspace(jobs: jobs, configuration: configuration)
    clock = ManualClock(start: now)
  }

  var machine: DoctorMachine {
    let (outputs, files, disk, head, knowsTimeZones) = (outputs, files, disk, head, knowsTimeZones)
    return DoctorMachine(
      disk: { _ in disk }, output: { outputs[$0] }, text: { files[$0] },
      names: { folder in
        files.keys.filter { $0.hasPrefix(folder + "/") }.map {
          String($0.dropFirst(folder.count + 1))
        }
        .filter { !$0.contains("/") }.sorted()
      }, head: head, timeZone: { knowsTimeZones ? TimeZone(identifier: $0) : nil },
      systemTimeZone: systemTimeZone, home: "/home/op")
  }

  func context() throws -> DoctorContext {
    let found = DoctorWorkspace(
      workspace.folder, database: database ?? .success(workspace.store), olderSchema: olderSchema)
    var jobs: JobContext?
    if case .success = found.config { jobs = try workspace.context(at: clock, services: services) }
    return DoctorContext(
      found, jobs: jobs, on: machine, clock: clock.jobClock, isOffline: isOffline,
      hasOtherClock: hasOtherClock)
  }

  /// What one check finds, as `verdict: message advice`.
  func lines(of check: any DoctorCheck.Type) async throws -> [String] {
    try await findings(of: check).map(Self.line)
  }

  func findings(of check: any DoctorCheck.Type) async throws -> [DoctorFinding] {
    try await Doctor.examine(try context(), [check])
  }

  static func line(_ finding: DoctorFinding) -> String {
    "\(finding.verdict.rawValue): "
      + [finding.message, finding.advice].compactMap(\.self).joined(separator: " ")
  }

  /// Records a run of a job that began at an instant.
  func ran(_ job: String, at start: Instant) throws {
    var run = Run(job: job, kind: "settle", trigger: .scheduled, startedAt: start)
    run.id = try workspace.store.write { try $0.begin(run) }
    run.outcome = .ok
    run.endedAt = start
    try workspace.store.write { [run] in try $0.finish(run) }
  }
}

/// A Firestore that answers each limited query as a test says.
final class ProbedFirestore: FirestorePort {
  private let memory = MemoryFirestore()
  private let asked = Mutex<[(query: StructuredQuery, parent: ResourceName?)]>([])
  private let answer: @Sendable (StructuredQuery) throws -> [Document]
  private let facts: DatabaseFacts?

  init(
    facts: DatabaseFacts? = nil,
    _ answer: @escaping @Sendable (StructuredQuery) throws -> [Document] = { _ in [] }
  ) {
    self.facts = facts
    self.answer = answer
  }

  var edition: FirestoreEdition { facts?.edition ?? .standard }

  func databaseFacts() async throws -> DatabaseFacts? { facts }

  var queries: [StructuredQuery] { asked.withLock { $0.map(\.query) } }
  var parents: [ResourceName?] { asked.withLock { $0.map(\.parent) } }
  var calls: [MemoryFirestore.Call] { memory.calls }

  func documents(of query: StructuredQuery, under parent: ResourceName?) throws -> [Document] {
    asked.withLock { $0.append((query, parent)) }
    return try answer(query)
  }

  func document(at path: String, readTime: Timestamp?) async throws -> Document? {
    try await memory.document(at: path, readTime: readTime)
  }

  func page(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?,
    scan: (inout [UInt8]) throws -> ScannedPage
  ) async throws {
    try await memory.page(of: query, under: parent, readTime: readTime, scan: scan)
  }

  func count(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?
  ) async throws -> Int {
    try await memory.count(of: query, under: parent, readTime: readTime)
  }

  func documents(at paths: [String]) async throws -> [String: Document] {
    try await memory.documents(at: paths)
  }

  func create(documentId: String, in collection: String, fields: [String: Value]) async throws {
    try await memory.create(documentId: documentId, in: collection, fields: fields)
  }

  func create(
    _ documents: [String: [String: Value]]
  ) async throws -> [String: FirestoreError] {
    try await memory.create(documents)
  }
}
