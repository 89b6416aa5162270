package import Model

extension TableRows {
  /// Appends the row of a user, as a sync writes it.
  package mutating func append(_ user: OnlineUser, updateTimeMicroseconds: Int64) {
    for column in UserColumn.ofUsers {
      switch user[column] {
      case .text(let text): append(text: text)
      case .integer(let number): append(number)
      }
    }
    append(updateTimeMicroseconds)
  }
}
