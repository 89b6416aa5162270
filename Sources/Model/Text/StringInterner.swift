/// Numbers distinct texts from 0 in the order in which they are met.
///
/// Texts are told apart by their bytes, not by canonical equivalence as `String` does.
package final class StringInterner {
  private struct Key: Hashable {
    let text: String

    static func == (left: Key, right: Key) -> Bool {
      left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
      var text = text
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
  }

  private var numbers: [Key: Int] = [:]
  private var texts: [String] = []

  package init() {}

  package var count: Int { texts.count }

  /// The text's number; a new text gets a new number.
  package func number(of text: String) -> Int {
    let key = Key(text: text)
    if let number = numbers[key] { return number }
    numbers[key] = texts.count
    texts.append(text)
    return texts.count - 1
  }

  /// The number of a text that was met before; nil for others.
  package func known(_ text: String) -> Int? { numbers[Key(text: text)] }

  /// - Precondition: the number was given to a text.
  package subscript(number: Int) -> String { texts[number] }
}
