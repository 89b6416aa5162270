@testable package import Workspace

extension Hook {
  package static func ping(url: String) -> Hook { Hook(action: .ping(url: url)) }
  package static func command(_ text: String) -> Hook { Hook(action: .command(text)) }
}
