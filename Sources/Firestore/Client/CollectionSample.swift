import Model
import Synchronization

/// A collection's documents, as far as they were looked at; see `docs/editions.md#plan`.
package struct CollectionSample: Sendable {
  /// Documents that are read at most to know their size.
  package static let size = 100
  /// Documents that are read first; the others only while the sample stays cheap.
  static let firstSize = 10
  /// The read units of a sample, unless its first documents have more: 1 MiB.
  static let mostUnits = 256

  /// The first ones by name.
  package var documents: [Document]
  /// Documents of the whole collection; nil when there are more than these, and nobody counted.
  package var count: Int?
  /// The read units that it cost to know this.
  package var units = 0

  package init(documents: [Document], count: Int?) {
    self.documents = documents
    self.count = count
  }

  /// Whether no document of the collection is missing here.
  package var isWhole: Bool { count == documents.count }

  /// The bytes of its own documents.
  var sampledBytes: Int { Self.bytes(of: documents) }

  fileprivate static func bytes(of documents: [Document]) -> Int {
    documents.reduce(0) { $0 + max(ReadVolume.leastItemBytes, DocumentSize.bytes(of: $1)) }
  }

  /// The bytes of the whole collection: those of the sample, and as much for each other document.
  package var bytes: Int {
    guard !documents.isEmpty, let count, count > documents.count else { return sampledBytes }
    return Int(Double(sampledBytes) * Double(count) / Double(documents.count))
  }
}

/// The collection that a query looks through.
struct SampledSource: Hashable, Sendable {
  let from: [StructuredQuery.CollectionSelector]
  let parent: String?
}

extension FirestoreClient {
  /// The first documents of the query's collection, without its filter; counted where a scan had
  /// it counted before.
  package func sample(
    of query: StructuredQuery, under parent: String?, documents most: Int
  ) async throws -> CollectionSample {
    let source = SampledSource(from: query.from, parent: parent)
    var sample = try await firstSample(of: source, upTo: most)
    try await extend(&sample, of: source, to: min(most, sample.count ?? .max), within: nil)
    return sample
  }

  /// A sample with the number of documents; nil when a scan of them all exceeds `most` reads.
  ///
  /// It is taken once, and costs less than `most`, unless its first documents are large.
  func countedSample(
    of query: StructuredQuery, under parent: String?, upTo most: Int?
  ) async throws -> CollectionSample? {
    let source = SampledSource(from: query.from, parent: parent)
    var sample = try await firstSample(of: source, upTo: most ?? CollectionSample.firstSize)
    guard sample.count == nil else { return sample }
    var left = most.map { $0 - ReadVolume(bytes: sample.sampledBytes).units }
    if let left, left < 1 { return nil }
    var whole = source.query
    // More documents of that size would not fit, so more need not be counted.
    whole.limit = left.map { 1 + $0 * ReadVolume.unitBytes / sample.meanBytes }
    let count = try await count(of: whole, under: parent)
    sample.units += edition.rules.readsOfCount(count)
    if let limit = whole.limit, count >= limit { return nil }
    sample.count = max(count, sample.documents.count)
    left? -= edition.rules.readsOfCount(count)
    try await extend(&sample, of: source, to: min(CollectionSample.size, count), within: left)
    keep(sample, of: source)
    return sample
  }

  private func keep(_ sample: CollectionSample, of source: SampledSource) {
    knowledge.withLock { $0.samples[source] = sample }
  }

  /// The sample so far, or a few documents, which are all when there are fewer.
  private func firstSample(
    of source: SampledSource, upTo most: Int
  ) async throws -> CollectionSample {
    if let known = knowledge.withLock({ $0.samples[source] }) { return known }
    var query = source.query
    query.limit = max(1, min(CollectionSample.firstSize, most))
    let documents = try await documents(of: query, under: try name(of: source.parent))
    let isWhole = query.limit.map { documents.count < $0 } ?? true
    var sample = CollectionSample(documents: documents, count: isWhole ? documents.count : nil)
    sample.units = ReadVolume(bytes: sample.sampledBytes).units
    keep(sample, of: source)
    return sample
  }

  /// Adds documents, unless those of the size of the first ones cost too much.
  private func extend(
    _ sample: inout CollectionSample, of source: SampledSource, to most: Int, within left: Int?
  ) async throws {
    let missing = most - sample.documents.count
    guard missing > 0, let last = sample.documents.last else { return }
    let units = ReadVolume(bytes: missing * sample.meanBytes).units
    guard units <= min(left ?? .max, CollectionSample.mostUnits) else { return }
    var query = source.query
    query.startAt = .init(values: [.reference(last.name)], before: false)
    query.limit = missing
    let more = try await documents(of: query, under: try name(of: source.parent))
    sample.documents += more
    sample.units += ReadVolume(bytes: CollectionSample.bytes(of: more)).units
    if more.count < missing { sample.count = sample.documents.count }
    keep(sample, of: source)
  }
}

extension CollectionSample {
  fileprivate var meanBytes: Int {
    max(ReadVolume.leastItemBytes, documents.isEmpty ? 0 : sampledBytes / documents.count)
  }
}

extension SampledSource {
  fileprivate var query: StructuredQuery {
    StructuredQuery(from: from, orderBy: [.init(field: .documentName)])
  }
}
