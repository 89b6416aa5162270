import CZlib
import Glibc
package import Model

/// Writes events as lines that `GA4Export` reads, plain or gzip.
package final class GA4ExportWriter {
  private let path: String
  /// Nil after `finish`.
  private var file: gzFile?
  /// The `errno` of the failed write; 0 without a failure.
  package private(set) var failureCode: Int32 = 0

  /// Writes to an open file, which the writer does not close; errors name it by `path`.
  ///
  /// Throws `FeedError.cannotWrite`.
  package init(descriptor: Int32, path: String, isGzip: Bool) throws(FeedError) {
    self.path = path
    let copy = dup(descriptor)
    // T: transparent, without gzip.
    file = copy < 0 ? nil : gzdopen(copy, isGzip ? "wbe" : "wbeT")
    guard file != nil else { throw failure() }
    gzbuffer(file, 256 << 10)
  }

  deinit {
    if let file { gzclose_w(file) }
  }

  /// Throws `FeedError.cannotWrite`.
  package func write(_ event: Event) throws(FeedError) {
    var line = GA4Export.line(for: event)
    line += "\n"
    let count = line.withUTF8 { gzwrite(file, $0.baseAddress, UInt32($0.count)) }
    guard count > 0 else { throw failure() }
  }

  /// Flushes the buffer.
  ///
  /// Throws `FeedError.cannotWrite`.
  package func finish() throws(FeedError) {
    guard let file else { return }
    self.file = nil
    guard gzclose_w(file) == Z_OK else { throw failure() }
  }

  private func failure() -> FeedError {
    failureCode = errno
    return .cannotWrite(path: path, reason: String(cString: strerror(failureCode)))
  }
}

extension GA4Export {
  /// The event as a line of the export without its line end, with parameters sorted by name.
  ///
  /// Reading it gives an equal event, except for empty texts (read as missing), infinite doubles
  /// and NaN (read as strings) and instants outside of the years 1970 to 9999 (rejected).
  package static func line(for event: Event) -> String {
    var members = [
      "\"event_timestamp\":\"\(event.at.microseconds)\"",
      "\"event_name\":\(quoted(event.name))",
      "\"event_params\":[\(parameters(of: event))]",
    ]
    if !event.userId.isEmpty { members.append("\"user_id\":\(quoted(event.userId))") }
    if let country = event.country { members.append("\"geo\":{\"country\":\(quoted(country))}") }
    if let version = event.appVersion {
      members.append("\"app_info\":{\"version\":\(quoted(version))}")
    }
    return "{\(members.joined(separator: ","))}"
  }

  private static func parameters(of event: Event) -> String {
    event.parameters.sorted { $0.key < $1.key }
      .map { "{\"key\":\(quoted($0.key)),\"value\":{\(member(of: $0.value))}}" }
      .joined(separator: ",")
  }

  private static func member(of value: EventValue) -> String {
    switch value {
    case .string(let text): "\"string_value\":\(quoted(text))"
    case .integer(let number): "\"int_value\":\"\(number)\""
    case .double(let number) where number.isFinite: "\"double_value\":\(number)"
    case .double(let number): "\"double_value\":\"\(number)\""
    }
  }

  private static func quoted(_ text: String) -> String {
    "\"\(JSONText.encode(text))\""
  }
}
