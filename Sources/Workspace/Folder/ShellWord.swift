import Model

/// A word of a shell's command.
package enum ShellWord {
  /// The text as sh(1) takes it for one word; in quotes only where it has to be.
  package static func quoted(_ text: String) -> String {
    text.isWord(with: "/._-+:@") ? text : "'\(text.replacing("'", with: "'\\''"))'"
  }
}
