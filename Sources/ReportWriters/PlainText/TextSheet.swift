import Reports

/// Lines of plain text, wrapped at 80 columns.
struct TextSheet {
  static let width = 80

  private(set) var lines: [String] = []

  var bytes: [UInt8] { Array((lines.joined(separator: "\n") + "\n").utf8) }

  /// Adds a line without spaces at its end; one that is too long is wrapped below its first word.
  mutating func line(_ line: String = "") {
    var line = line
    while line.last == " " { line.removeLast() }
    guard DisplayWidth.of(line) > TextSheet.width else { return lines.append(line) }
    paragraph(line, indent: min(line.prefix { $0 == " " }.count, TextSheet.width / 2))
  }

  /// Adds an empty line unless the last line is empty.
  mutating func gap() {
    if let last = lines.last, !last.isEmpty { line() }
  }

  mutating func rule(_ character: Character) {
    line(String(repeating: character, count: TextSheet.width))
  }

  /// Adds the text, wrapped at the width; a word longer than a line is broken.
  mutating func paragraph(_ text: String, indent: Int = 0, hanging: Int? = nil) {
    let lines = TextSheet.wrapped(
      VisibleText.line(text), to: TextSheet.width - max(indent, hanging ?? indent))
    for (number, line) in lines.enumerated() {
      let space = number == 0 ? indent : hanging ?? indent
      self.line(String(repeating: " ", count: space) + line)
    }
  }

  /// The text in lines of at most `width` columns.
  static func wrapped(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    var (line, used) = ("", 0)
    for word in text.split(separator: " ").flatMap({ pieces(of: $0, width) }) {
      let columns = DisplayWidth.of(word)
      if line.isEmpty, columns <= width {
        (line, used) = (word, columns)
      } else if used + 1 + columns <= width {
        line += " \(word)"
        used += 1 + columns
      } else {
        lines.append(line)
        (line, used) = (word, columns)
      }
    }
    return lines + (line.isEmpty ? [] : [line])
  }

  /// The word in pieces that fit a line.
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

/// Bars and sparklines of block characters.
enum TextBar {
  private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
  private static let steps = Array("▁▂▃▄▅▆▇█")

  /// A bar exact to an eighth of a column; a share above 0 has at least the thinnest bar.
  static func bar(share: Double, width: Int) -> String {
    let share = min(max(share, 0), 1)
    let filled = max(share > 0 ? 1 : 0, Int((share * Double(width * 8)).rounded()))
    return String(repeating: "█", count: filled / 8) + eighths[filled % 8]
  }

  /// One character a value, scaled to the largest value; a dot for nil.
  static func sparkline(_ values: [Double?]) -> String {
    let most = values.compactMap { $0 }.max() ?? 0
    return values.map { value in
      guard let value else { return "·" }
      guard most > 0, value > 0 else { return String(steps[0]) }
      return String(steps[min(7, Int(value / most * 7.999))])
    }.joined()
  }
}

/// Keeps right-to-left names in their column of a plain text.
enum TextDirection {
  private static let leftToRightMark = "\u{200E}"

  /// The text between left-to-right marks if any of it runs from right to left.
  ///
  /// Without the marks, a mail program would move the numbers after such a name to its other side,
  /// and align a line that begins with one to the right: Unicode Standard Annex 9.
  static func isolated(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isRightToLeft) else { return text }
    return leftToRightMark + text + leftToRightMark
  }

  /// The blocks of Hebrew, Arabic and similar scripts.
  private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
      true
    default: false
    }
  }
}
