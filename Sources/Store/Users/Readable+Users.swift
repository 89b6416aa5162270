import GRDB
package import Model

extension Readable {
  /// One page of the matching users, newest first, by keyset: O(limit) for any page.
  ///
  /// The order is the last-seen time descending, then the row's id descending. A user whom a sync
  /// moves to the top meanwhile does not appear twice.
  package func users(
    matching query: UsersQuery = .everyone, after cursor: UserCursor? = nil, limit: Int
  ) throws -> UserPage {
    var conditions = UserConditions(query)
    if let cursor {
      conditions.add("(user_last_time_seen, id) < (?, ?)", [cursor.lastSeenAtSeconds, cursor.id])
    }
    // Whole rows are read once the page is known: many users of one second are sorted by their ids.
    let newestFirst = "ORDER BY user_last_time_seen DESC, id DESC"
    let rows = try Row.fetchCursor(
      reader.database,
      sql: """
        SELECT id, \(OnlineUsersTable.userColumnList) FROM OnlineUsers
        WHERE id IN (
          SELECT id FROM OnlineUsers \(conditions.clause) \(newestFirst) LIMIT ?
        ) \(newestFirst)
        """,
      arguments: conditions.arguments + [limit + 1])
    var users: [OnlineUser] = []
    var last: UserCursor?
    while let row = try rows.next() {
      if users.count == limit { return UserPage(users: users, next: last) }
      let user = OnlineUser(row, offset: 1)
      users.append(user)
      last = UserCursor(lastSeenAtSeconds: user.lastSeenAtSeconds, id: row[0])
    }
    return UserPage(users: users, next: nil)
  }

  package func usersCount(matching query: UsersQuery = .everyone) throws -> Int {
    let conditions = UserConditions(query)
    return try reader.count(
      "SELECT count(*) FROM OnlineUsers \(conditions.clause)", conditions.arguments)
  }

  /// The number of users, at most `limit`: O(limit).
  package func usersCount(upTo limit: Int) throws -> Int {
    try reader.count("SELECT count(*) FROM (SELECT 1 FROM OnlineUsers LIMIT ?)", [limit])
  }

  package func user(id: String) throws -> OnlineUser? {
    try reader.first(
      "SELECT \(OnlineUsersTable.userColumnList) FROM OnlineUsers WHERE user_id = ?", [id]
    ) { OnlineUser($0) }
  }

  package func userExists(id: String) throws -> Bool {
    try reader.hasRow(in: "OnlineUsers", where: "user_id = ?", [id])
  }

  /// The ids with anything but ASCII letters, digits, `-` and `_` in them; mostly none.
  package func userIdsThatAreNoWords() throws -> [String] {
    try WholeText.fetchAll(
      reader.database,
      sql: "SELECT user_id FROM OnlineUsers WHERE user_id GLOB '*[^-0-9A-Za-z_]*'"
    ).map(\.string)
  }

  /// The newest last-seen time of all users; nil when there are none.
  package func latestLastSeen() throws -> Instant? {
    try reader.value("SELECT max(user_last_time_seen) FROM OnlineUsers").map {
      Instant(unixSeconds: $0)
    }
  }

  /// The countries of users, in alphabetical order, without the empty one.
  package func countriesInUse() throws -> [String] {
    try names(of: "user_country")
  }

  /// The languages of users, in alphabetical order, without the empty one.
  package func languagesInUse() throws -> [String] {
    try names(of: "user_language")
  }

  private func names(of column: String) throws -> [String] {
    try WholeText.fetchAll(
      reader.database,
      sql: """
        SELECT DISTINCT \(column) FROM OnlineUsers
        WHERE \(column) <> '' ORDER BY \(column)
        """
    ).map(\.string)
  }
}

extension Writer {
  /// Removes the rows that the app calls corrupted and returns their number.
  ///
  /// If there were any, no profile has a refresh time afterwards: the next run loads the users.
  ///
  /// The condition is the app's except for `_ad_`, which is literal here: as a LIKE pattern it
  /// would also remove `roadie`, which every load stores again. See `docs/loads.md#online-users`.
  @discardableResult
  package func removeCorruptedUsers() throws -> Int {
    let removed = try run(
      #"""
      DELETE FROM OnlineUsers
      WHERE user_id IS NULL OR user_id = '' OR user_name IS NULL OR user_name = ''
        OR length(user_id) < 3 OR length(user_name) < 1 OR instr(user_id, '_ad_') > 0
      """#)
    if removed > 0 { try forgetRefreshTimes() }
    return removed
  }

  /// Lets the next load of every profile be a first one.
  func forgetRefreshTimes() throws {
    try run("UPDATE profiles SET users_refreshed_at = NULL WHERE users_refreshed_at IS NOT NULL")
  }

  /// Removes all users and staged users and returns the number of users; unfinished loads begin
  /// again.
  @discardableResult
  package func deleteAllUsers() throws -> Int {
    try clearStagedRows(of: .onlineUsers)
    try clearCursors(of: .onlineUsers)
    try setMark(nil, named: leftEmptyName)
    return try run("DELETE FROM OnlineUsers")
  }

  /// Removes one user, staged or not; false when there was no row.
  ///
  /// If it was the last user, the table counts as left empty by a load.
  @discardableResult
  package func deleteUser(id: String) throws -> Bool {
    try run("DELETE FROM \(SyncTable.onlineUsers.staging) WHERE user_id = ?", [id])
    guard try run("DELETE FROM OnlineUsers WHERE user_id = ?", [id]) > 0 else { return false }
    if try usersCount(upTo: 1) == 0 { try recordWhetherEmpty() }
    return true
  }

  /// Stores whether a load left any users; call it in the load's last transaction.
  package func recordWhetherEmpty() throws {
    try setMark(try usersCount(upTo: 1) == 0 ? "yes" : nil, named: leftEmptyName)
  }
}

/// The name of the mark that exists while the table is empty because a load found no users.
private let leftEmptyName: MarkName = "users left empty"

extension Readable {
  /// Whether there are no users although the last load left some.
  package func usersWereEmptied() throws -> Bool {
    try usersCount(upTo: 1) == 0 && mark(named: leftEmptyName) == nil
  }

  /// Users last seen within the window of `OnlineCount` before `now`.
  package func usersOnline(at now: Instant) throws -> Int {
    try reader.count(
      """
      SELECT count(*) FROM OnlineUsers
      WHERE user_last_time_seen > ? AND user_last_time_seen < ''
      """, [(now - OnlineCount.window).unixSeconds])
  }

  /// The newest count up to an instant; nil when users were not loaded without a filter until then.
  package func newestOnlineCount(until now: Instant) throws -> OnlineCount? {
    try reader.first(
      """
      SELECT at, online, is_sample, is_minimum FROM online_counts
      WHERE at <= ? ORDER BY at DESC LIMIT 1
      """, [now.microseconds]
    ) { OnlineCount($0) }
  }
}

extension OnlineCount {
  fileprivate init(_ row: Row) {
    self.init(
      at: Instant(microseconds: row[0]), online: row[1], isSample: row[2], isMinimum: row[3])
  }
}

extension Writer {
  /// Adds the count of a load, or replaces that of the same job and instant.
  package func record(_ count: OnlineCount, job: String) throws {
    try run(
      "INSERT OR REPLACE INTO online_counts VALUES (?, ?, ?, ?, ?)",
      [count.at.microseconds, job, count.online, count.isSample, count.isMinimum])
  }
}

extension OnlineUser {
  /// Reads the columns of `OnlineUsersTable.userColumnList`, which start at `offset` of a cursor's
  /// row.
  init(_ row: Row, offset: Int = 0) {
    self.init([:])
    for column in UserColumn.ofUsers {
      let index = offset + column.rawValue
      self[column] =
        column.descriptor.isInteger ? .integer(row[index] ?? 0) : .text(row.wholeText(index))
    }
  }
}

/// Filters held against the names of the lists and of the data; see `docs/filters.md#filters`.
extension Readable {
  /// The filter checked; names in use are looked up only for a name that is not listed.
  package func check(_ filter: UserFilter, profileCity: String?) throws -> FilterCheck {
    FilterCheck(
      filter, profileCity: profileCity,
      countries: try list(.countries, for: filter.country) { try countriesInUse() },
      languages: try list(.languages, for: filter.language) { try languagesInUse() })
  }

  /// The profile's filter, with country and language as the lists spell them.
  ///
  /// - Throws: `BadSavedFilter` when it is not valid.
  @discardableResult
  package func validFilter(of profile: Profile) throws -> UserFilter {
    let check = try check(profile.filter, profileCity: profile.city)
    if let bad = BadSavedFilter(profile.filter, check) { throw bad }
    return check.filter
  }

  private func list(
    _ names: NameList, for name: String?, inUse: () throws -> [String]
  ) throws -> NameList {
    guard let name, !names.contains(name) else { return names }
    let isKept = try mark(named: markName(of: name)) != nil
    return names.adding((isKept ? [name] : []) + (try inUse()))
  }
}

extension UserFilter {
  /// What notes the names of a filter that is being saved: it stays valid when nobody has them
  /// later.
  package var nameEffects: [StoreChange] {
    [(NameList.countries, country), (.languages, language)].compactMap { list, name in
      guard let name, !list.contains(name) else { return nil }
      return .mark("yes", named: markName(of: name))
    }
  }
}

private func markName(of name: String) -> MarkName { "filter name \(name)" }
