/// Why a feed as a whole could not be read; a single bad line or value is data, not an error.
package enum FeedError: Error, Hashable, Sendable {
  case cannotOpen(path: String, reason: String)
  case cannotRead(path: String, reason: String)
  case cannotWrite(path: String, reason: String)
  /// A gzip file that ends before its stream does; only whole pages before that were delivered.
  case truncated(path: String)
  /// The server understood and said no, or answered something that nobody asked for.
  case refused(feed: String, status: Int, message: String)
  /// The server cannot answer now.
  case busy(feed: String, status: Int)
  case malformed(feed: String, reason: String)
  /// The geo service knows no city for the address, which is empty when it did not say it.
  case noCity(feed: String, address: String)
}

extension FeedError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .cannotOpen(let path, let reason):
      "\(path) could not be opened: \(reason). Check the path and its permissions."
    case .cannotRead(let path, let reason):
      "\(path) could not be read: \(reason). Check the file, or fetch it again."
    case .cannotWrite(let path, let reason):
      "\(path) could not be written: \(reason). Free some space or choose another file, then run "
        + "the command again."
    case .truncated(let path):
      "\(path) ends in the middle of its gzip stream. Fetch the file again, whole."
    case .refused(let feed, let status, let message):
      "\(feed) answered with status \(status): \(message). Check its address and the permissions."
    case .busy(let feed, let status):
      "\(feed) answered with status \(status): it cannot answer now. Try again later."
    case .noCity(let feed, let address):
      "\(feed) knows no city for \(address.isEmpty ? "this machine's address" : address). Set it "
        + "with 'firetally profile set --city NAME'."
    case .malformed(let feed, let reason):
      "\(feed) sent something that cannot be read: \(reason). Try again, then check its URL."
    }
  }
}
