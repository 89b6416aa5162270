package import Firestore
package import Model

/// The query that a load of online users sends; see `docs/loads.md#online-users`.
package enum SyncUsersQuery {
  /// Users by `last_time_seen` descending, then by name, with the filter's equality criteria.
  ///
  /// The query leaves the age to the local filter, which checks every row as well. Where the local
  /// filter accepts several spellings or fields, the query asks for all of them; see
  /// `docs/filters.md#asking-firestore`.
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
      filter: combined(.and, criteria(fields: fields, filter: filter, city: city)),
      orderBy: [
        .init(
          field: FieldPath(segments: [fields.queryName(.lastSeenAtSeconds)]),
          direction: .descending),
        .init(field: .documentName, direction: .descending),
      ])
  }

  /// All users by name, including those without a last-seen time.
  package static func everyone(in collection: String) -> StructuredQuery {
    StructuredQuery(
      from: [.init(collectionId: collection)], orderBy: [.init(field: .documentName)])
  }

  private static func criteria(
    fields: UserWireFields, filter: UserFilter, city: String?
  ) -> [StructuredQuery.Filter] {
    let wanted: [(UserColumn, [String])] = [
      (.gender, filter.gender.map(spellings) ?? []),
      (.country, [filter.country].compactMap(\.self)),
      (.language, [filter.language].compactMap(\.self)),
      (.city, filter.isNearbyOnly ? [city].compactMap(\.self) : []),
    ]
    return wanted.compactMap { column, values in
      combined(.or, (fields.names[column] ?? []).compactMap { equality($0, values) })
    }
  }

  /// The spellings of a gender in documents: Firestore has no case-insensitive comparison.
  private static func spellings(of gender: Gender) -> [String] {
    [gender.rawValue, gender.rawValue.lowercased(), gender.rawValue.uppercased()]
  }

  /// The criterion that a field has one of the values; nil without values.
  private static func equality(_ field: String, _ values: [String]) -> StructuredQuery.Filter? {
    let path = FieldPath(segments: [field])
    guard let first = values.first else { return nil }
    return values.count == 1
      ? .field(path, .equal, .string(first))
      : .field(path, .in, .array(values.map { .string($0) }))
  }

  private static func combined(
    _ operation: StructuredQuery.CompositeOperator, _ filters: [StructuredQuery.Filter]
  ) -> StructuredQuery.Filter? {
    filters.count > 1 ? .composite(operation, filters) : filters.first
  }
}
