import Feeds
import Glibc

/// Where lines that could not be read are listed: `file:line: reason: beginning of the line`.
///
/// One line of the list is in memory at a time. A file that is read again takes its lines out of
/// the list and puts the present ones behind those of other files, all at once or not at all.
struct RejectsFile {
  private let path: String
  private let file: String
  /// The new list, as soon as it differs from the present one.
  private var draft: DraftFile?

  init(path: String, about file: String) {
    self.path = path
    self.file = file
  }

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
    guard let list = fopen(path, "re") else {
      guard errno != ENOENT else { return }
      throw .file(FileFailure("read", path, code: errno))
    }
    defer { fclose(list) }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    let prefix = Array("\(file):".utf8)
    while case let count = getline(&line, &capacity, list), count > 0 {
      let bytes = UnsafeRawBufferPointer(start: line, count: count)
      try body(bytes, bytes.starts(with: prefix))
    }
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
