/// Lines of plain text, wrapped at 80 columns.
struct TextSheet {
  static let width = 80

  private(set) var lines: [String] = []

  var bytes: [UInt8] { Array((lines.joined(separator: "\n") + "\n").utf8) }

  mutating func line(_ line: String = "") {
    var line = line
    while line.last == " " { line.removeLast() }
    lines.append(line)
  }

  /// One empty line, unless there is one already.
  mutating func gap() {
    if let last = lines.last, !last.isEmpty { line() }
  }

  mutating func rule(_ character: Character) {
    line(String(repeating: character, count: TextSheet.width))
  }

  /// Wraps words at the width; what is longer than a line is cut into lines.
  mutating func paragraph(_ text: String, indent: Int = 0, hanging: Int? = nil) {
    let lines = TextSheet.wrapped(
      VisibleText.line(text), to: TextSheet.width - max(indent, hanging ?? indent))
    for (number, line) in lines.enumerated() {
      let space = number == 0 ? indent : hanging ?? indent
      self.line(String(repeating: " ", count: space) + line)
    }
  }

  /// The text in lines of at most so many columns.
  static func wrapped(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ").flatMap({ pieces(of: $0, width) }) {
      let joined = line.isEmpty ? word : "\(line) \(word)"
      if DisplayWidth.of(joined) <= width {
        line = joined
      } else {
        lines.append(line)
        line = word
      }
    }
    return lines + (line.isEmpty ? [] : [line])
  }

  /// The word, or pieces of it that fit a line.
  private static func pieces(of word: Substring, _ width: Int) -> [String] {
    guard DisplayWidth.of(String(word)) > width else { return [String(word)] }
    var pieces: [String] = []
    var piece = ""
    var used = 0
    for character in word {
      let columns = DisplayWidth.of(character)
      if used + columns > width {
        pieces.append(piece)
        piece = ""
        used = 0
      }
      piece.append(character)
      used += columns
    }
    return pieces + [piece]
  }
}
