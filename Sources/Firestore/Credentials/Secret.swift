/// A text that never shows in messages, logs or dumps.
package struct Secret: Hashable, Sendable {
  /// The text itself, for the one place that must send it.
  package let revealed: String

  package init(_ text: String) {
    revealed = text
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "***" }
  package var debugDescription: String { "***" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
