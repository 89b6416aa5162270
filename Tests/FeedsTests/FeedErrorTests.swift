import Feeds
import Testing

@Suite("FeedError")
struct FeedErrorTests {
  @Test(arguments: [
    FeedError.cannotOpen(path: "/x", reason: "r"), .cannotRead(path: "/x", reason: "r"),
    .cannotWrite(path: "/x", reason: "r."), .truncated(path: "/x"),
    .refused(feed: "/x", status: 403, message: "m"),
    .busy(feed: "/x", status: 503), .malformed(feed: "/x", reason: "r"),
    .noCity(feed: "/x", address: ""), .noCity(feed: "/x", address: "1.2.3.4"),
  ])
  func `every error is a sentence that names its feed`(error: FeedError) {
    #expect("\(error)".hasPrefix("/x "))
    #expect("\(error)".hasSuffix("."))
  }
}
