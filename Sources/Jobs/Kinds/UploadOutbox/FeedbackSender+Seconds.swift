import Firestore
import Model
import Store
import Sync

/// The choice of each item's second, which is its id in the collection; see `docs/outbox.md`.
extension FeedbackSender {
  /// Records that these documents exist.
  func noteTaken(_ paths: some Sequence<String>) throws {
    let seconds = paths.compactMap { Int64($0.dropFirst(collection.count + 1)) }
    guard !seconds.isEmpty else { return }
    try store.write { writer in
      for second in seconds { try writer.noteTaken(second...second, in: collection) }
    }
  }

  /// Assigns each waiting delivery its own second that is not known to be taken.
  ///
  /// Equal content is stored once: a duplicate waits for the outcome of the other item, or counts
  /// as delivered when a document has the content already.
  func place(_ deliveries: inout [FeedbackDelivery]) throws {
    let waiting = deliveries.indices.filter {
      if case .place? = deliveries[$0].next { true } else { false }
    }
    guard !waiting.isEmpty else { return }
    let waitingDeliveries = waiting.map { deliveries[$0] }
    let found = try store.read { try places(of: waitingDeliveries, in: $0) }
    for (index, place) in zip(waiting, found) {
      switch place {
      case .free(let second): deliveries[index].on(.placed(second))
      case .same(let path): deliveries[index].delivered(as: path)
      case .splitBatch: deliveries[index].splitFromBatch()
      }
    }
  }

  private enum Place {
    case free(Int64)
    /// The document at this path already has the content.
    case same(String)
    case splitBatch
  }

  private func places(
    of deliveries: [FeedbackDelivery], in reader: some Readable
  ) throws -> [Place] {
    var reserved: Set<Int64> = []
    var contents: Set<Feedback> = []
    return try deliveries.map { delivery in
      guard case .place(var second)? = delivery.next, let feedback = delivery.feedback else {
        return .splitBatch
      }
      if let path = try document(of: feedback, in: reader) { return .same(path) }
      guard contents.insert(feedback).inserted else { return .splitBatch }
      while true {
        if let last = try reader.lastTakenSecond(from: second, in: collection) {
          second = last + 1
        } else if reserved.insert(second).inserted {
          return .free(second)
        } else {
          second += 1
        }
      }
    }
  }

  /// Returns the document of a delivered item with the same content; nil when there is none.
  private func document(
    of feedback: Feedback, in reader: some Readable
  ) throws -> String? {
    guard try reader.lastTakenSecond(from: feedback.timestamp, in: collection) != nil else {
      return nil
    }
    let payload = try StoredJSON.text(of: feedback)
    return try reader.deliveredFeedback(like: payload).first { item in
      guard let path = item.remoteName, path.hasPrefix("\(collection)/") else { return false }
      return try StoredJSON.value(of: item.payload) == feedback
    }?.remoteName
  }

  /// Finds the ends of the runs of taken seconds that deliveries have met, each run once.
  ///
  /// The taken seconds are stored, so that `place` skips them in this and later runs.
  func search(for deliveries: inout [FeedbackDelivery], _ isKnownGood: Bool) async throws {
    var ends: Set<Int64> = []
    for index in deliveries.indices {
      guard case .search(let second)? = deliveries[index].next else { continue }
      do {
        let end = try store.read { try $0.lastTakenSecond(from: second, in: collection) }
        let start = end ?? second
        if !ends.contains(start) { ends.insert(try await lastTaken(after: start)) }
        deliveries[index].on(.searched)
      } catch let error as FirestoreError {
        deliveries[index].failed(error, credentialsKnownGood: isKnownGood)
      } catch is NothingFree {
        deliveries[index].on(.nothingFree)
      }
    }
  }

  private struct NothingFree: Error {}

  /// Returns the last second of the run of taken seconds that includes `start`; throws
  /// `NothingFree`.
  private func lastTaken(after start: Int64) async throws -> Int64 {
    var search = NextFreeId(after: start)
    while true {
      switch search.step {
      case .ask(let second):
        let path = "\(collection)/\(second)"
        search.answer(
          second, isTaken: try await port.document(at: path, readTime: nil) != nil)
      case .found(let free):
        try store.write { try $0.noteTaken(start...(free - 1), in: collection) }
        return free - 1
      case .nothing: throw NothingFree()
      }
    }
  }
}

/// A search for a free second after a taken one, with logarithmically many reads.
///
/// It doubles its step until it meets a free second, then bisects. If the taken seconds have no
/// gap, as after a rush, it finds the next free one; otherwise it finds a free one with a taken
/// predecessor.
struct NextFreeId {
  enum Step: Hashable {
    case ask(Int64)
    case found(Int64)
    /// All seconds up to `longestStride` seem to be taken.
    case nothing
  }

  /// About a year; a server that reports a longer run as taken would report any second so.
  static let longestStride: Int64 = 1 << 25

  private let start: Int64
  private var taken: Int64
  private var free: Int64?
  private var stride: Int64 = 1

  init(after second: Int64) {
    start = second
    taken = second
  }

  var step: Step {
    guard let free else { return stride > Self.longestStride ? .nothing : .ask(start + stride) }
    return free - taken == 1 ? .found(free) : .ask(taken + (free - taken) / 2)
  }

  mutating func answer(_ second: Int64, isTaken: Bool) {
    if isTaken {
      taken = second
      if free == nil { stride *= 2 }
    } else {
      free = second
    }
  }
}

/// The search for items that may have arrived under an unknown name; see
/// `docs/outbox.md#after-a-restore`.
extension FeedbackSender {
  /// Searches the document of each lost item by its content.
  ///
  /// If the server refuses such a query, the item's seconds are tried one by one.
  func find(_ deliveries: inout [FeedbackDelivery], _ isKnownGood: Bool) async throws {
    for index in deliveries.indices {
      guard deliveries[index].next == .find, let fields = deliveries[index].feedback?.fields
      else { continue }
      do {
        deliveries[index].found(try await id(ofDocumentWith: fields))
      } catch let error as FirestoreError where error.forbidsQuery {
        deliveries[index].on(.cannotFind)
      } catch let error as FirestoreError {
        deliveries[index].failed(error, credentialsKnownGood: isKnownGood)
      }
    }
  }

  /// Returns the id of the document with the fields; nil when there is none.
  ///
  /// It is billed as one read for each feedback of the same user and second, and one more to
  /// compare it.
  private func id(ofDocumentWith fields: [String: Value]) async throws -> String? {
    var paths: Set<String> = []
    let query = StructuredQuery(
      from: [.init(collectionId: Self.collectionId)], select: [.documentName],
      filter: Self.filter(fields))
    try await port.page(of: query, under: parent, readTime: nil) { bytes in
      paths = []
      var scanner = DocumentScanner(fields: [])
      return try scanner.scan(&bytes) { document, page in
        let path = KeyMapping.path(of: document.name, in: page)
        paths.insert(String(decoding: page[path], as: UTF8.self))
      }
    }
    guard !paths.isEmpty else { return nil }
    let found = try await documents(at: paths).filter { $0.value.fields == fields }
    return found.keys.min().map { String($0.dropFirst(collection.count + 1)) }
  }

  /// Returns a filter by the selective fields; Firestore has an index of each.
  private static func filter(_ fields: [String: Value]) -> StructuredQuery.Filter {
    .composite(
      .and,
      ["timestamp", "userId"].compactMap { name in
        fields[name].map { .field(FieldPath(segments: [name]), .equal, $0) }
      })
  }
}

extension FirestoreError {
  /// Whether the server refuses this query, rather than all requests.
  fileprivate var forbidsQuery: Bool {
    switch reason {
    case .permissionDenied, .invalid, .missingIndex, .buildingIndex: true
    default: false
    }
  }
}
