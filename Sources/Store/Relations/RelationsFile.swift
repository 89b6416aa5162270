extension Reader {
  /// Copies the relations, and the views of the database, into tables of `file`, an empty database,
  /// in which queries of a report then run as they are.
  ///
  /// Nothing is durable before the caller flushes the file, and a failure leaves it unusable.
  ///
  /// - Returns: the rows of all tables.
  /// - Throws: `StoreError` that names `destination`.
  package func copyRelations(toDatabase file: String, named destination: String) throws -> Int {
    try (RelationTables.names.map(\.1) + RelationTables.views).reduce(0) { count, name in
      try count
        + exportQuery("SELECT * FROM \"\(name)\"")
        .copyRows(toDatabase: file, table: name, named: destination)
    }
  }
}
