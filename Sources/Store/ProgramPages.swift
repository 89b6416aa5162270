import Glibc

/// The program's code in memory.
///
/// A start touches some 25 MB of it, mostly tables that the Swift runtime looks through once for each
/// type. They are in the file, so work that may be long gives them back once its first part is done;
/// see `docs/decisions/021-pages-ahead.md`.
package enum ProgramPages {
  /// Lets the system have the pages of code; those that are used again come from the file's cache.
  package static func giveBack() {
    guard let maps = fopen("/proc/self/maps", "r") else { return }
    defer { fclose(maps) }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    while getline(&line, &capacity, maps) > 0, let line {
      guard let code = codeRange(String(cString: line)) else { continue }
      // Refused, the pages stay.
      madvise(UnsafeMutableRawPointer(bitPattern: code.lowerBound), code.count, MADV_DONTNEED)
    }
  }

  /// The addresses of a line such as `5560e000-5562a000 r-xp 0001c000 fe:00 131
  /// /usr/bin/firetally`.
  ///
  /// Nil for what is not code from a file: what else is there may have been written to.
  static func codeRange(_ line: String) -> Range<UInt>? {
    let parts = line.split(separator: " ", omittingEmptySubsequences: true)
    guard parts.count >= 6, parts[1] == "r-xp", parts[5].hasPrefix("/") else { return nil }
    let ends = parts[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
    guard ends.count == 2, ends[0] < ends[1] else { return nil }
    return ends[0]..<ends[1]
  }
}
