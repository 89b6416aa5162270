import CCurl
import Foundation
import Glibc

/// One request in progress: its easy handle and the memory that the handle points to.
///
/// The loop's thread makes it, and nothing else touches it.
final class Transfer {
  let easy: UnsafeMutableRawPointer
  /// Identifies the transfer to cancel.
  let origin: TransferRequest

  private let host: String
  private let request: HTTPRequest
  /// Resumed once, by `finish`, `fail` or `cancel`.
  private let continuation: CurlLoop.Continuation
  private let timeouts: HTTPTimeouts
  private let bodyLimit: Int
  /// Nil for HTTP.
  private let mail: MailDelivery?
  /// What an SMTP server answered last, in one line.
  private var answer = MailResponse()
  private let errorText: UnsafeMutablePointer<CChar>
  private var fields: UnsafeMutablePointer<curl_slist>?
  private var sentCount = 0
  private var headerBytes = 0
  private var response = HTTPResponse(status: 0)
  /// Set by a callback that stopped the transfer.
  private var ownError: HTTPError?

  /// Throws when libcurl refuses an option of the request; the continuation waits then.
  init(_ origin: TransferRequest, _ continuation: CurlLoop.Continuation) throws(HTTPError) {
    guard let easy = curl_easy_init() else {
      throw HTTPError.other(host: origin.host, code: 27, message: "out of memory")
    }
    let (exchange, configuration) = (origin.exchange, origin.configuration)
    self.easy = easy
    self.origin = origin
    self.continuation = continuation
    host = origin.host
    request = exchange.request
    timeouts = exchange.request.timeouts ?? configuration.timeouts
    bodyLimit = exchange.request.bodyLimit ?? configuration.bodyLimit
    mail = exchange.mail
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    var options = EasyOptions(easy: easy)
    options.apply(configuration)
    options.apply(timeouts)
    options.apply(exchange.address)
    if let mail {
      for recipient in mail.recipients { append(recipient) }
      options.apply(mail, to: fields, isLoopback: exchange.address.isLoopback)
    } else {
      apply(request.method, to: &options)
      apply(request.headers, to: &options)
    }
    connectCallbacks(&options)
    guard options.firstFailure == CURLE_OK else {
      throw CurlFailure.error(options.firstFailure, host: host)
    }
  }

  deinit {
    curl_easy_cleanup(easy)
    curl_slist_free_all(fields)
    errorText.deallocate()
  }

  func finish(_ code: CURLcode) {
    guard code == CURLE_OK, ownError == nil else {
      return continuation.resume(throwing: ownError ?? error(of: code))
    }
    response.status = firetally_curl_get_long(easy, CURLINFO_RESPONSE_CODE)
    response.receivedBytes = Int(firetally_curl_get_offset(easy, CURLINFO_SIZE_DOWNLOAD_T))
    response.duration = .microseconds(firetally_curl_get_offset(easy, CURLINFO_TOTAL_TIME_T))
    // Leaves the caller the only reference to the body, which it may then change in place.
    var answer = HTTPResponse(status: 0)
    swap(&answer, &response)
    continuation.resume(returning: answer)
  }

  func fail(code: Int, message: String) {
    continuation.resume(throwing: HTTPError.other(host: host, code: code, message: message))
  }

  func cancel() {
    continuation.resume(throwing: HTTPError.cancelled(host: host))
  }

  private func error(of code: CURLcode) -> HTTPError {
    if origin.isCancelled { return .cancelled(host: host) }
    if let error = mail?.error(of: code, after: answer.text, host: host) { return error }
    if isInHeader, code == CURLE_OUT_OF_MEMORY || code.rawValue == Self.tooLargeCode {
      // Older versions of libcurl report a header line that is too long as out of memory.
      return .headersTooLarge(host: host, limit: Self.headerLineLimit)
    }
    guard code == CURLE_OPERATION_TIMEDOUT else {
      return CurlFailure.error(
        code, text: String(cString: errorText),
        systemError: firetally_curl_get_long(easy, CURLINFO_OS_ERRNO), host: host)
    }
    let phase = timedOutPhase
    return .timedOut(host: host, phase: phase, after: timeouts[phase])
  }

  private var timedOutPhase: HTTPError.Phase {
    let isConnected = firetally_curl_get_offset(easy, CURLINFO_PRETRANSFER_TIME_T) > 0
    let elapsed = Duration.microseconds(firetally_curl_get_offset(easy, CURLINFO_TOTAL_TIME_T))
    // Libcurl's timers are coarser than the clock behind TOTAL_TIME.
    if elapsed + .milliseconds(20) >= timeouts.total { return .total }
    return isConnected ? .stall : .connect
  }

  /// What may stand around a header's value, of RFC 9110, and the end of its line.
  private static let blanks: CharacterSet = [" ", "\t", "\r", "\n"]

  /// Bytes of all header lines together; libcurl only limits each line.
  private static let headerLimit = 256 << 10

  /// Libcurl's limit of one line, CURL_MAX_HTTP_HEADER.
  fileprivate static let headerLineLimit = 100 << 10

  /// CURLE_TOO_LARGE, which older versions of curl.h do not define.
  fileprivate static let tooLargeCode: CURLcode.RawValue = 100

  /// Whether the connection is established and no byte of the body has arrived.
  fileprivate var isInHeader: Bool {
    response.body.isEmpty && firetally_curl_get_offset(easy, CURLINFO_PRETRANSFER_TIME_T) > 0
  }

  /// Returns false to end the transfer with `ownError`.
  fileprivate func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    headerBytes += line.count
    guard headerBytes <= Self.headerLimit else {
      ownError = .headersTooLarge(host: host, limit: Self.headerLimit)
      return false
    }
    guard response.body.isEmpty else { return true }
    let text = String(decoding: line, as: UTF8.self)
    guard mail == nil else {
      answer.add(text.trimmingCharacters(in: Self.blanks))
      return true
    }
    if text.hasPrefix("HTTP/") {
      response.headers = HTTPHeaders()
    } else if let colon = text.firstIndex(of: ":") {
      let value = text[text.index(after: colon)...]
      response.headers.add(String(text[..<colon]), value.trimmingCharacters(in: Self.blanks))
    }
    return true
  }

  /// Returns false to end the transfer with `ownError`.
  fileprivate func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= bodyLimit - response.body.count else {
      ownError = .tooLarge(host: host, limit: bodyLimit)
      return false
    }
    if response.body.isEmpty {
      if let buffers = request.buffers { response.body = buffers.take() }
      let announced = firetally_curl_get_offset(easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
      if announced > 0 { response.body.reserveCapacity(min(Int(announced), bodyLimit)) }
    }
    response.body.append(contentsOf: bytes)
    return true
  }

  fileprivate func sendBody(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, request.body.count - sentCount)
    buffer.copyBytes(from: request.body[sentCount..<sentCount + count])
    sentCount += count
    return count
  }

  /// False keeps libcurl from sending the body again on another connection.
  fileprivate func rewindBody() -> Bool {
    guard request.method.isIdempotent else { return false }
    sentCount = 0
    return true
  }

  private func apply(_ method: HTTPRequest.Method, to options: inout EasyOptions) {
    switch method {
    case .get: options.set(CURLOPT_HTTPGET, 1)
    case .head: options.set(CURLOPT_NOBODY, 1)
    case .delete where request.body.isEmpty: break
    case .post, .put, .patch, .delete:
      options.set(CURLOPT_POST, 1)
      options.set(CURLOPT_POSTFIELDSIZE_LARGE, offset: request.body.count)
    }
    if method != .get, method != .head { options.set(CURLOPT_CUSTOMREQUEST, method.rawValue) }
  }

  private func apply(_ headers: HTTPHeaders, to options: inout EasyOptions) {
    for field in headers.fields {
      append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
    }
    append("Expect:")
    if headers["Content-Type"] == nil { append("Content-Type:") }
    options.set(CURLOPT_HTTPHEADER, fields)
  }

  private func append(_ line: String) {
    fields = curl_slist_append(fields, line)
  }

  private func connectCallbacks(_ options: inout EasyOptions) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    options.set(CURLOPT_ERRORBUFFER, pointer: errorText)
    for option in [CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA] {
      options.set(option, pointer: context)
    }
    options.record(
      firetally_curl_set_write(easy, CURLOPT_WRITEFUNCTION) { bytes, _, count, context in
        transfer(context)?.receiveBody(UnsafeRawBufferPointer(start: bytes, count: count)) == true
          ? count : 0
      })
    options.record(
      firetally_curl_set_write(easy, CURLOPT_HEADERFUNCTION) { bytes, _, count, context in
        transfer(context)?.receiveHeader(UnsafeRawBufferPointer(start: bytes, count: count)) == true
          ? count : 0
      })
    options.record(
      firetally_curl_set_read(easy) { buffer, size, count, context in
        transfer(context)?.sendBody(
          into: UnsafeMutableRawBufferPointer(start: buffer, count: size * count)) ?? 0
      })
    options.record(
      firetally_curl_set_seek(easy) { context, _, _ in
        transfer(context)?.rewindBody() == true ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
      })
    guard mail != nil else { return }
    options.set(CURLOPT_XFERINFODATA, pointer: context)
    // Asked about each second.
    options.record(
      firetally_curl_set_progress(easy) { context, _, _, _, _ in
        transfer(context)?.origin.isCancelled == true ? 1 : 0
      })
    options.set(CURLOPT_NOPROGRESS, 0)
  }
}

private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
  context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
}

extension HTTPTimeouts {
  fileprivate subscript(phase: HTTPError.Phase) -> Duration {
    switch phase {
    case .connect: connect
    case .stall: stall
    case .total: total
    }
  }
}

/// Sets the options of one easy handle and remembers the first error.
struct EasyOptions {
  let easy: UnsafeMutableRawPointer
  private(set) var firstFailure = CURLE_OK

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

  mutating func record(_ code: CURLcode) {
    if firstFailure == CURLE_OK { firstFailure = code }
  }

  /// Sets the options that all requests of a client share.
  mutating func apply(_ configuration: HTTPClient.Configuration) {
    record(firetally_curl_allow_only_http(easy))
    record(firetally_curl_leave_resolver(easy))
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    set(CURLOPT_TCP_KEEPALIVE, 1)
    set(CURLOPT_UPLOAD_BUFFERSIZE, Self.uploadBufferBytes)
    set(CURLOPT_USERAGENT, configuration.userAgent)
    set(CURLOPT_ACCEPT_ENCODING, "gzip")
    set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    // Not recorded as an error: a libcurl without HTTP/2 refuses it and uses HTTP/1.1.
    _ = firetally_curl_set_long(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    if let caFile = configuration.caFile { set(CURLOPT_CAINFO, caFile) }
  }

  mutating func apply(_ timeouts: HTTPTimeouts) {
    set(CURLOPT_CONNECTTIMEOUT_MS, timeouts.connect.curlMilliseconds)
    set(CURLOPT_LOW_SPEED_LIMIT, HTTPTimeouts.slowestRate)
    set(CURLOPT_LOW_SPEED_TIME, timeouts.stall.curlSeconds)
    set(CURLOPT_TIMEOUT_MS, timeouts.total.curlMilliseconds)
  }

  mutating func apply(_ address: ParsedURL) {
    set(CURLOPT_URL, address.url)
    if address.isNear { set(CURLOPT_PROXY, "") }
    // Requests that start together share one HTTP/2 connection instead of opening one each.
    if address.scheme == "https" { set(CURLOPT_PIPEWAIT, 1) }
  }

  /// The smallest that libcurl takes: what is sent is a query or a few documents.
  private static let uploadBufferBytes = 16 << 10
}

/// The process-wide state of libcurl.
enum CurlLibrary {
  /// Initializes libcurl, once a process.
  private static let started = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

  /// Initializes libcurl; must be called before any other libcurl function.
  static func start() throws(HTTPError) {
    guard started == CURLE_OK else {
      let reason = String(cString: curl_easy_strerror(started))
      throw .invalidRequest(reason: "libcurl did not start: \(reason)")
    }
  }
}

/// What libcurl's result codes mean.
enum CurlFailure {
  /// `text` is libcurl's, which never contains a header or a query, empty for the code's own;
  /// `systemError` is the `errno` of the failed call, 0 when unknown.
  static func error(
    _ code: CURLcode, text: String = "", systemError: Int = 0, host: String
  ) -> HTTPError {
    let reason = text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
    return switch code {
    case CURLE_URL_MALFORMAT: .invalidRequest(reason: reason)
    case CURLE_COULDNT_RESOLVE_HOST: .resolveFailed(host: host)
    case CURLE_COULDNT_RESOLVE_PROXY:
      .resolveFailed(host: "\(HTTPError.proxyPrefix)\(host)")
    case CURLE_COULDNT_CONNECT: .refused(host: host)
    case CURLE_SSL_CONNECT_ERROR where systemError == Int(ECONNRESET):
      .cutShort(host: host, reason: reason)
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_NOTFOUND,
      CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CRL_BADFILE,
      CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS,
      CURLE_USE_SSL_FAILED:
      .tls(host: host, reason: reason)
    case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2,
      CURLE_HTTP2_STREAM, CURLE_SEND_FAIL_REWIND:
      .cutShort(host: host, reason: reason)
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
      .malformed(host: host, reason: reason)
    default: .other(host: host, code: Int(code.rawValue), message: reason)
    }
  }
}
