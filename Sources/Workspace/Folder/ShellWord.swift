import Model

/// Quotes a word of a shell command.
package enum ShellWord {
  /// Returns the text as one word for sh(1), quoted only if necessary.
  package static func quoted(_ text: String) -> String {
    text.isWord(with: "/._-+:@") ? text : "'\(text.replacingScalars("'", with: "'\\''"))'"
  }
}
