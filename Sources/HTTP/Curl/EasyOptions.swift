import CCurl

/// Sets the options of one easy handle and remembers the first error.
struct EasyOptions {
  private let easy: UnsafeMutableRawPointer
  private(set) var firstFailure = CURLE_OK

  init(_ easy: UnsafeMutableRawPointer) {
    self.easy = easy
  }

  mutating func set(_ option: CURLoption, _ value: Int) {
    record(firetally_curl_set_long(easy, option, value))
  }

  mutating func set(_ option: CURLoption, offset value: Int) {
    record(firetally_curl_set_offset(easy, option, curl_off_t(value)))
  }

  /// Libcurl copies the text.
  mutating func set(_ option: CURLoption, _ value: String) {
    record(firetally_curl_set_text(easy, option, value))
  }

  /// The list must live as long as the handle.
  mutating func set(_ option: CURLoption, _ value: UnsafeMutablePointer<curl_slist>?) {
    record(firetally_curl_set_list(easy, option, value))
  }

  mutating func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer) {
    record(firetally_curl_set_pointer(easy, option, value))
  }

  mutating func receive(
    _ option: CURLoption,
    _ callback:
      @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?)
      -> Int
  ) {
    record(firetally_curl_set_write(easy, option, callback))
  }

  mutating func send(
    _ callback:
      @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?)
      -> Int
  ) {
    record(firetally_curl_set_read(easy, callback))
  }

  mutating func rewind(
    _ callback: @convention(c) (UnsafeMutableRawPointer?, curl_off_t, Int32) -> Int32
  ) {
    record(firetally_curl_set_seek(easy, callback))
  }

  private mutating func record(_ code: CURLcode) {
    if firstFailure == CURLE_OK { firstFailure = code }
  }
}

extension EasyOptions {
  /// Sets the options that all requests of a client share.
  mutating func apply(_ configuration: HTTPClient.Configuration) {
    record(firetally_curl_allow_only_http(easy))
    record(firetally_curl_leave_resolver(easy))
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    set(CURLOPT_TCP_KEEPALIVE, 1)
    set(CURLOPT_BUFFERSIZE, Self.bufferBytes)
    set(CURLOPT_UPLOAD_BUFFERSIZE, Self.uploadBufferBytes)
    set(CURLOPT_USERAGENT, configuration.userAgent)
    set(CURLOPT_ACCEPT_ENCODING, "gzip")
    set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    // Not recorded as an error: a libcurl without HTTP/2 refuses it and uses HTTP/1.1.
    _ = firetally_curl_set_long(
      easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    if let caFile = configuration.caFile { set(CURLOPT_CAINFO, caFile) }
  }

  mutating func apply(_ timeouts: HTTPTimeouts) {
    set(CURLOPT_CONNECTTIMEOUT_MS, timeouts.connect.curlMilliseconds)
    set(CURLOPT_LOW_SPEED_LIMIT, 1)
    set(CURLOPT_LOW_SPEED_TIME, timeouts.stall.curlSeconds)
    set(CURLOPT_TIMEOUT_MS, timeouts.total.curlMilliseconds)
  }

  mutating func apply(_ address: ParsedURL) {
    set(CURLOPT_URL, address.url)
    if address.isLoopback { set(CURLOPT_PROXY, "") }
    // Requests that start together share one HTTP/2 connection instead of opening one each.
    if address.scheme == "https" { set(CURLOPT_PIPEWAIT, 1) }
  }

  /// Larger than libcurl's 16 KiB, so that large pages arrive in fewer pieces; each of 128 streams
  /// has one.
  private static let bufferBytes = 64 << 10

  /// The smallest that libcurl takes: what is sent is a query or a few documents.
  private static let uploadBufferBytes = 16 << 10
}
