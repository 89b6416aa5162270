package import Firestore
import Glibc
import Model
import Reports
import Store
import Sync
import Workspace

/// The managed export that a job loads instead of reading Firestore; see
/// `docs/managed-exports.md#loading`.
struct ExportSource: Sendable {
  private let job: String
  /// The key `from` of the job file: a glob pattern of folders, relative to the workspace.
  private let pattern: String?
  private let context: JobContext

  init(job: String, pattern: String?, _ context: JobContext) {
    self.job = job
    self.pattern = pattern
    self.context = context
  }

  /// Whether the command or the job file names exports.
  var isNamed: Bool { context.options.exportPath != nil || pattern != nil }

  /// The name of the mark with the identity of the last loaded export.
  private var mark: MarkName { "export loaded by \(job)" }

  /// Describes what a run would load, for a plan; nil without an export.
  func intention() throws -> String? {
    guard isNamed else { return nil }
    guard let export = try next() else { return "The newest export is loaded." }
    return "Would load \(export.path), which holds "
      + "\(NumberWords.counted(export.documentCount, "document")), without a read."
  }

  /// Loads the export, unless it was also the last one loaded.
  ///
  /// - Throws: `WorkspaceError` for an incomplete export, or one of another project.
  func load(_ work: (ManagedExport) async throws -> JobResult) async throws -> JobResult {
    do {
      guard let export = try next() else {
        return JobResult(.fresh, "The newest export is loaded.")
      }
      if let root = export.root {
        try WorkspaceOrigin(project: root.project)
          .claim(context.store, at: context.workspace.databasePath)
      }
      var result = try await work(export)
      try context.store.write { try $0.setMark(export.identity, named: mark) }
      result.summary += " From the export of \(Instant(export.end).iso8601), without a read."
      return result
    } catch let error as ExportError {
      throw WorkspaceError.refused(.badData, "\(error) Nothing was stored.")
    }
  }

  /// Returns the export to load; nil when it was loaded before.
  ///
  /// An export that the command names is loaded again.
  private func next() throws -> ManagedExport? {
    if let path = context.options.exportPath { return try ManagedExport(at: path) }
    guard let pattern else { return nil }
    let folders = GlobPattern.paths(matching: pattern, in: context.workspace)
    guard !folders.isEmpty else {
      throw WorkspaceError.refused(.failed, "No folder matches 'from: \(pattern)'.")
    }
    let newest = try folders.map { try ManagedExport(at: $0) }.max { $0.end < $1.end }
    guard let newest, !context.options.isForced else { return newest }
    let loaded = try context.store.read { try $0.mark(named: mark) }
    return newest.identity == loaded ? nil : newest
  }
}

extension ManagedExport {
  /// Returns the export at a path that a command names.
  ///
  /// - Throws: `WorkspaceError` for a folder without an export, or with an incomplete one.
  package static func named(_ path: String) throws -> ManagedExport {
    do {
      return try ManagedExport(at: path)
    } catch let error as ExportError {
      throw WorkspaceError.refused(.badData, error.description)
    }
  }
}
