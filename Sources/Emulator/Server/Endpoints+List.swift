import Firestore

/// `documents.list`, which pages by a token.
extension Endpoints {
  /// Documents of a page when the request does not say; `docs/firestore.md#limits`.
  static let defaultPageSize = 20
  /// Documents of a page at most, whatever the request says.
  static let maximumPageSize = 300

  func list(_ collection: ResourceName, _ target: RequestTarget) throws -> Answer {
    try target.allowOnly(
      "pageSize", "pageToken", "orderBy", "mask.fieldPaths", "showMissing", "readTime",
      "transaction")
    guard collection.isCollection, let id = collection.id, let parent = collection.parent else {
      throw Endpoints.unknownMethod
    }
    if target.first("showMissing") == "true" {
      throw RefusedRequest(.unimplemented, "showMissing is not implemented by this server")
    }
    _ = try target.readTime
    let size = try target.pageSize
    let orderBy = target.first("orderBy") ?? ""
    var query = StructuredQuery(
      from: [.init(collectionId: id)], orderBy: try Endpoints.orders(orderBy), limit: size + 1)
    query.orderBy = try QueryPlan(query).orders
    let scope = "\(collection) \(orderBy)"
    if let token = target.first("pageToken"), !token.isEmpty {
      query.startAt = .init(values: try PageToken(token, scope: scope).values, before: false)
    }
    let found = try documents.results(of: query, below: parent).content
    let page = found.prefix(size)
    let mask = try target.mask("mask")
    var members: [String: JSON] = [:]
    if !page.isEmpty { members["documents"] = .array(page.map { $0.masked(by: mask).json }) }
    if found.count > size, let last = page.last {
      let values = query.orderBy.compactMap { last[$0.field] }
      members["nextPageToken"] = .string(PageToken(scope: scope, values: values).text)
    }
    return Answer(json: .object(members))
  }

  /// Reads `a desc, b.c` as the `orderBy` parameter has it.
  private static func orders(_ text: String) throws -> [StructuredQuery.Order] {
    try text.split(separator: ",").map { item in
      let words = item.split(separator: " ")
      guard let path = words.first, words.count <= 2 else {
        throw RefusedRequest.invalid("\"\(text)\" is not an order: a field, then asc or desc")
      }
      let field = try FieldPath(parsing: String(path))
      switch words.dropFirst().first?.lowercased() {
      case nil, "asc": return .init(field: field)
      case "desc": return .init(field: field, direction: .descending)
      default:
        throw RefusedRequest.invalid("\"\(text)\" is not an order: a field, then asc or desc")
      }
    }
  }
}

extension RequestTarget {
  fileprivate var pageSize: Int {
    get throws(RefusedRequest) {
      guard let text = first("pageSize") else { return Endpoints.defaultPageSize }
      guard let size = Int32(text) else {
        throw .invalid("Invalid value for pageSize: \"\(text)\"")
      }
      guard size >= 0 else { throw .invalid("Page size must be nonnegative.") }
      return size == 0 ? Endpoints.defaultPageSize : min(Int(size), Endpoints.maximumPageSize)
    }
  }
}
