import Firestore
import Model

/// The paged lists of documents and of collections.
extension Endpoints {
  /// The default page size in documents; `docs/firestore.md#limits`.
  static let defaultPageSize = 20
  static let maximumPageSize = 300

  /// Lists documents of the collection below `parent`; a nil id lists all of its collections.
  ///
  /// `recursive` also lists all that is nested below them.
  func list(_ id: String?, below parent: ResourceName, _ target: RequestTarget) throws
    -> ServerResponse
  {
    try target.allowOnly(
      "pageSize", "pageToken", "orderBy", "mask.fieldPaths", "showMissing", "readTime",
      "transaction", "recursive", RequestTarget.tags)
    let size = try target.pageSize
    let mask = try target.mask("mask")
    let orderBy = target.first("orderBy") ?? ""
    let showsMissing = target.first("showMissing") == "true"
    guard !showsMissing || (orderBy.isEmpty && id != nil) else {
      throw RefusedRequest.invalid("showMissing goes with a collection id and without an order")
    }
    guard !showsMissing || rules.listsMissingDocuments else {
      throw Endpoints.unserved("ListDocuments with show_missing")
    }
    let isRecursive = target.first("recursive") == "true"
    guard !isRecursive || !showsMissing else {
      throw RefusedRequest.invalid("recursive goes without showMissing")
    }
    var query = StructuredQuery(
      from: [.init(collectionId: isRecursive ? nil : id, allDescendants: isRecursive)],
      orderBy: try Endpoints.orders(orderBy), limit: isRecursive ? nil : size + 1)
    _ = try QueryPlan(query, rules)
    query.orderBy = query.completeOrders()
    let scope = "\(parent)/\(id ?? "") \(orderBy) \(isRecursive)"
    if let token = target.first("pageToken"), !token.isEmpty {
      query.startAt = .init(values: try PageToken(token, scope: scope).values, before: false)
    }
    let found = try documents.read(parent.databaseName, try target.consistency) {
      reader throws(RefusedRequest) in
      showsMissing
        ? try reader.resultsWithMissing(of: query, below: parent).documents
        : try reader.results(of: query, below: parent).documents
    }.content.filter { !isRecursive || id == nil || $0.name.hasPrefix("\(parent)/\(id ?? "")/") }
    return Endpoints.page("documents", of: found, size: size, scope: scope) {
      $0.masked(by: mask).json
    } position: { last in
      query.orderBy.compactMap { last[$0.field] }
    }
  }

  /// Answers the first `size` elements, and a token with the position of the last one when there
  /// are more.
  static func page<Element>(
    _ key: String, of found: [Element], size: Int, scope: String, json: (Element) -> JSON,
    position: (Element) -> [Value]
  ) -> ServerResponse {
    let page = found.prefix(size)
    var members: [String: JSON] = [:]
    if !page.isEmpty { members[key] = .array(page.map(json)) }
    if found.count > size, let last = page.last {
      members["nextPageToken"] = .string(PageToken(scope: scope, values: position(last)).text)
    }
    return ServerResponse(json: .object(members))
  }

  /// Lists collection ids sorted by bytes, including collections of missing documents.
  func listCollectionIds(below parent: ResourceName, _ body: JSON) throws -> ServerResponse {
    let message = try Message(request: body, "pageSize", "pageToken", "readTime", "parent")
    try Endpoints.requireParent(parent)
    let size = try message.pageSize(default: Endpoints.maximumPageSize)
    let scope = "\(parent) ids"
    var start = ""
    if let token = try message.text("pageToken"), !token.isEmpty,
      case .string(let id)? = try PageToken(token, scope: scope).values.first
    {
      start = id
    }
    let all = try documents.read(parent.databaseName, try message.consistency) {
      $0.collectionIds(below: parent)
    }.content
    let rest = all.sorted { TextOrder.compare($0, $1) < 0 }.filter {
      start.isEmpty || TextOrder.compare($0, start) > 0
    }
    return Endpoints.page(
      "collectionIds", of: rest, size: size, scope: scope, json: JSON.string,
      position: { [.string($0)] })
  }

  /// Parses an `orderBy` parameter such as `a desc, b.c`.
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

extension Message {
  /// Reads `pageSize`; 0 or absent gives the maximum `size`.
  func pageSize(default size: Int) throws -> Int {
    let wished = try count("pageSize") ?? 0
    return wished == 0 ? size : min(wished, size)
  }
}

/// The position of the last document of a page, after which the next page begins.
struct PageToken {
  let scope: String
  let values: [Value]
}

extension PageToken {
  /// Throws for a token of another collection or order.
  init(_ text: String, scope: String) throws(RefusedRequest) {
    do {
      let members = try JSON(parsing: Base64.decode(text) ?? []).members()
      guard members["scope"] == .string(scope), let values = members["values"] else {
        throw RefusedRequest.invalid("")
      }
      self.init(scope: scope, values: try values.elements().map(Value.init(json:)))
    } catch {
      throw .invalid("Invalid page token: it belongs to another request, or to none.")
    }
  }

  var text: String {
    let json = JSON.object(["scope": .string(scope), "values": .array(values.map(\.json))])
    return Base64.encodeForURL(json.serialized())
  }
}
