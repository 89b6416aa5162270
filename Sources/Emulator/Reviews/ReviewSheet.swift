import Model

/// One page of the reviews feed as text: Atom with Apple's own elements.
struct ReviewSheet {
  let country: String
  let appId: Int
  let page: Int
  let lastPage: Int

  func text(_ reviews: some Sequence<AppReview>) -> String {
    """
    <?xml version="1.0" encoding="utf-8"?>
    <feed xmlns:im="http://itunes.apple.com/rss" xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
    <id>\(address(of: page))</id>
    <title>iTunes Store: Customer Reviews</title>
    <link rel="self" href="\(address(of: page))"/>
    <link rel="first" href="\(address(of: 1))"/>
    <link rel="last" href="\(address(of: lastPage))"/>
    <author><name>iTunes Store</name><uri>http://www.apple.com/itunes/</uri></author>
    \(reviews.map(entry).joined(separator: "\n"))
    </feed>

    """
  }

  private func address(of page: Int) -> String {
    "https://itunes.apple.com/\(country)/rss/customerreviews/page=\(page)/id=\(appId)"
      + "/sortby=mostrecent/xml"
  }

  private func entry(_ review: AppReview) -> String {
    """
    <entry>
    <updated>\(review.updatedAt.iso8601)</updated>
    <id>\(escaped(review.id))</id>
    <title>\(escaped(review.title))</title>
    <content type="text">\(escaped(review.text))</content>
    <im:contentType term="Application" label="Application"/>
    <im:rating>\(review.stars)</im:rating>
    <im:version>\(escaped(review.version))</im:version>
    <author><name>\(escaped(review.author))</name></author>
    <content type="html">&lt;b&gt;\(escaped(escaped(review.title)))&lt;/b&gt;</content>
    </entry>
    """
  }

  /// By scalars, since `<` and the mark behind it would be one character of another name.
  private func escaped(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
      case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
      case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
      default: escaped.append(scalar)
      }
    }
    return String(escaped)
  }
}
