/// One row of the table `OnlineUsers`: a user of the app as last read from Firestore.
///
/// It has a value for each of `UserColumn.ofUsers`. Texts are as the app wrote them. A field that
/// the document lacks is empty or 0, as in the app's table.
package struct OnlineUser: Hashable, Sendable {
  private var values: [UserValue]

  /// A column that `values` lacks is empty or 0.
  package init(_ values: [UserColumn: UserValue]) {
    self.values = UserColumn.ofUsers.map { values[$0] ?? ($0.descriptor.isInteger ? 0 : "") }
  }

  /// - Precondition: the column is one of `UserColumn.ofUsers`.
  package subscript(column: UserColumn) -> UserValue {
    get { values[column.rawValue] }
    set { values[column.rawValue] = newValue }
  }

  /// The column's value as people read it: times in ISO 8601.
  package func text(_ column: UserColumn) -> String {
    switch (self[column], column.descriptor.form) {
    case (.text(let text), _): text
    case (.integer(let seconds), .lastSeen): Instant(unixSeconds: seconds).iso8601
    case (.integer(let number), .flag): String(number != 0)
    case (.integer(let number), _): String(number)
    }
  }
}

/// A value of one column of a user; a flag is 0 or 1.
package enum UserValue: Hashable, Sendable {
  case text(String)
  case integer(Int64)
}

/// The columns that rules and reports read by name.
extension OnlineUser {
  package var userId: String { self[.userId].text }
  package var name: String { self[.name].text }
  package var lastSeenAtSeconds: Int64 { self[.lastSeenAtSeconds].integer }
}

extension UserValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral {
  package init(stringLiteral text: String) { self = .text(text) }

  package init(integerLiteral number: Int64) { self = .integer(number) }

  fileprivate var text: String {
    if case .text(let text) = self { text } else { "" }
  }

  fileprivate var integer: Int64 {
    if case .integer(let number) = self { number } else { 0 }
  }
}

extension OnlineUser: Encodable {
  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: UserColumn.self)
    for column in UserColumn.ofUsers {
      switch self[column] {
      case .text(let text): try members.encode(text, forKey: column)
      case .integer(let flag) where column.descriptor.form == .flag:
        try members.encode(flag != 0, forKey: column)
      case .integer(let number): try members.encode(number, forKey: column)
      }
    }
  }
}

/// How many users were online when all users were loaded: `docs/loads.md#online-now`.
package struct OnlineCount: Hashable, Sendable {
  /// When they were loaded.
  package var at: Instant
  /// Users last seen within `window` before that.
  package var online: Int
  /// Whether the load ended at its most documents, so that the users it found are a sample.
  package var isSample: Bool
  /// Whether everybody whom such a load found was online, or its last ones of a type of last-seen
  /// times were, so that there may have been more.
  package var isMinimum: Bool

  /// People seen this long ago, or later, are online.
  package static let window = Duration.seconds(300)

  package init(at: Instant, online: Int, isSample: Bool = false, isMinimum: Bool = false) {
    self.at = at
    self.online = online
    self.isSample = isSample
    self.isMinimum = isMinimum
  }

  /// Counts for a load by its documents and those that became no row; `limit` is the most that it
  /// may fetch, nil for all.
  ///
  /// `latestUnread` is the latest last-seen time that such a load left unread, as far as it knows.
  package init(
    at: Instant, online: Int, documents: Int, skipped: Int, limit: Int?,
    latestUnread: Instant? = nil
  ) {
    let isSample = limit.map { documents >= $0 } ?? false
    let leftSomeone = latestUnread.map { $0 > at - Self.window } ?? false
    self.init(
      at: at, online: online, isSample: isSample,
      isMinimum: isSample && (leftSomeone || online >= documents - skipped))
  }
}
