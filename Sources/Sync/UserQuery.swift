package import Firestore
package import Model

/// The query that a load of online users sends; see `docs/rules.md#online-users`.
package enum UserQuery {
  /// Users by `last_time_seen` descending, then by name, with the filter's equality criteria.
  ///
  /// Age is left to the local filter, which every row passes as well.
  ///
  /// - Parameters:
  ///   - collection: the collection's id.
  ///   - fields: the wire names.
  ///   - filter: the profile's criteria.
  ///   - city: the profile's own city, for "nearby"; nil when unknown.
  /// - Returns: the query, without a limit or a cursor.
  package static func query(
    collection: String, fields: UserWireFields, filter: UserFilter, city: String?
  ) -> StructuredQuery {
    StructuredQuery(
      from: [.init(collectionId: collection)],
      filter: conjunction(criteria(fields: fields, filter: filter, city: city)),
      orderBy: [
        .init(field: FieldPath(segments: [fields.queryName(.lastSeen)]), direction: .descending),
        .init(field: .documentName, direction: .descending),
      ])
  }

  private static func criteria(
    fields: UserWireFields, filter: UserFilter, city: String?
  ) -> [StructuredQuery.Filter] {
    let wanted: [(UserRows.Column, String?)] = [
      (.gender, filter.gender?.rawValue),
      (.country, filter.country),
      (.language, filter.language),
      (.city, filter.isNearbyOnly ? city : nil),
    ]
    return wanted.compactMap { column, value in
      value.map { .field(FieldPath(segments: [fields.queryName(column)]), .equal, .string($0)) }
    }
  }

  private static func conjunction(_ filters: [StructuredQuery.Filter]) -> StructuredQuery.Filter? {
    filters.count > 1 ? .composite(.and, filters) : filters.first
  }
}
