import ArgumentParser

/// The completion scripts: those of the parser, with additions for bash.
enum CompletionScript {
  private static let option = "--generate-completion-script"

  /// Replacements for bash, which ends words at `=`, so that `--workspace=DIR` is three words.
  private static let ofBash = [
    (#"local -r cur="${2}""#, #"local -r cur="${2#=}""#),
    (
      #"local -r prev="${3}""#,
      #"""
      local prev="${3}"
          [[ "${COMP_WORDS[${COMP_CWORD}]}" = = ]] || [[ "${prev}" != = ]] || prev="${COMP_WORDS[$((COMP_CWORD - 2))]}"
          local -r prev
      """#
    ),
    (
      #"local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")"#,
      #"""
      local -a unparsed_words=()
          local part
          for part in "${COMP_WORDS[@]:1:${COMP_CWORD}}"; do
              [[ "${part}" = = ]] || unparsed_words+=("${part}")
          done
          [[ "${COMP_WORDS[${COMP_CWORD}]}" != = ]] || unparsed_words+=("")
      """#
    ),
  ]

  /// Returns the script for the shell in the arguments; nil for other arguments, and for a shell
  /// that the parser must find or refuse.
  static func asked(for arguments: [String]) -> String? {
    guard let first = arguments.first, first.hasPrefix(option) else { return nil }
    let name = first == option ? arguments.dropFirst().first : first.dropPrefix("\(option)=")
    guard let shell = name.flatMap({ CompletionShell(rawValue: $0) }) else { return nil }
    return text(for: shell)
  }

  static func text(for shell: CompletionShell) -> String {
    let script = Firetally.completionScript(for: shell)
    guard shell == .bash else { return script }
    return ofBash.reduce(script) { $0.replacing($1.0, with: $1.1) }
  }
}

extension String {
  /// Returns the text after a prefix; nil without it.
  fileprivate func dropPrefix(_ prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
