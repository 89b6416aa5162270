package import Firestore
package import Model
package import Sync
package import Workspace

/// How a job keeps a complete copy of a collection up to date; see
/// `docs/jobs/sync-users.md#whole-copies`.
package struct MirrorOptions: Hashable, Sendable {
  /// The occasion to look for rows of deleted documents.
  package enum Deletes: String, CaseIterable, Hashable, Sendable {
    case never
    /// When a count shows that the copy has drifted.
    case drift
    /// After every load.
    case sweep
  }

  package struct Incremental: Hashable, Sendable {
    /// The field with the time of a document's last change.
    package var field: FieldPath
    package var overlap: Duration
    /// The value types in the field that are times.
    package var forms = [TimeForm.timestamp]
  }

  /// Nil when every load reads all documents.
  package var incremental: Incremental?
  package var deletes = Deletes.never
  package var maxDelete = DeleteLimit.default
  /// The number of parts of the collection that are read concurrently.
  package var partitions = 1

  package init(
    incremental: Incremental? = nil, deletes: Deletes = .never,
    maxDelete: DeleteLimit = .default, partitions: Int = 1
  ) {
    self.incremental = incremental
    self.deletes = deletes
    self.maxDelete = maxDelete
    self.partitions = partitions
  }

  package static let defaultOverlap = Duration.seconds(300)
  package static let longestOverlap = Duration.seconds(30 * 86_400)
  package static let partitionCounts = 1...128

  package static let options = OptionKeys(
    MirrorOptions(),
    [
      .custom(
        ConfigurationKey(
          "incremental",
          .object([
            ConfigurationKey("field", .text, isRequired: true),
            ConfigurationKey(
              "overlap", .time(longest: longestOverlap),
              default: DurationText.text(defaultOverlap)),
          ]))
      ) { $1.incremental = incremental($0) },
      .key("deletes", \.deletes, .choice),
      .key("max_delete", \.maxDelete, .deleteLimit),
      .key("partitions", \.partitions, .integer(partitionCounts)),
    ])

  /// Whether the options require a complete copy.
  package var needsAll: Bool { incremental != nil || deletes != .never || partitions > 1 }

  /// Refuses options that are incompatible with `maxDocuments`, the limit of a load.
  package func check(_ reader: MappingReader, maxDocuments: Int?) {
    guard maxDocuments != nil else { return }
    if deletes != .never {
      Self.requireAll(reader, "deletes", "a partial copy cannot show what is gone")
    }
    if incremental != nil {
      Self.requireAll(reader, "incremental", "changes are added to a whole copy")
    }
    if partitions > 1 { Self.requireAll(reader, "partitions", "together they are a whole copy") }
  }

  private static func requireAll(_ reader: MappingReader, _ key: String, _ reason: String) {
    guard let entry = reader.entry(key) else { return }
    reader.problem(entry, "needs 'max_documents: all': \(reason)")
  }

  private static func incremental(_ parent: MappingReader) -> Incremental? {
    guard let entry = parent.entry("incremental") else { return nil }
    let reader = parent.mapping("incremental")
    guard entry.scalar == .mapping else { return nil }
    reader.refuseOthers(than: ["field", "overlap"])
    let overlap = reader.time("overlap", longest: longestOverlap) ?? defaultOverlap
    guard let entry = reader.entry("field") else {
      reader.missing("field", "name the field that holds the time of a document's last change")
      return nil
    }
    guard let text = reader.text(of: entry) else { return nil }
    do {
      let field = try FieldPath(parsing: text)
      if field.segments.count == 1 { return Incremental(field: field, overlap: overlap) }
    } catch {
      reader.problem(entry, error.problem)
      return nil
    }
    reader.problem(entry, "must be a field of the document itself, not one inside a map")
    return nil
  }

  /// Returns the queries of all documents, of changes since a load, and of the counts.
  package func queries(of query: StructuredQuery) -> [StructuredQuery] {
    var unordered = query
    unordered.orderBy = []
    guard let watermark = watermark() else { return [query, unordered] }
    let reached = Watermark(
      field: watermark.field, overlap: watermark.overlap, forms: watermark.forms,
      reached: TypedTimes(.timestamp, Timestamp(microseconds: 0)))
    return [query, unordered, reached.changes(of: query), watermark.visible(of: query)]
  }

  /// Returns the watermark of an incremental load; nil when every load reads everything.
  package func watermark(startsOver: Bool = false) -> Watermark? {
    incremental.map {
      Watermark(
        field: $0.field, overlap: $0.overlap, forms: $0.forms, startsOver: startsOver)
    }
  }
}

extension KeyType<DeleteLimit> {
  /// A number of rows, or a percentage of them.
  package static var deleteLimit: Self {
    Self(.either([.integer(0 ... .max), .pattern("^[0-9]+%?$")]), text: \.text) {
      $0.deleteLimit($1)
    }
  }
}

extension MappingReader {
  fileprivate func deleteLimit(_ key: String) -> DeleteLimit? {
    guard let entry = entry(key) else { return nil }
    switch entry.scalar {
    case .integer(let count) where count >= 0: return .rows(count)
    case .text(let text):
      if let limit = DeleteLimit(text: text) { return limit }
    default: break
    }
    wrongType(entry, wanted: "a number of rows or a share of them, such as 500 or 10%")
    return nil
  }
}
