package import Model

/// Reads a file of purchases of any form that docs/purchases.md#files names, plain or gzip, page by
/// page.
///
/// The form is known by the first line. The first record that cannot be read ends the file with an
/// error that names its line.
package final class PurchaseReader {
  /// The longest accepted line in bytes.
  package static let longestLine = 4 << 20

  private static let pageSize = 4_000

  /// Lines read so far, in an array elements.
  package private(set) var lineCount = 0
  /// Records so far that say nothing of money.
  package private(set) var otherCount = 0

  private let path: String
  private let lines: LineReader
  private let signed: SignedPayloads
  private var form: (any PurchaseForm)?

  /// - Parameters:
  ///   - path: the file.
  ///   - signed: checks what Apple has signed.
  /// - Throws: `FeedError` for a file that cannot be opened.
  package init(path: String, signed: SignedPayloads = SignedPayloads()) throws(FeedError) {
    self.path = path
    self.signed = signed
    lines = try LineReader(path: path, longestLine: Self.longestLine)
  }

  /// The purchases of the next lines; nil after the last ones.
  package func nextPage() throws(FeedError) -> [Purchase]? {
    var page: [Purchase] = []
    while page.count < Self.pageSize {
      guard let outcome = try lines.nextRecord(read) else {
        if form?.isOpen == true { throw refusal(lineCount, "the file ends inside a quoted field") }
        return page.isEmpty ? nil : page
      }
      switch outcome {
      case .purchases(let found):
        otherCount += found.isEmpty ? 1 : 0
        page += found
      case .nothing: break
      case .fault(let fault): throw refusal(lineCount, fault.reason)
      }
    }
    return page
  }

  private enum Outcome {
    case purchases([Purchase])
    /// A blank line, a header, or a line within a record.
    case nothing
    case fault(PurchaseFault)
  }

  private func read(_ line: LineReader.Line) -> Outcome {
    lineCount = line.number
    do throws(PurchaseFault) {
      guard !line.isTooLong else {
        throw PurchaseFault("it is longer than \(Self.longestLine) bytes")
      }
      guard let form else {
        let bytes = line.content
        guard !Self.isBlank(bytes) else { return .nothing }
        let found = try PurchaseForms.form(of: bytes, path: path, signed)
        form = found
        guard let rows = try found.begin(bytes) else { return .nothing }
        return .purchases(rows)
      }
      guard form.isOpen || !Self.isBlank(line.bytes) else { return .nothing }
      guard let rows = try form.read(line.bytes) else { return .nothing }
      return .purchases(rows)
    } catch {
      return .fault(error)
    }
  }

  private static func isBlank(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 }
  }

  private func refusal(_ line: Int, _ reason: String) -> FeedError {
    .cannotRead(path: path, reason: "line \(line): \(reason)")
  }
}

/// Why a record says nothing that can be stored: the end of a sentence, which quotes no value.
package struct PurchaseFault: Error, Hashable, Sendable {
  package let reason: String

  package init(_ reason: String) { self.reason = reason }
}

/// One form of files of purchases.
protocol PurchaseForm: AnyObject {
  /// Whether the record goes on in the next line.
  var isOpen: Bool { get }

  /// Reads the first line, which may be a header; nil for one.
  func begin(_ line: UnsafeBufferPointer<UInt8>) throws(PurchaseFault) -> [Purchase]?

  /// Reads another line; nil for one within a record.
  func read(_ line: UnsafeBufferPointer<UInt8>) throws(PurchaseFault) -> [Purchase]?
}

enum PurchaseForms {
  /// The form of a file by its first line.
  ///
  /// - Throws: `PurchaseFault` for a form that is not known.
  static func form(
    of line: UnsafeBufferPointer<UInt8>, path: String, _ signed: SignedPayloads
  ) throws(PurchaseFault) -> any PurchaseForm {
    // The beginning of {" in base64url.
    if line.starts(with: "eyJ".utf8) { return AppStoreNotifications(signed) }
    if line.first == UInt8(ascii: "{") {
      let isSigned = WholeWord.isFound(
        Array("signedPayload".utf8), in: UnsafeRawBufferPointer(line))
      return isSigned ? AppStoreNotifications(signed) : JSONLines()
    }
    var record = DelimitedRecord(line.contains(0x09) ? .tab : .comma)
    try record.read(line)
    let names = record.texts
    if RevenueCatExport.isHeader(names) { return ExportLines(try RevenueCatExport(header: names)) }
    if let report = try AppStoreReport(header: names, path: path) { return report }
    throw PurchaseFault("it begins no file of purchases that is known")
  }
}

/// Events of RevenueCat.
private final class JSONLines: PurchaseForm {
  let isOpen = false

  func begin(_ line: UnsafeBufferPointer<UInt8>) throws(PurchaseFault) -> [Purchase]? {
    try read(line)
  }

  func read(_ line: UnsafeBufferPointer<UInt8>) throws(PurchaseFault) -> [Purchase]? {
    let event: RevenueCatEvent
    do throws(JSONScanner.Fault) {
      event = try RevenueCatEvent(in: line)
    } catch {
      throw PurchaseFault(error.reason)
    }
    return try event.purchase(from: .revenueCat).map { [$0] } ?? []
  }
}

/// Rows of RevenueCat's export.
private final class ExportLines: PurchaseForm {
  var isOpen: Bool { record.isOpen }
  private let export: RevenueCatExport
  private var record = DelimitedRecord(.comma)

  init(_ export: RevenueCatExport) { self.export = export }

  func begin(_ line: UnsafeBufferPointer<UInt8>) throws(PurchaseFault) -> [Purchase]? { nil }

  func read(_ line: UnsafeBufferPointer<UInt8>) throws(PurchaseFault) -> [Purchase]? {
    try record.read(line)
    return record.isOpen ? nil : try export.purchases(record)
  }
}
