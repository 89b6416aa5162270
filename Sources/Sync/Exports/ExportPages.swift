import Firestore
import Model
import Platform
import Store
import Synchronization

/// The pages of an export, read and mapped on a thread of their own, a few ahead.
final class ExportPages: Sendable {
  private let export: ManagedExport
  private let origin: DocumentOrigin?
  private let filter: StructuredQuery.Filter?
  private let order: FieldPath?
  private let documentsPerPage: Int
  private let pages = ReadAhead<PullPage>()
  private let unknown = Mutex<[String: Int]>([:])

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
    pages.start { [self] in
      var reader = export.reader(of: origin)
      var bytes: [UInt8] = []
      return { [self] in
        guard try reader.nextPage(into: &bytes, documents: documentsPerPage) != nil else {
          unknown.withLock { [values = reader.unknownValues] in $0 = values }
          return nil
        }
        if filter != nil || order != nil { bytes = try passing(bytes) }
        var page = PullPage(TableRows(width: mapping.width), limit: documentsPerPage)
        if bytes.count > 2 { _ = try page.scan(&bytes, by: mapping) }
        return page
      }
    }
  }

  /// The next page; nil after the last one.
  ///
  /// - Throws: what kept the export from being read to its end.
  func next() throws -> PullPage? { try pages.next() }

  /// Known after the last page.
  var unknownValues: [String: Int] { unknown.withLock(\.self) }

  /// Lets the thread end.
  func giveUp() { pages.giveUp() }

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
