import Foundation
import Model

/// A text without case, accents and punctuation, by which texts are compared:
/// docs/feedback-themes.md#matching.
package enum FoldedText {
  /// The words in order; each sign of a script without spaces is a word.
  package static func words(of text: String) -> [String] {
    var words: [String] = []
    var word = String.UnicodeScalarView()
    func end() {
      guard !word.isEmpty else { return }
      words.append(withoutArticle(String(word)))
      word.removeAll()
    }
    for scalar in decomposed(text).unicodeScalars where !isDropped(scalar) {
      if UnspacedScript.contains(scalar), isOfWord(scalar) {
        end()
        words.append(String(scalar))
      } else if let replacement = replacements[scalar] {
        word.append(contentsOf: replacement.unicodeScalars)
      } else if isOfWord(scalar) {
        word.append(scalar)
      } else {
        end()
      }
    }
    end()
    return words
  }

  private static func decomposed(_ text: String) -> String {
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    let lowercased = text.lowercased()
    return isASCII ? lowercased : lowercased.decomposedStringWithCompatibilityMapping
  }

  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x80 {
      return ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
    }
    switch scalar.properties.generalCategory {
    case .lowercaseLetter, .uppercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .decimalNumber:
      return true
    default: return false
    }
  }

  /// Accents, the points of Arabic and Hebrew, the marks of kana, and what joins or stretches
  /// letters; vowels of Indic scripts stay.
  private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0300...0x036F, 0x0591...0x05C7, 0x0610...0x061A, 0x0640, 0x064B...0x065F, 0x0670,
      0x200B...0x200F, 0x2060, 0x3099, 0x309A, 0xFE00...0xFE0F:
      true
    default: false
    }
  }

  /// Letters that are written in two ways, and have no decomposition.
  private static let replacements: [Unicode.Scalar: String] = [
    "ß": "ss", "ı": "i", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ى": "ي", "ة": "ه",
    "ک": "ك", "ی": "ي",
  ]

  private static let articles = ["وال", "بال", "فال", "كال", "لل", "ال"]

  /// An Arabic word without its article, as light stemmers have it (Larkey, Ballesteros and
  /// Connell, 2002); at least three letters stay.
  private static func withoutArticle(_ word: String) -> String {
    guard let first = word.unicodeScalars.first, (0x0600...0x06FF).contains(first.value) else {
      return word
    }
    for article in articles where word.hasPrefix(article) && word.count >= article.count + 3 {
      return String(word.dropFirst(article.count))
    }
    return word
  }
}
