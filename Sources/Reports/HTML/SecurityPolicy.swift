/// What a page may load and run: nothing but the texts that it holds itself.
enum SecurityPolicy {
  /// The Content-Security-Policy that allows style sheets and scripts by their digests.
  ///
  /// No script may turn text into markup: the policy of trusted types has no name to make any by.
  static func text(styles: [String], scripts: [String]) -> String {
    [
      "default-src 'none'", "style-src \(quoted(styles))", "script-src \(quoted(scripts))",
      "base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].joined(separator: "; ")
  }

  private static func quoted(_ digests: [String]) -> String {
    digests.isEmpty ? "'none'" : digests.map { "'\($0)'" }.joined(separator: " ")
  }
}
