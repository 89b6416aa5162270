import Feeds
import Glibc
import Model
import Platform

/// Where lines that could not be read are listed: `file:line: reason: beginning of the line`.
///
/// One line of the list is in memory at a time. A file that is read again takes its lines out of
/// the list and puts the present ones behind those of other files, all at once or not at all.
struct RejectsFile {
  let path: String
  let file: String
  /// The new list, as soon as it differs from the present one.
  private(set) var draft: DraftFile?

  mutating func add(_ rejections: [GA4Export.Rejection]) throws(JobsError) {
    guard !rejections.isEmpty else { return }
    if draft == nil { draft = try withoutFile() }
    for rejection in rejections {
      let text = rejection.text.map { $0.isNewline ? " " : String($0) }.joined()
      try draft?.write("\(file):\(rejection.line): \(rejection.reason): \(text)\n")
    }
  }

  /// Replaces what the list says of the file that was read; other files' lines stay.
  mutating func write() throws(JobsError) {
    if draft == nil, try namesFile() { draft = try withoutFile() }
    try draft?.finish()
    draft = nil
  }

  private func namesFile() throws(JobsError) -> Bool {
    var isNamed = false
    try eachLine { _, isOfFile in isNamed = isNamed || isOfFile }
    return isNamed
  }

  private func withoutFile() throws(JobsError) -> DraftFile {
    let draft = try DraftFile(for: path)
    try eachLine { line, isOfFile throws(JobsError) in
      if !isOfFile { try draft.write(line) }
    }
    return draft
  }

  /// Hands over the lines of the present list, and whether they are about the file.
  private func eachLine(
    _ body: (UnsafeRawBufferPointer, Bool) throws(JobsError) -> Void
  ) throws(JobsError) {
    let prefix = Array("\(file):".utf8)
    try Self.eachLine(of: path) { bytes throws(JobsError) in
      try body(bytes, bytes.starts(with: prefix))
    }
  }

  /// Hands over the lines of a list with their ends; none of a list that is not there.
  private static func eachLine(
    of path: String, _ body: (UnsafeRawBufferPointer) throws(JobsError) -> Void
  ) throws(JobsError) {
    let number: Int32
    do throws(RegularFile.Refusal) {
      number = try RegularFile.open(path, O_RDONLY)
    } catch {
      guard error.code != ENOENT else { return }
      throw .cannot("read", path, code: error.code, error.special)
    }
    guard let list = fdopen(number, "r") else {
      close(number)
      throw .cannot("read", path, code: ENOMEM)
    }
    defer { fclose(list) }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    while case let count = getline(&line, &capacity, list), count > 0 {
      try body(UnsafeRawBufferPointer(start: line, count: count))
    }
  }
}

/// Lists of rejected lines, and logs, that name a person; see `docs/privacy.md#erase-a-person`.
extension RejectsFile {
  /// How many lines of a file have the id as a word, as it is or as JSON writes it.
  static func count(of id: String, in path: String) throws(JobsError) -> Int {
    let words = WholeWord.written(id).map { Array($0.utf8) }
    var count = 0
    try eachLine(of: path) { if Self.has(words, $0) { count += 1 } }
    return count
  }

  /// Removes those lines, all at once or not at all, and returns their number.
  static func removeLines(naming id: String, in path: String) throws(JobsError) -> Int {
    let count = try count(of: id, in: path)
    guard count > 0 else { return 0 }
    let words = WholeWord.written(id).map { Array($0.utf8) }
    let draft = try DraftFile(for: path)
    try eachLine(of: path) { line throws(JobsError) in
      if !Self.has(words, line) { try draft.write(line) }
    }
    try draft.finish()
    return count
  }

  private static func has(_ words: [[UInt8]], _ line: UnsafeRawBufferPointer) -> Bool {
    words.contains { WholeWord.isFound($0, in: line) }
  }
}

extension DraftFile {
  fileprivate func write(_ text: String) throws(JobsError) {
    let bytes = Array(text.utf8)
    try bytes.withUnsafeBufferPointer { bytes throws(JobsError) in
      try write(UnsafeRawBufferPointer(bytes))
    }
  }
}
