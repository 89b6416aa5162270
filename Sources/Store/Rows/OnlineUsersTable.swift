import GRDB
import Model

/// The names of the `OnlineUsers` columns, and the statements that write a whole row.
enum OnlineUsersTable {
  /// In the order of `UserRows.Column`.
  static let columns = [
    "user_id", "user_name", "user_image", "user_gender", "user_country", "user_language",
    "user_age", "user_device_id", "user_device_token", "user_area", "user_city", "user_state",
    "user_decent_time", "user_last_time_seen", "isAd", "update_time",
  ]

  /// The columns of `OnlineUser`, in the order of its initialiser.
  static let userColumns = columns.dropLast()

  static let columnList = columns.joined(separator: ", ")
  static let userColumnList = userColumns.joined(separator: ", ")
  private static let parameters = (1...columns.count).map { "?\($0)" }.joined(separator: ", ")

  /// Parameters as the columns, then `synced_at`.
  static let insert = """
    INSERT INTO OnlineUsers (\(columnList), synced_at)
    VALUES (\(parameters), ?\(columns.count + 1))
    """

  /// Parameters as `insert`, then the row's `id`.
  static let update = """
    UPDATE OnlineUsers SET
    \(columns.enumerated().map { "\($1) = ?\($0 + 1)" }.dropFirst().joined(separator: ", ")),
    synced_at = ?\(columns.count + 1)
    WHERE id = ?\(columns.count + 2)
    """

  /// Parameters as the columns.
  static let stage = """
    INSERT OR REPLACE INTO OnlineUsers_staging (\(columnList)) VALUES (\(parameters))
    """
}

extension OnlineUser {
  /// Reads the columns of `OnlineUsersTable.userColumns`, which start at `offset` of a cursor's row.
  init(_ row: Row, offset: Int = 0) {
    self.init(
      userId: row.wholeText(offset),
      name: row.wholeText(offset + 1),
      image: row.wholeText(offset + 2),
      gender: row.wholeText(offset + 3),
      country: row.wholeText(offset + 4),
      language: row.wholeText(offset + 5),
      age: row.wholeText(offset + 6),
      deviceId: row.wholeText(offset + 7),
      deviceToken: row.wholeText(offset + 8),
      area: row.wholeText(offset + 9),
      city: row.wholeText(offset + 10),
      state: row.wholeText(offset + 11),
      decentTime: row[offset + 12] ?? 0,
      lastSeenAtSeconds: row[offset + 13] ?? 0,
      isAd: row[offset + 14] ?? false)
  }
}
