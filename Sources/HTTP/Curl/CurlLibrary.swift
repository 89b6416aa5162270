import CCurl

/// The process-wide state of libcurl.
enum CurlLibrary {
  /// Why libcurl cannot be used; nil once it is loaded and started up, which happens exactly once.
  private static let failure: String? = {
    if let reason = firetally_curl_load() { return String(cString: reason) }
    let code = curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    return code == CURLE_OK ? nil : String(cString: curl_easy_strerror(code))
  }()

  /// Makes libcurl ready for use; comes before everything else that is asked of it.
  static func start() throws(HTTPError) {
    if let failure { throw .noLibrary(reason: failure) }
  }
}
