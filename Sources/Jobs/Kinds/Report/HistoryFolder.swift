import Glibc
package import Platform
import ReportWriters
import Reports
import Synchronization
package import Workspace

/// The dated copies of the reports: `history` in the output folder; see `docs/reports.md#history`.
///
/// Files that Firetally did not write stay untouched, even inside a copy that is removed.
package struct HistoryFolder {
  /// The largest summary that is read, in bytes.
  private static let summaryLimit = 1 << 20
  /// The largest page that a link is written into, in bytes.
  private static let pageLimit = 1 << 26

  package let path: String
  fileprivate let mode: FileMode
  fileprivate let calls: FileCalls
  /// The writer in the names of unfinished folders.
  fileprivate let writer: DraftWriter

  package init(
    path: String, mode: FileMode = .ownerOnly, calls: FileCalls = .system,
    writer: DraftWriter = .current
  ) {
    self.path = path
    self.mode = mode
    self.calls = calls
    self.writer = writer
  }

  /// Creates the folder if it is missing, and recovers what interrupted processes left in it.
  func prepare() throws(WorkspaceError) {
    guard calls.makeFolder(path) == 0 || errno == EEXIST else {
      throw .cannot("make the folder", path)
    }
    try mode.apply(toFolder: path)
    try alone { () throws(WorkspaceError) in
      let left = try FileContents.names(in: path)
        .filter { AtomicFile.isAbandoned($0, in: path) }
      for name in left where !isFolder(name) { try remove("\(path)/\(name)") }
      // Of two copies of a day, the one that was to replace the other.
      for name in left.filter(isFolder).sorted(by: { finishedAt($0) > finishedAt($1) }) {
        try recover(name)
      }
    }
  }

  /// The days that have a copy, as `2026-11-20`, newest first.
  package func days() throws(WorkspaceError) -> [String] {
    guard access(path, F_OK) == 0 else { return [] }
    return try alone(copies)
  }

  private func copies() throws(WorkspaceError) -> [String] {
    try FileContents.names(in: path)
      .filter { isCopy($0) && CivilDay(iso8601: $0) != nil }.reversed()
  }

  /// Returns the summary in the copy of a day; nil when it cannot be read.
  func report(of day: String) -> PastReport? {
    do {
      return PastReport(
        decoding: try FileContents.bytes(of: summary(in: day), limit: Self.summaryLimit))
    } catch {
      return nil
    }
  }

  func report(before day: String) throws(WorkspaceError) -> EarlierReport {
    guard let last = try days().first(where: { $0 < day }) else { return .absent }
    return report(of: last).map { .report($0) } ?? .unreadable(day: last)
  }

  /// Removes all copies except the newest `count`; the copy of `today` always stays.
  func prune(keeping count: Int, today: String) throws(WorkspaceError) {
    try alone { () throws(WorkspaceError) in
      for day in try copies().dropFirst(count) where day != today { try removeCopy(of: day) }
    }
  }

  /// Sets or removes the link on one side in the pages of a copy.
  func link(
    _ day: String, to link: PageLayout.PastLink?, on side: PastDayLinks.Side
  ) throws(WorkspaceError) {
    try alone { () throws(WorkspaceError) in
      guard isCopy(day) else { return }
      for name in try FileContents.names(in: "\(path)/\(day)")
      where Self.isOwn(name) && name.hasSuffix(".html") {
        let file = "\(path)/\(day)/\(name)"
        let bytes = try FileContents.bytes(of: file, limit: Self.pageLimit)
        guard let page = PastDayLinks.page(bytes, with: link, on: side) else { continue }
        try AtomicFile.write(page, to: file, mode: mode, calls: calls)
      }
    }
  }

  package func remove(days: [String]) throws(WorkspaceError) {
    try alone { () throws(WorkspaceError) in
      for day in days { try removeCopy(of: day) }
    }
  }

  /// Runs `body` under an exclusive lock of the folder: reports need no other lock.
  ///
  /// On a file system without locks, `body` runs anyway.
  private func alone<Value>(
    _ body: () throws(WorkspaceError) -> Value
  ) throws(WorkspaceError) -> Value {
    let folder = try FileDescriptor.open(path, O_RDONLY | O_DIRECTORY, to: "read")
    while flock(folder.number, LOCK_EX) != 0, errno == EINTR {}
    defer { flock(folder.number, LOCK_UN) }
    return try body()
  }

  private func summary(in name: String) -> String { "\(path)/\(name)/\(PastReport.fileName)" }

  /// Whether a folder is a complete copy: the summary is written last and removed last.
  private func isCopy(_ name: String) -> Bool { access(summary(in: name), F_OK) == 0 }

  private func isFolder(_ name: String) -> Bool {
    var status = stat()
    return lstat("\(path)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// When the summary in a folder was written, in nanoseconds since 1970; 0 without one.
  private func finishedAt(_ name: String) -> Int {
    var status = stat()
    guard stat(summary(in: name), &status) == 0 else { return 0 }
    return status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
  }

  /// Recovers an interrupted folder: a complete copy moves to its day if that is free, others go.
  private func recover(_ name: String) throws(WorkspaceError) {
    let day = String(name.dropFirst().prefix { $0 != "." })
    let folder = "\(path)/\(name)"
    guard CivilDay(iso8601: day) != nil else { return try removeOwn(in: folder) }
    if access("\(path)/\(day)", F_OK) == 0 { return try merge(folder, into: day) }
    let own = try FileContents.names(in: folder).filter(Self.isOwn)
    // A folder with only a summary is the rest of a copy that was being removed.
    if isCopy(name), own.count > 1 {
      try move(folder, to: "\(path)/\(day)")
    } else {
      try removeOwn(in: folder)
    }
  }

  /// Removes our files from a folder, and moves all other files to the day's present copy.
  private func merge(_ folder: String, into day: String) throws(WorkspaceError) {
    for name in try FileContents.names(in: folder) where !Self.isOwn(name) {
      try move("\(folder)/\(name)", to: "\(path)/\(day)/\(name)")
    }
    try removeOwn(in: folder)
  }

  /// Removes a copy; if it holds other files too, only our files.
  private func removeCopy(of day: String) throws(WorkspaceError) {
    let folder = "\(path)/\(day)"
    let names = try FileContents.names(in: folder)
    for name in names where Self.isOwn(name) && name != PastReport.fileName {
      try remove("\(folder)/\(name)")
    }
    guard names.allSatisfy(Self.isOwn) else { return try remove(summary(in: day)) }
    // The folder is renamed first: without a summary it would no longer be recognized as ours.
    let hidden = AtomicFile.temporaryPath(for: folder, writer: writer)
    try move(folder, to: hidden)
    try removeOwn(in: hidden)
  }

  /// Moves a complete copy to its day, and removes the previous copy.
  func place(_ draft: String, on day: String) throws(WorkspaceError) {
    try alone { () throws(WorkspaceError) in try replace(day, with: draft) }
  }

  private func replace(_ day: String, with draft: String) throws(WorkspaceError) {
    let target = "\(path)/\(day)"
    guard access(target, F_OK) == 0 else { return try move(draft, to: target) }
    guard isCopy(day) else { throw .cannot("write", target, code: EEXIST) }
    let old = AtomicFile.temporaryPath(for: target, writer: writer)
    try move(target, to: old)
    try move(draft, to: target)
    try merge(old, into: day)
  }

  /// Removes our files from a folder, and the folder if it is empty then.
  func removeOwn(in folder: String) throws(WorkspaceError) {
    let names = try FileContents.names(in: folder).filter(Self.isOwn)
    for name in names where name != PastReport.fileName { try remove("\(folder)/\(name)") }
    if names.contains(PastReport.fileName) { try remove("\(folder)/\(PastReport.fileName)") }
    guard calls.removeFolder(folder) == 0 || errno == ENOTEMPTY || errno == EEXIST else {
      throw .cannot("remove", folder)
    }
  }

  /// Whether a name is one that Firetally uses in a copy.
  package static func isOwn(_ name: String) -> Bool {
    if name == PastReport.fileName || name == FindingsFile.name { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if parts.count == 2 {
      let names = Report.Name.pages.map(\.rawValue) + [PageLayout.singleName]
      return names.contains(parts[0])
        && ReportFormat.allCases.map(\.fileExtension).contains(parts[1])
    }
    guard parts.count == 6, parts[0].isEmpty, parts[5] == "tmp" else { return false }
    return isOwn("\(parts[1]).\(parts[2])")
  }

  private func remove(_ path: String) throws(WorkspaceError) {
    guard calls.remove(path) == 0 || errno == ENOENT else {
      throw .cannot("remove", path)
    }
  }

  private func move(_ path: String, to target: String) throws(WorkspaceError) {
    guard calls.rename(path, target) == 0 else { throw .cannot("write", target) }
    AtomicFile.syncFolder(of: target)
  }
}

/// A copy of the reports of one day, built beside its final path and moved there when complete.
///
/// Without `finish` the draft is removed, and the day's previous copy stays.
final class DatedCopy: Sendable {
  private let history: HistoryFolder
  private let day: String
  private let folder: String
  private let isFinished = Atomic(false)

  init(of day: String, in history: HistoryFolder) throws(WorkspaceError) {
    self.history = history
    self.day = day
    folder = AtomicFile.temporaryPath(for: "\(history.path)/\(day)", writer: history.writer)
    guard history.calls.makeFolder(folder) == 0 else {
      throw .cannot("make the folder", folder)
    }
    try history.mode.apply(toFolder: folder)
  }

  deinit {
    guard !isFinished.load(ordering: .relaxed) else { return }
    do {
      try history.removeOwn(in: folder)
    } catch {
      // The next run recovers what cannot be removed now; the error that led here matters more.
    }
  }

  func write(_ bytes: [UInt8], as name: String) throws(WorkspaceError) {
    try AtomicFile.write(bytes, to: "\(folder)/\(name)", mode: history.mode, calls: history.calls)
  }

  /// Writes the summary, which makes the copy complete, and moves the copy to its day.
  func finish(_ summary: [UInt8]) throws(WorkspaceError) {
    try write(summary, as: PastReport.fileName)
    try history.place(folder, on: day)
    isFinished.store(true, ordering: .relaxed)
  }
}
