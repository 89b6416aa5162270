import Model
import Synchronization

/// The first documents of a collection by name, from which its size is estimated; see
/// `docs/editions.md#scans`.
package struct CollectionSample: Sendable {
  /// The most documents of a sample.
  package static let size = 100
  /// The documents that are read first; the others follow only if they are cheap.
  static let firstSize = 10
  /// The most read units of the others: 1 MiB.
  static let mostUnits = 256

  /// In the order of names.
  package var documents: [Document]
  /// The number of documents of the collection; nil when there are more, and they were not counted.
  package var count: Int?
  /// The read units that the sample and the count cost.
  package var units = 0

  package init(documents: [Document], count: Int?) {
    self.documents = documents
    self.count = count
  }

  /// Whether these are all documents of the collection.
  package var isWhole: Bool { count == documents.count }

  /// The size of these documents in bytes.
  var sampledBytes: Int { Self.bytes(of: documents) }

  fileprivate static func bytes(of documents: [Document]) -> Int {
    documents.reduce(0) { $0 + max(ReadVolume.leastItemBytes, DocumentSize.bytes(of: $1)) }
  }

  /// The size of the collection in bytes: each other document counts as the mean of these.
  package var bytes: Int {
    guard !documents.isEmpty, let count, count > documents.count else { return sampledBytes }
    return Int(Double(sampledBytes) * Double(count) / Double(documents.count))
  }
}

/// The collections that a query searches.
struct SampledSource: Hashable, Sendable {
  let from: [StructuredQuery.CollectionSelector]
  let parent: String?
}

extension FirestoreClient {
  /// Returns the first documents of the query's collection, without its filter, at most `most`.
  ///
  /// The number of documents is known if these are all, or if a scan was priced before.
  package func sample(
    of query: StructuredQuery, under parent: String?, documents most: Int
  ) async throws -> CollectionSample {
    let source = SampledSource(from: query.from, parent: parent)
    var sample = try await firstSample(of: source, upTo: most)
    try await extend(&sample, of: source, to: min(most, sample.count ?? .max), within: nil)
    keep(sample, of: source)
    return sample
  }

  /// Returns a sample with the number of documents; nil when a scan of the collection would exceed
  /// `most` read units.
  ///
  /// It is taken once, and costs at most `most`, unless its first documents exceed a unit each.
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

  /// Returns the sample so far, or else the first few documents.
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

  /// Adds documents up to `most` in all, unless they would cost too much at the size of the first.
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
