import Firestore
import Model
import Platform
import Store
import Synchronization

/// The pages of an export, read and mapped a few pages ahead on a separate thread.
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
    // A query leaves out documents without the field that it is ordered by.
    order = request.query.orderField
    origin = try export.root.map { root in
      DocumentOrigin(
        request.query, under: try request.parent.map { try root.appending(path: $0) } ?? root)
    }
  }

  /// Starts the thread that reads and maps the pages.
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

  /// Returns the next page; nil after the last one.
  ///
  /// - Throws: the error that stopped the reading of the export.
  func next() throws -> PullPage? { try pages.next() }

  /// Values of unknown kinds by field; complete after the last page.
  var unknownValues: [String: Int] { unknown.withLock(\.self) }

  /// Stops the thread.
  func giveUp() { pages.giveUp() }

  /// Returns the page without the documents that do not match the query.
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
