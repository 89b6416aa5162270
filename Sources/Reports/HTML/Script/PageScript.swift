/// A script within a page, for what paper cannot do: docs/reports.md#with-javascript.
///
/// The sources are JavaScript files in this folder, compiled into the program.
struct PageScript: Hashable, Sendable {
  /// The text between the tags.
  let text: String
  /// `sha256-` and the digest of the text in base 64; a test checks it.
  let digest: String

  /// Sorts and filters tables; the other scripts use its functions.
  static let tables = PageScript(
    [PackageResources.page_js, PackageResources.tables_js],
    digest: "sha256-i8ekc7DZbygZ7moisEw12BOKf6C2zb33VwMBmkT6BlM=")
  /// Chooses the range of days that charts by day draw.
  static let days = PageScript(
    [PackageResources.days_js], digest: "sha256-IYUw+V0p+TGHlitBdULXBkxw62D/VLS9slnZrl0I3qU=")
  /// Searches in comments.
  static let feedback = PageScript(
    [PackageResources.feedback_js], digest: "sha256-FK94lDyO3qcFvjGl9I+lQNA4sn1e1BahP6WMEVPsJGM=")
  /// Shows two days of the past reports beside each other.
  static let compare = PageScript(
    [PackageResources.compare_js], digest: "sha256-MNOSILpSaJuCCwjMFJOMHLRfjc5ktXlrBWKiWJcfY5c=")

  /// The scripts that the pages of the reports need, in the order in which they run.
  static func needed(by reports: [Report]) -> [PageScript] {
    let blocks = reports.flatMap(\.sections).flatMap(\.blocks)
    var scripts = [tables]
    if blocks.contains(where: \.isDailyChart) { scripts.append(days) }
    if blocks.contains(where: \.isFeedback) { scripts.append(feedback) }
    if reports.contains(where: { $0.name == .history }) { scripts.append(compare) }
    return scripts
  }

  private init(_ sources: [[UInt8]], digest: String) {
    let lines = sources.flatMap { source in
      String(decoding: source, as: UTF8.self).split(separator: "\n").map { line in
        line.drop { $0 == " " }
      }
    }
    text = UnescapedText.marked(
      lines.filter { !$0.isEmpty && !$0.hasPrefix("//") }.joined(separator: "\n"))
    self.digest = digest
  }
}

extension Block {
  /// Shorter lists have no search.
  private static let fewestSearched = 5

  fileprivate var isDailyChart: Bool {
    guard case .chart(let chart) = self else { return false }
    return chart.hasRange
  }

  fileprivate var isFeedback: Bool {
    guard case .feedback(let list) = self else { return false }
    return !list.entries.isEmpty && list.shownLimit >= Block.fewestSearched
  }
}
