/// Numbers the users of a replay from 0, in the order in which they are first met.
///
/// A name is kept as JSON writes it between quotes, so that it is printed as it is.
package final class UserTable {
  private var names = NameTable()

  package init() {}

  package var count: Int { names.count }

  /// The user's number, a new one for a name that was not met before.
  package func number(of name: String) -> Int {
    var encoded = JSONText.encode(name)
    return encoded.withUTF8 { names.number(of: $0) }
  }

  /// Hands over the name as it stands between quotes.
  package func withEncodedName(of user: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    names.withName(user, body)
  }

  func number(of name: JSONScanner.RawString) throws(JSONScanner.Fault) -> Int {
    name.isEscaped ? number(of: try name.text()) : names.number(of: name.bytes)
  }
}
