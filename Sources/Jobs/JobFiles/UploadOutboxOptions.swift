package import Model

/// How a job of kind `upload-outbox` works; see `docs/jobs.md#upload-outbox`.
package struct UploadOutboxOptions: Hashable, Sendable {
  /// Which items it delivers; not empty.
  package var kinds: [OutboxItem.Kind]
  /// Items of each kind that one run delivers at most; 1 to 10,000.
  package var maxItems: Int

  package static let defaultMaxItems = 500
  package static let itemCounts = 1...10_000
  package static let keys = KeyTable(["kinds", "max_items"])

  package init(kinds: [OutboxItem.Kind] = OutboxItem.Kind.allCases, maxItems: Int = defaultMaxItems)
  {
    self.kinds = kinds
    self.maxItems = maxItems
  }

  init(_ reader: MappingReader) {
    kinds = reader.choices("kinds", of: OutboxItem.Kind.self) ?? OutboxItem.Kind.allCases
    maxItems = reader.integer("max_items", in: Self.itemCounts) ?? Self.defaultMaxItems
  }
}
