/// A level as a shape and a word, never as a colour alone.
struct LevelMarkup {
  let page: Page

  func write(_ level: Level, _ words: String) {
    page.out.element("span", .class("level \(level.rawValue)")) {
      sign(level)
      page.out.text(words)
    }
  }

  func sign(_ level: Level) {
    page.out.element("span", .class("sign"), .hiddenFromReaders, text: level.sign)
  }
}

extension Level {
  /// A shape for each level.
  var sign: String {
    switch self {
    case .pass: "●"
    case .notice: "○"
    case .warn: "▲"
    case .error: "■"
    }
  }

  var word: String {
    switch self {
    case .pass: "Fine"
    case .notice: "Note"
    case .warn: "Warning"
    case .error: "Error"
    }
  }
}
