import Firestore
import Model
import Synchronization

/// The pages that are on their way, some beyond the batch that is being collected.
///
/// A batch that is full does not wait for the pages that come next: they arrive while it is stored,
/// so that no stream waits for the slowest, nor for the store.
final class InFlightPages: Sendable {
  private struct State {
    /// By partition.
    var tasks: [Int: Task<Void, Never>] = [:]
    var arrived: [FetchedPage] = []
    var waiter: CheckedContinuation<FetchedPage?, Never>?
    /// Partitions whose first page was asked for.
    var startCount = 0
  }

  private let state = Mutex(State())

  /// Partitions whose page was asked for and not taken yet.
  var partitions: Set<Int> {
    state.withLock { Set($0.tasks.keys).union($0.arrived.map(\.partition)) }
  }

  /// How many streams began before this one does.
  func countStart() -> Int {
    state.withLock { state in
      defer { state.startCount += 1 }
      return state.startCount
    }
  }

  /// Fetches the page of a partition; one at a time of each.
  func start(_ partition: Int, _ fetch: @escaping @Sendable () async -> FetchedPage) {
    let isCancelled = Task.isCancelled
    state.withLock { state in
      let task = Task { await self.arrive(fetch()) }
      if isCancelled { task.cancel() }
      state.tasks[partition] = task
    }
  }

  private func arrive(_ page: FetchedPage) {
    let waiter = state.withLock { state -> CheckedContinuation<FetchedPage?, Never>? in
      state.tasks[page.partition] = nil
      guard let waiter = state.waiter else {
        state.arrived.append(page)
        return nil
      }
      state.waiter = nil
      return waiter
    }
    waiter?.resume(returning: page)
  }

  /// The next page, in the order of arrival; nil when none is on its way.
  ///
  /// Cancelling the caller's task cancels all pages: each of them arrives as a failure.
  func next() async -> FetchedPage? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isWaiting = state.withLock { state in
          guard state.arrived.isEmpty, !state.tasks.isEmpty else { return false }
          state.waiter = continuation
          return true
        }
        if !isWaiting { continuation.resume(returning: takeArrived()) }
      }
    } onCancel: {
      cancel()
    }
  }

  private func takeArrived() -> FetchedPage? {
    state.withLock { $0.arrived.isEmpty ? nil : $0.arrived.removeFirst() }
  }

  private func cancel() {
    for task in state.withLock({ Array($0.tasks.values) }) { task.cancel() }
  }

  /// Gives up all pages, and waits until none is on its way.
  func giveUp() async {
    cancel()
    while await next() != nil {}
  }
}

/// How many documents a page may have, so that the pages of all streams fit into memory together.
final class PageSizer: Sendable {
  /// Bytes of all answers that are on their way at once, unless `fewestDocuments` have more.
  static let bytesUnderWay = 4 << 20
  /// A smaller page would mostly be waiting.
  static let fewestDocuments = 25

  private let largest = Mutex(0)

  /// Notes the size of a page; the largest mean size of a document counts.
  func note(bytes: Int, documents: Int) {
    guard documents > 0 else { return }
    largest.withLock { $0 = max($0, bytes / documents) }
  }

  /// The documents of a page, at most `wanted`, when so many streams are read side by side.
  ///
  /// The first page is a small one: the other streams wait for the snapshot that it names.
  func documents(atMost wanted: Int, streams: Int) -> Int {
    let size = largest.withLock(\.self)
    guard streams > 1 else { return wanted }
    guard size > 0 else { return min(wanted, Self.fewestDocuments) }
    return min(wanted, max(Self.fewestDocuments, Self.bytesUnderWay / streams / size))
  }
}

/// One page of documents: the rows that it became, and where the next one starts.
struct PullPage: Sendable {
  private(set) var mapped: MappedRows
  /// Documents with the stored `updateTime`, which became no row.
  private(set) var unchangedCount = 0
  /// The full names of listed documents whose change a load missed.
  private(set) var missedNames: [String] = []
  /// The rows of such documents, once they are fetched.
  var missed: [MappedRows] = []
  /// Documents that were asked for.
  let limit: Int
  /// Nil unless the mapping's scanner counts fields.
  private(set) var census: FieldCensus?
  private(set) var summary = PageSummary(documentCount: 0, last: nil, readTime: nil)

  /// Begins without rows, and reuses the memory of `rows`.
  init(_ rows: consuming TableRows, limit: Int) {
    self.limit = limit
    mapped = MappedRows(rows)
  }

  /// The order field's value of the last document; nil when the scan could not read it.
  var orderValue: Value? {
    get { summary.last?.value }
    set { summary.last?.value = newValue }
  }

  var byteCount: Int { missed.reduce(mapped.byteCount) { $0 + $1.byteCount } }

  /// Maps every document of the page, in its order, and collects the names of those that
  /// `isMissed`.
  ///
  /// - Throws: what the scanner throws for a page that is not whole, or not from `origin`.
  mutating func scan(
    _ bytes: inout [UInt8], by mapping: some DocumentMapping, from origin: DocumentOrigin? = nil,
    stored: DocumentScanner.StoredTime? = nil,
    isMissed: ((borrowing ScannedDocument, UnsafeRawBufferPointer) throws -> Bool)? = nil
  ) throws -> ScannedPage {
    var highest: Timestamp?
    var scanner = mapping.scanner
    scanner.origin = origin
    let position = mapping.orderPosition
    // Rows without their documents' JSON hold less than half of it.
    mapped.rows.reserve(rows: limit, bytes: bytes.count / 2)
    let page = try scanner.scan(&bytes, stored: stored) { document, buffer in
      guard !document.isUnchanged else {
        unchangedCount += 1
        return
      }
      mapping.add(document, in: buffer, to: &mapped)
      if let isMissed, try isMissed(document, buffer) {
        missedNames.append(String(decoding: buffer[document.name], as: UTF8.self))
      }
      if let position, let value = Self.value(of: document.fields[position], in: buffer),
        // The method as a value would copy the mapping for each document.
        let time = mapping.time(of: value)
      {
        highest = max(highest ?? time, time)
      }
    }
    let lastValue = position.flatMap { position in
      bytes.withUnsafeBytes { Self.value(of: scanner.lastFields[position], in: $0) }
    }
    census = page.census
    summary = PageSummary(
      documentCount: page.documentCount, last: page.lastName.map { (lastValue, $0) },
      readTime: page.readTime, highest: highest)
    return page
  }

  /// What a cursor compares; nil for a kind that the scan does not read.
  private static func value(of field: ScannedField, in page: UnsafeRawBufferPointer) -> Value? {
    switch field {
    case .boolean(let flag): .boolean(flag)
    case .integer(let number): .integer(number)
    case .double(let number): .double(number)
    case .timestamp(let microseconds): .timestamp(Timestamp(microseconds: microseconds))
    case .string(let range): .string(String(decoding: page[range], as: UTF8.self))
    case .null: .null
    case .reference(let range): .reference(String(decoding: page[range], as: UTF8.self))
    case .missing, .bytes, .other, .unreachable, .malformed: nil
    }
  }
}

/// Emptied rows whose memory the next pages are mapped into; see `BodyBuffers` for the reason.
final class RowBuffers: Sendable {
  /// Buffers kept at most: the pages of a transaction, and of the next one, which is being fetched.
  private static let capacity = 8
  /// Bytes of texts that a buffer worth keeping has at most.
  private static let largest = 4 << 20

  private let buffers = Mutex<[TableRows]>([])

  /// No rows, in memory that was used before where there is some.
  func next(width: Int) -> TableRows {
    let rows = buffers.withLock { $0.popLast() }
    guard let rows, rows.width == width else { return TableRows(width: width) }
    return rows
  }

  func removeAll() { buffers.withLock { $0 = [] } }

  /// Empties the rows and keeps their memory.
  ///
  /// Nothing else may refer to any of them: emptying rows that are shared allocates their memory
  /// anew.
  func recycle(_ pages: inout [TableRows]) {
    while var rows = pages.popLast() {
      guard rows.bytes.count <= Self.largest else { continue }
      rows.removeAll()
      buffers.withLock { [rows] buffers in
        if buffers.count < Self.capacity { buffers.append(rows) }
      }
    }
  }
}
