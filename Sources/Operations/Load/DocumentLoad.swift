package import Firestore
package import Jobs
package import Model
import Reports
import Store
import Sync
import Workspace

/// A load of a source's documents into a Firestore database; see `docs/load.md`.
package struct DocumentLoad {
  /// The largest number of writes in one request, and the approximate limit of its JSON in bytes;
  /// Firestore's limits are 500 and 10 MiB.
  static let mostWrites = 500
  static let mostBytes = 8 << 20

  /// The numbers of documents by outcome.
  package struct Counts: Codable, Hashable, Sendable {
    package var written = 0
    /// Existing documents with the same fields.
    package var same = 0
    /// Existing documents with other fields, which stay.
    package var refused = 0
    /// The first paths of refused documents.
    package var refusedPaths: [String] = []

    package var total: Int { written + same + refused }
  }

  /// The progress of a load, stored in the table `marks`.
  package struct Progress: Codable, Sendable {
    fileprivate var position = ""
    /// The path of the last document before the position, by which the target is known again.
    fileprivate var lastPath: String?
    package fileprivate(set) var counts = Counts()
  }

  /// What an interrupted load left.
  package enum Interruption: Sendable {
    case none
    /// The target lacks the last document, as an emulator does that was started again.
    case lost
    case after(Progress)
  }

  package let source: LoadSource
  package let root: ResourceName
  package let target: any DocumentTarget
  /// Whether to replace existing documents.
  package var overwrites = false
  /// Whether to limit requests to the rates that Firestore recommends.
  package var isPaced = true
  /// The treatment of personal values; nil writes documents unchanged.
  package var masks: DocumentMasker?
  let store: Store
  let clock: WorkspaceClock

  package init(
    _ source: LoadSource, to root: ResourceName, by target: any DocumentTarget,
    _ context: JobContext
  ) {
    (self.source, self.root, self.target) = (source, root, target)
    (store, clock) = (context.store, context.clock)
  }

  /// Returns the minimum of billed writes: documents, or write units without those of index entries
  /// in an Enterprise database; `docs/costs.md#prices`.
  ///
  /// Units are counted by reading the source once.
  package func billedWrites(in rules: EditionRules) throws -> Int {
    guard let unitBytes = rules.writeUnitBytes else { return source.count }
    let reader = try source.reader(after: "")
    var units = 0
    while true {
      let documents = try reader.next()
      guard !documents.isEmpty else { return units }
      for document in documents {
        units += (DocumentSize.bytes(of: document) + unitBytes - 1) / unitBytes
      }
    }
  }

  private var mark: MarkName {
    let changes = (masks == nil ? "" : ", masked") + (overwrites ? ", overwriting" : "")
    return "load of \(source.identity) to \(root.databaseName)\(changes)"
  }

  /// Returns what an interrupted load left; reads its last document in the target.
  package func interruption() async throws -> Interruption {
    guard let stored = try store.read({ try $0.mark(Progress.self, named: mark) }) else {
      return .none
    }
    let paths = [stored.lastPath].compactMap(\.self)
    return try await target.documents(at: paths).isEmpty ? .lost : .after(stored)
  }

  /// Writes all documents, or the rest of an interrupted load after its progress.
  ///
  /// The progress is stored after each batch. A batch without stored progress is written again,
  /// which changes nothing. `each` is called after every batch.
  ///
  /// - Throws: what the source and the target throw; calling it again continues the load.
  package func run(
    after interruption: Interruption, each: (Counts) -> Void = { _ in }
  ) async throws -> Counts {
    var progress = Progress()
    if case .after(let stored) = interruption { progress = stored }
    let reader = try source.reader(after: progress.position)
    var ramp = WriteRamp()
    while true {
      try Task.checkCancellation()
      let documents = try reader.next()
      guard !documents.isEmpty else { break }
      let moved = try documents.map(moved)
      for batch in batches(of: moved) {
        if isPaced {
          try await clock.sleep(ramp.pause(before: batch.count, at: clock.elapsed()))
        }
        try await write(batch, &progress.counts)
      }
      progress.position = reader.position
      progress.lastPath = moved.last.map { root.relativePath(of: $0.name) }
      try store.write { [progress] in try $0.setMark(encoding: progress, named: mark) }
      each(progress.counts)
    }
    try store.write { try $0.setMark(nil, named: mark) }
    return progress.counts
  }

  /// Of documents whose names differ only in how Unicode composes a letter, which Swift takes for
  /// equal, no two are in one batch.
  private func batches(of documents: [Document]) -> [[Document]] {
    var batches: [[Document]] = []
    var byteCount = 0
    var names: Set<String> = []
    for document in documents {
      let size = document.json.serialized().count + 200
      if let last = batches.last, last.count < Self.mostWrites,
        byteCount + size <= Self.mostBytes, !names.contains(document.name)
      {
        batches[batches.count - 1].append(document)
        byteCount += size
      } else {
        batches.append([document])
        byteCount = size
        names = []
      }
      names.insert(document.name)
    }
    return batches
  }

  private func write(_ documents: [Document], _ counts: inout Counts) async throws {
    let writes = documents.map { document in
      Write(.update(document, mask: nil), precondition: overwrites ? nil : .exists(false))
    }
    var present: [Document] = []
    for (document, outcome) in zip(documents, try await target.batchWrite(writes)) {
      switch outcome {
      case .success: counts.written += 1
      case .failure(let error):
        guard !overwrites, error.status == .alreadyExists else { throw error }
        present.append(document)
      }
    }
    guard !present.isEmpty else { return }
    // This load may have written them before it was interrupted.
    let paths = present.map { root.relativePath(of: $0.name) }
    let stored = try await target.documents(at: paths)
    for (path, document) in zip(paths, present) {
      if stored[path]?.fields == document.fields {
        counts.same += 1
      } else {
        counts.refused += 1
        if counts.refusedPaths.count < 10 { counts.refusedPaths.append(path) }
      }
    }
  }

  /// Returns the document for the target: masked, and with references to the source's database
  /// rewritten.
  private func moved(_ document: Document) throws -> Document {
    guard let own = source.root else { return document }
    let masked = try masks?.masked(document) ?? document
    let path = own.relativePath(of: masked.name)
    guard path != masked.name else {
      throw WorkspaceError.refused(
        .badData, "\(source.name) holds documents of several databases, such as \(document.name).")
    }
    let mover = ReferenceMove(from: "\(own)/", to: "\(root)/")
    return Document(name: "\(root)/\(path)", fields: masked.fields.mapValues(mover.moved))
  }
}

/// A rewrite of references into one database to references into another.
struct ReferenceMove {
  let from: String
  let to: String

  func moved(_ value: Value) -> Value {
    switch value {
    case .reference(let name) where name.utf8.starts(with: from.utf8):
      .reference(to + String(decoding: name.utf8.dropFirst(from.utf8.count), as: UTF8.self))
    case .array(let elements): .array(elements.map(moved))
    case .map(let fields): .map(fields.mapValues(moved))
    default: value
    }
  }
}
