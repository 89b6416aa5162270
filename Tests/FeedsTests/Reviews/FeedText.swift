/// Pages of the reviews feed, written by hand.
enum FeedText {
  static func feed(_ content: String) -> String {
    """
    <?xml version="1.0" encoding="utf-8"?>
    <feed xmlns:im="http://itunes.apple.com/rss" xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
      <id>https://itunes.apple.com/us/rss/customerreviews/id=7</id>
      <title>iTunes Store: Customer Reviews</title><updated>2026-01-30T00:00:00-07:00</updated>
      <author><name>iTunes Store</name><uri>http://www.apple.com/itunes/</uri></author>
      \(content)
    </feed>
    """
  }

  static func entry(
    id: String = "900", stars: String = "4", updated: String = "2026-01-29T23:30:00-07:00",
    title: String = "Good", text: String = "It works.", more: String = ""
  ) -> String {
    """
    <entry><updated>\(updated)</updated><id>\(id)</id><title>\(title)</title>
    <content type="text">\(text)</content>
    <im:contentType term="Application" label="Application"/><im:voteSum>0</im:voteSum>
    <im:rating>\(stars)</im:rating><im:version> 3.2.1 </im:version>
    <author><name>jo</name><uri>https://itunes.apple.com/us/reviews/id1</uri></author>
    <link rel="related" href="https://itunes.apple.com/us/review?id=7"/>
    <content type="html"><table><tr><td>a card</td></tr></table></content>\(more)</entry>
    """
  }

  static let appEntry = """
    <entry><updated>2026-01-29T00:00:00Z</updated><id>https://apps.apple.com/us/app/id7</id>
    <title>ChatHub</title><im:name>ChatHub</im:name><im:price amount="0">Get</im:price></entry>
    """
}
