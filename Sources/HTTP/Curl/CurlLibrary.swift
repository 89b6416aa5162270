import CCurl

/// The process-wide state of libcurl.
enum CurlLibrary {
  /// Read before the first use; libcurl starts up exactly once, when somebody needs it.
  static let start: Void = {
    curl_global_init(Int(CURL_GLOBAL_DEFAULT))
  }()
}
