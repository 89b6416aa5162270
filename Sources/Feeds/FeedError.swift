import FoundationEssentials
import HTTP

/// Why a whole feed could not be read; a single invalid line or value is data, not an error.
package enum FeedError: Error, Hashable, Sendable {
  case cannotOpen(path: String, reason: String)
  case cannotRead(path: String, reason: String)
  case cannotWrite(path: String, reason: String)
  /// The gzip file ends before its stream; only complete pages before that were returned.
  case truncated(path: String)
  /// The server refused the request, or answered something else.
  case refused(feed: String, status: Int, message: String)
  /// The server is temporarily unable to answer.
  case busy(feed: String, status: Int)
  case malformed(feed: String, reason: String)
  /// The geo service knows no city for the address; empty when it did not send the address.
  case noCity(feed: String, address: String)

  /// Whether an error of a feed's client means that the server accepted the connection and was
  /// silent.
  package static func isSilence(_ error: any Error) -> Bool {
    (error as? HTTPError)?.isSilence ?? false
  }
}

extension HTTPResponse {
  /// The body as JSON of that shape; nil for any other body.
  func decoded<Value: Decodable>(_ type: Value.Type) -> Value? {
    do {
      return try JSONDecoder().decode(type, from: Data(body))
    } catch {
      return nil
    }
  }
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
      "\(path) is cut off inside its gzip data. Fetch the whole file again."
    case .refused(let feed, let status, let message):
      "\(feed) answered with status \(status): \(QuotedText.clipped(message)). "
        + "Check its address and the permissions."
    case .busy(let feed, let status):
      "\(feed) answered with status \(status): it cannot answer now. Try again later."
    case .noCity(let feed, let address):
      "\(feed) knows no city for "
        + "\(address.isEmpty ? "this machine's address" : QuotedText.clipped(address)). Set it "
        + "with `firetally profile set --city NAME`."
    case .malformed(let feed, let reason):
      "\(feed) sent an answer that cannot be read: \(QuotedText.clipped(reason)). "
        + "Try again, then check its URL."
    }
  }
}
