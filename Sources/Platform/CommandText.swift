/// How messages name a command of the shell, which may hold a secret.
package enum CommandText {
  /// The program that a command starts; nil where it sets a variable first, or starts none.
  package static func program(of command: String) -> String? {
    let word = command.split(whereSeparator: \.isWhitespace).first
    return word.flatMap { $0.contains("=") ? nil : String($0) }
  }

  /// The program, and `***` in place of what follows; `***` alone where that names none.
  package static func shown(_ command: String) -> String {
    guard let program = program(of: command) else { return "***" }
    return program == command ? command : "\(program) ***"
  }
}
