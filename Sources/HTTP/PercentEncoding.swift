import CCurl

/// Percent-encoding of URL parts, RFC 3986.
package enum PercentEncoding {
  /// Encodes one path segment, `/`, `?`, `#`, `%`, `:` and spaces included.
  ///
  /// Parentheses stay: every Google client sends `(default)` literally.
  package static func path(_ segment: String) -> String {
    query(segment).replacing("%28", with: "(").replacing("%29", with: ")")
  }

  /// Encodes a name or a value of a query string or a form; a space becomes `%20`.
  package static func query(_ text: String) -> String {
    // For 0 bytes libcurl would look for the text's end.
    guard !text.isEmpty, let escaped = curl_easy_escape(nil, text, Int32(text.utf8.count)) else {
      return ""
    }
    defer { curl_free(escaped) }
    return String(cString: escaped)
  }
}

extension String {
  /// A base URL to which a path can be appended.
  package var withoutTrailingSlashes: String {
    var text = self[...]
    while text.last == "/" { text.removeLast() }
    return String(text)
  }
}
