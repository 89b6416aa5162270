import Crypto
package import Feeds
import Firestore
package import Model
import Platform
import Reports
import Store
package import Workspace

/// How a job of kind `import-purchases` works; see `docs/jobs/import-purchases.md`.
package struct ImportPurchasesOptions: JobKind {
  package static let kind = JobKindName("import-purchases")

  /// Glob patterns; relative ones count from the workspace.
  package var files: [String] = []
  /// Tables of jobs of kind `sync-collection` that hold RevenueCat's events.
  package var purchaseTables: [String] = []
  /// The service that provides reports to download; nil for none.
  package var fetch: PurchaseFetch?
  /// The key of App Store Connect's API, its id and issuer, and the vendor of the reports.
  package var keyId = ""
  package var issuerId = ""
  package var keyFile = ""
  package var vendor = ""
  package var reports = AppStoreConnectReport.allCases
  /// The number of days before today whose reports are requested.
  package var days = 35
  /// Files of certificates to trust as signers, instead of Apple's root.
  package var roots: [String] = []

  package static let options = OptionKeys(
    ImportPurchasesOptions(),
    [
      .key("files", \.files, .texts), .key("tables", \.purchaseTables, .texts),
      .key("roots", \.roots, .texts), .key("fetch", \.fetch, .choice),
      .key("key_id", \.keyId, .word), .key("issuer_id", \.issuerId, .word),
      .key("key_file", \.keyFile, .text), .key("vendor", \.vendor, .word),
      .key("reports", \.reports, .choices(of: AppStoreConnectReport.self)),
      .key("days", \.days, .integer(dayCounts)),
    ])

  /// Apple keeps daily reports for a year.
  package static let dayCounts = 1...365

  package mutating func check(_ reader: MappingReader, job: String) {
    if files.isEmpty, purchaseTables.isEmpty, fetch == nil {
      reader.missing("files", "list files, 'files: [data/inbox/purchases/*]', or 'tables'")
    }
    for (key, value) in [
      ("key_id", keyId), ("issuer_id", issuerId), ("key_file", keyFile), ("vendor", vendor),
    ] where fetch != nil && value.isEmpty {
      reader.missing(key, "it is needed to fetch reports")
    }
  }

  /// The folder of downloaded reports.
  static let downloads = "data/app-store"

  package var exportPatterns: [String] { files + (fetch == nil ? [] : ["\(Self.downloads)/*.gz"]) }

  package func work(_ job: String, _ context: JobContext) throws -> any JobWork {
    ImportPurchasesWork(options: self, context: context)
  }
}

/// A service that provides reports to download.
package enum PurchaseFetch: String, CaseIterable, Hashable, Sendable {
  case appStoreConnect = "app-store-connect"
}

extension KeyType<String> {
  /// Letters, digits and hyphens, as in Apple's ids.
  fileprivate static var word: Self {
    .text(wanted: "letters, digits and hyphens, as App Store Connect shows it") { text in
      text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
          || byte == UInt8(ascii: "-")
      }
    }
  }
}

/// The work of the kind `import-purchases`: reads purchases from the exports of stores and
/// RevenueCat; see `docs/jobs/import-purchases.md`.
///
/// The rows of a file and the mark that it was read are stored in one transaction, so an
/// interrupted run costs only time.
struct ImportPurchasesWork: JobWork {
  let options: ImportPurchasesOptions
  let context: JobContext

  func plan() throws -> String {
    let sources = try changedFiles().map(\.path) + options.purchaseTables.map { "the table \($0)" }
    return sources.isEmpty ? "No new files." : "Would read \(sources.joined(separator: ", "))."
  }

  func perform(within budget: RunBudget) async throws -> JobResult {
    var tally = PurchaseTally()
    let erased = try context.store.read { try $0.erasedPeople() }
    let roots = try trustedRoots()
    if options.fetch != nil { tally.add(try await fetchReports()) }
    for file in try changedFiles() {
      try Task.checkCancellation()
      do {
        tally.add(try read(file, trusting: roots, without: erased))
      } catch let error as FeedError {
        tally.problems.append(error)
      }
    }
    for table in options.purchaseTables {
      try Task.checkCancellation()
      tally.add(try read(table, without: erased))
    }
    return tally.result
  }

  private func changedFiles() throws -> [ExportFile] {
    let files = Set(
      options.exportPatterns.flatMap { ExportFile.matching($0, in: context.workspace) })
    return try context.store.read { reader in
      try files.sorted { $0.path < $1.path }
        .filter { try reader.mark(named: $0.purchasesName) != $0.version }
    }
  }

  /// The largest size of a certificate file, in bytes.
  private static let largestCertificate = 1 << 20

  private func trustedRoots() throws -> Set<String> {
    guard !options.roots.isEmpty else { return [SignedPayloads.appleRoot] }
    let digests = try options.roots.map { root in
      let path = context.workspace.path(root)
      guard
        let digest = CertificateChain.digest(
          ofFile: try FileContents.bytes(of: path, limit: Self.largestCertificate))
      else {
        throw WorkspaceError.refused(
          .badData, "\(path) is no certificate. Name a file in DER or PEM under 'roots'.")
      }
      return digest
    }
    return Set(digests)
  }

  private func fetchReports() async throws -> AppStoreFetch.Outcome {
    let source = SecretSource.file(path: options.keyFile)
    let pem = try source.secret(of: "key", in: context.workspace, environment: [:])
    let access = AppStoreConnectAccess(
      keyId: options.keyId, issuerId: options.issuerId, vendor: options.vendor, pem: pem.revealed)
    guard let access else {
      throw WorkspaceError.refused(
        .configuration,
        "The file that key_file names is no private key. Download the key of App Store Connect's "
          + "API, AuthKey_ID.p8, and name that file.")
    }
    let client = context.services.appStoreConnect(access)
    let now = context.now
    let fetch = AppStoreFetch(
      folder: context.workspace.path(ImportPurchasesOptions.downloads), vendor: options.vendor,
      reports: options.reports, days: options.days, store: context.store
    ) { try await client.report($0, of: $1, now: now) }
    var outcome = try await fetch.run(at: now)
    outcome.keyWarning = source.warning(in: context.workspace)
    return outcome
  }

  /// Stores a file in one transaction: all of it, or nothing.
  private func read(
    _ file: ExportFile, trusting roots: Set<String>, without erased: ErasedPeople
  ) throws -> PurchaseTally.Part {
    let pages = ReadAhead<PurchasePage>(mostWaiting: 1)
    defer { pages.giveUp() }
    pages.start {
      let reader = try PurchaseReader(path: file.path, signed: SignedPayloads(roots: roots))
      var hasEnded = false
      return {
        guard !hasEnded else { return nil }
        let purchases = try reader.nextPage()
        hasEnded = purchases == nil
        var page = PurchasePage(lineCount: reader.lineCount, otherCount: reader.otherCount)
        for purchase in purchases ?? [] { page.add(purchase, without: erased) }
        return page
      }
    }
    var part = PurchaseTally.Part()
    context.observer.begin(file.path, "lines")
    part.stored = try context.store.write { writer in
      let stored = try writer.addPurchases { add in
        while let page = try pages.next() {
          try add(page.rows)
          context.observer.advance(by: page.lineCount - part.fetched, of: nil)
          (part.fetched, part.others) = (page.lineCount, page.otherCount)
          part.erased += page.erasedCount
        }
      }
      try writer.setMark(file.version, named: file.purchasesName)
      return stored
    }
    return part
  }

  /// Reads the documents that were written since the last run.
  private func read(_ table: String, without erased: ErasedPeople) throws -> PurchaseTally.Part {
    var part = PurchaseTally.Part(isTable: true)
    let mark: MarkName = "purchases of \(table)"
    part.stored = try context.store.write { writer in
      guard try writer.hasColumns(of: table) else {
        part.warning = "The table \(table) is missing: run its job of kind sync-collection first."
        return PurchaseCounts()
      }
      let last = try writer.mark(named: mark).flatMap(Int64.init)
      var newest: Instant?
      let stored = try writer.addPurchases { add in
        newest = try writer.forEachText(
          of: RevenueCatEvent.names, in: table,
          writtenSince: last.map(Instant.init(microseconds:)), at: context.now
        ) { texts in
          if let purchase = part.purchase(of: texts, in: table) {
            var page = PurchasePage()
            page.add(purchase, without: erased)
            part.erased += page.erasedCount
            try add(page.rows)
          }
        }
      }
      if let newest { try writer.setMark("\(newest.microseconds)", named: mark) }
      return stored
    }
    return part
  }
}

/// The purchases in a part of a file; the last part of a file is empty.
private struct PurchasePage: Sendable {
  var rows = PurchaseRows()
  /// The number of lines of the file so far.
  var lineCount = 0
  /// The number of records so far that say nothing of money.
  var otherCount = 0
  /// The number of purchases in this part that name an erased person.
  var erasedCount = 0

  /// Adds a purchase, or counts one that names an erased person.
  mutating func add(_ purchase: Purchase, without people: ErasedPeople) {
    let isErased =
      !people.isEmpty
      && (people.contains(purchase.person)
        || (purchase.previousPerson.map { people.contains($0) } ?? false))
    if isErased { erasedCount += 1 } else { rows.append(purchase) }
  }
}

extension ExportFile {
  fileprivate var purchasesName: MarkName { "purchases of \(path)" }
}

/// The counts of one run.
private struct PurchaseTally {
  /// The counts of one file, or of a table's new rows.
  struct Part {
    var isTable = false
    var fetched = 0
    var others = 0
    var erased = 0
    var unreadable = 0
    var stored = PurchaseCounts()
    var warning: String?

    /// Returns the purchase that a table's document describes; nil if it describes none.
    mutating func purchase(of texts: [String: String], in table: String) -> Purchase? {
      fetched += 1
      do throws(PurchaseFault) {
        let purchase = try RevenueCatEvent(texts).purchase(from: .firestore)
        if purchase == nil { others += 1 }
        return purchase
      } catch {
        unreadable += 1
        warning = warning ?? "\(table): a document cannot be read: \(error.reason)."
        return nil
      }
    }
  }

  var problems: [FeedError] = []
  private var counts = RunCounts()
  private var fileCount = 0
  private var tableCount = 0
  private var warnings: [String] = []

  mutating func add(_ part: Part) {
    if part.isTable { tableCount += 1 } else { fileCount += 1 }
    counts.fetched += part.fetched
    counts.inserted += part.stored.inserted
    counts.updated += part.stored.updated
    counts.unchanged += part.stored.unchanged
    for (reason, count) in [
      ("no-money", part.others), (ErasedPeople.countedAs, part.erased),
      ("unreadable", part.unreadable),
    ] where count > 0 {
      counts.skipped[reason, default: 0] += count
    }
    warnings += [part.warning].compactMap(\.self)
  }

  mutating func add(_ fetched: AppStoreFetch.Outcome) {
    counts.requests += fetched.requests
    warnings += [fetched.warning, fetched.keyWarning].compactMap(\.self)
  }

  var result: JobResult {
    guard fileCount + tableCount + problems.count + warnings.count > 0 else {
      return JobResult(.fresh, "No new files.")
    }
    let summary =
      "\(NumberWords.counted(counts.inserted, "new purchase event")) in "
      + "\(NumberWords.counted(fileCount, "file"))"
      + (tableCount > 0 ? " and \(NumberWords.counted(tableCount, "table"))" : "")
      + ", \(NumberWords.grouped(counts.updated)) updated, "
      + "\(NumberWords.grouped(counts.unchanged)) known."
    return JobResult(
      problems.isEmpty ? (warnings.isEmpty ? .ok : .partial) : .failed, summary, counts: counts,
      warnings: warnings + problems.dropFirst().map(\.description), problem: problems.first)
  }
}
