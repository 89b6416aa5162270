package import Firestore
import Model

/// The billed reads of loads that each read one part of a collection, in a process of their own.
///
/// On an Enterprise database they are estimated from a sample; see `docs/editions.md#plan`.
package struct PartCost: Sendable {
  /// The access to one part; nil on a Standard database.
  private let access: QueryAccess?
  private let sample: CollectionSample

  /// The parts are of about equal size, so each has its share of a scan.
  init(_ access: QueryAccess?, _ sample: CollectionSample, parts: Int) {
    self.sample = sample
    self.access =
      if case .pass(let bytes) = access { .pass(bytes: bytes / parts) } else { access }
  }

  /// Returns the billed reads of a part's query that finds this many documents.
  package func billedReads(of planned: PlannedQuery, documents: Int) -> Int {
    guard let access else { return planned.billedReads(documents: documents) }
    let volumes = sample.documents.map { DocumentVolume($0, planned.query) }
    // Each process takes its own sample of a collection that it scans.
    return planned.readUnits(documents: documents, like: volumes, by: access)
      + (access.scannedUnits == nil ? 0 : sample.units)
  }
}

extension FirestorePort {
  /// Returns the cost of reading a query in this many parts; nil when the budget does not suffice
  /// to find it out.
  ///
  /// On an Enterprise database it reads a sample, once.
  ///
  /// - Throws: the server's error.
  package func partCost(
    of query: StructuredQuery, under parent: String?, parts: Int, within reads: ReadBudgetMeter
  ) async throws -> PartCost? {
    let none = CollectionSample(documents: [], count: nil)
    guard edition == .enterprise else { return PartCost(nil, none, parts: parts) }
    guard let access = try await access(of: query, under: parent, within: reads, waits: true)
    else { return nil }
    return try await reads.spend(upTo: CollectionSample.size, waits: true) { granted in
      (
        PartCost(
          access, try await sample(of: query, under: parent, documents: granted), parts: parts), 0
      )
    }
  }
}
