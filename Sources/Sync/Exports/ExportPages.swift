import Dispatch
import Firestore
import FoundationEssentials
import Foundation
import Model
import Store
import Synchronization

/// The pages of an export, read and mapped on a thread of their own, a few ahead.
final class ExportPages: Sendable {
  /// Pages that wait at most.
  private static let mostWaiting = 3

  private struct State {
    var pages: [PullPage] = []
    var failure: (any Error)?
    var hasEnded = false
    var isGivenUp = false
    var unknownValues: [String: Int] = [:]
  }

  private let export: ManagedExport
  private let origin: DocumentOrigin?
  private let filter: StructuredQuery.Filter?
  private let order: FieldPath?
  private let documentsPerPage: Int
  private let state = Mutex(State())
  private let arrived = DispatchSemaphore(value: 0)
  private let room = DispatchSemaphore(value: ExportPages.mostWaiting)

  init(_ export: ManagedExport, _ request: PullRequest, documentsPerPage: Int) throws {
    self.export = export
    self.documentsPerPage = documentsPerPage
    filter = request.query.filter
    // As a query leaves out documents that it cannot order.
    order = request.query.orderField
    origin = try export.root.map { root in
      DocumentOrigin(
        request.query, under: try request.parent.map { try root.appending(path: $0) } ?? root)
    }
  }

  /// Begins to read, by a mapping.
  func start(_ mapping: any DocumentMapping) {
    Thread.detachNewThread { self.read(by: mapping) }
  }

  /// The next page; nil after the last one.
  ///
  /// - Throws: what kept the export from being read to its end.
  func next() throws -> PullPage? {
    arrived.wait()
    let page = try state.withLock { state -> PullPage? in
      guard state.pages.isEmpty else { return state.pages.removeFirst() }
      if let failure = state.failure { throw failure }
      return nil
    }
    if page != nil { room.signal() }
    return page
  }

  var unknownValues: [String: Int] { state.withLock(\.unknownValues) }

  /// Lets the thread end.
  func giveUp() {
    state.withLock { $0.isGivenUp = true }
    room.signal()
  }

  private func read(by mapping: any DocumentMapping) {
    do {
      var reader = export.reader(of: origin)
      var bytes: [UInt8] = []
      while try reader.nextPage(into: &bytes, documents: documentsPerPage) != nil {
        if filter != nil || order != nil { bytes = try passing(bytes) }
        var page = PullPage(TableRows(width: mapping.width), limit: documentsPerPage)
        if bytes.count > 2 { _ = try page.scan(&bytes, by: mapping) }
        room.wait()
        let goesOn = state.withLock { [page] state in
          state.pages.append(page)
          return !state.isGivenUp
        }
        guard goesOn else { return }
        arrived.signal()
      }
      state.withLock { [unknown = reader.unknownValues] in $0.unknownValues = unknown }
    } catch {
      state.withLock { $0.failure = error }
    }
    arrived.signal()
  }

  /// The page without the documents that the query leaves out.
  private func passing(_ page: [UInt8]) throws -> [UInt8] {
    let elements = try JSON(parsing: page).elements()
    let left = try elements.filter { element in
      guard let json = element["document"] else { return false }
      let document = try Document(json: json)
      return (filter?.matches(document) ?? true) && (order.map { document[$0] != nil } ?? true)
    }
    return JSON.array(left).serialized()
  }
}
