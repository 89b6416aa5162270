extension String {
  /// Whether both have the same bytes, which is how SQLite and Firestore compare texts.
  ///
  /// Swift's `==` equates an accent in one scalar with one in two.
  package func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

  /// Replaces `old` wherever its scalars stand, as what escapes a text for others has to.
  ///
  /// `replacing` compares characters: it passes over a quote with a combining mark behind it, and
  /// over the line feed of CR LF.
  package func replacingScalars(_ old: String, with new: String) -> String {
    String(unicodeScalars.replacing(old.unicodeScalars, with: new.unicodeScalars))
  }
}

extension [String] {
  /// The first of them, and how many there are besides: `a, b and 3 more`.
  package func listed(_ most: Int) -> String {
    prefix(most).joined(separator: ", ") + (count > most ? " and \(count - most) more" : "")
  }

  /// All of them: `taps`, `taps and people`, `taps, people and stars`.
  package var listed: String {
    guard count > 1, let last else { return first ?? "" }
    return "\(dropLast().joined(separator: ", ")) and \(last)"
  }

  /// Each text once, where it came first.
  package var unique: [String] {
    reduce(into: []) { unique, text in
      if !unique.contains(text) { unique.append(text) }
    }
  }
}

extension String {
  /// The text without the byte order mark that some programs write at the start of a file.
  package var withoutByteOrderMark: String {
    hasPrefix("\u{FEFF}") ? String(dropFirst()) : self
  }
}

extension StringProtocol {
  /// Whether it has only ASCII letters, digits and characters of `others`.
  package func isWord(with others: String) -> Bool {
    utf8.allSatisfy { byte in
      (97...122).contains(byte | 0x20) || (48...57).contains(byte) || others.utf8.contains(byte)
    }
  }

  /// Whether it is small ASCII letters and digits, in words that are joined by one of `joints`.
  package func isWords(joinedBy joints: String) -> Bool {
    utf8.split(omittingEmptySubsequences: false) { joints.utf8.contains($0) }.allSatisfy { word in
      !word.isEmpty && word.allSatisfy { (97...122).contains($0) || (48...57).contains($0) }
    }
  }

  package var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}

/// Finds the name that a misspelt one most likely means.
package enum ClosestName {
  /// The candidate with the fewest typing errors, the first of equals; nil when none is near.
  ///
  /// Near means at most one error in three letters, or one error, and not every letter wrong.
  package static func closest(to name: String, among candidates: [String]) -> String? {
    near(to: name, among: candidates).first
  }

  /// All near candidates, the closest first; equals keep their order.
  package static func near(to name: String, among candidates: [String]) -> [String] {
    let typed = Array(name.lowercased())
    let allowed = max(1, typed.count / 3)
    return candidates.enumerated()
      .compactMap { offset, candidate -> (errors: Int, offset: Int)? in
        let letters = Array(candidate.lowercased())
        let errors = distance(typed, letters)
        return errors <= min(allowed, max(typed.count, letters.count) - 1) ? (errors, offset) : nil
      }
      .sorted { ($0.errors, $0.offset) < ($1.errors, $1.offset) }
      .map { candidates[$0.offset] }
  }

  /// `" Did you mean 'x'?"`, or an empty text.
  package static func hint(for name: String, among candidates: [String]) -> String {
    closest(to: name, among: candidates).map { " Did you mean '\($0)'?" } ?? ""
  }

  /// The fewest insertions, deletions, replacements and swaps of neighbours between the two.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    guard abs(left.count - right.count) <= max(left.count, right.count) / 2 + 1 else { return .max }
    var older: [Int] = []
    var previous = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let replaced = previous[column] + (left[row] == right[column] ? 0 : 1)
        var best = min(replaced, previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, older[column - 1] + 1)
        }
        current.append(best)
      }
      older = previous
      previous = current
    }
    return previous[right.count]
  }
}

/// Numbers distinct texts from 0 in the order in which they are met.
///
/// Texts are distinguished by their bytes, not by canonical equivalence as in `String`.
package final class StringInterner {
  /// The number of a text under its hash; of texts with equal hashes each under the next free one.
  private var numbers: [Int: Int] = [:]
  private var texts: [String] = []

  package init() {}

  package var count: Int { texts.count }

  /// The text's number; a new text gets a new number.
  package func number(of text: String) -> Int {
    var copy = text
    let found = copy.withUTF8 { place(of: UnsafeRawBufferPointer($0)) }
    if let number = found.number { return number }
    numbers[found.hash] = texts.count
    texts.append(text)
    return texts.count - 1
  }

  /// Gives a new text a number of its own, from `count` on; numbers that are left out have no text.
  package func set(_ text: String, _ number: Int) {
    var copy = text
    numbers[copy.withUTF8 { place(of: UnsafeRawBufferPointer($0)) }.hash] = number
    while texts.count < number { texts.append("") }
    texts.append(text)
  }

  /// The same of UTF-8; it becomes a text only when it is new.
  package func number(of text: UnsafeRawBufferPointer) -> Int {
    known(text) ?? number(of: String(decoding: text, as: UTF8.self))
  }

  /// The number of a text that was met before; nil for others.
  package func known(_ text: UnsafeRawBufferPointer) -> Int? { place(of: text).number }

  /// - Precondition: the number was given to a text.
  package subscript(number: Int) -> String { texts[number] }

  /// Where the text is; without a number where it would be.
  private func place(of text: UnsafeRawBufferPointer) -> (hash: Int, number: Int?) {
    var hasher = Hasher()
    hasher.combine(bytes: text)
    var hash = hasher.finalize()
    while let number = numbers[hash] {
      // A copy, so that no access to the array lasts while its bytes are read.
      var known = texts[number]
      let isEqual = known.withUTF8 { Self.areEqual(UnsafeRawBufferPointer($0), text) }
      if isEqual { return (hash, number) }
      hash &+= 1
    }
    return (hash, nil)
  }

  /// Eight bytes at a time: `elementsEqual` took half the time of a look-up.
  private static func areEqual(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
  ) -> Bool {
    guard left.count == right.count else { return false }
    var place = 0
    while place + 8 <= left.count {
      let word = left.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      guard word == right.loadUnaligned(fromByteOffset: place, as: UInt64.self) else {
        return false
      }
      place += 8
    }
    while place < left.count {
      guard left[place] == right[place] else { return false }
      place += 1
    }
    return true
  }
}
