import Testing

struct NameCheckTests {
  @Test(arguments: [
    "struct UserManager {}", "final class DateHelpers {}", "enum StringUtil {}",
    "protocol HTTPUtility {}", "actor JobHelper {}", "typealias UserInfo = Int", "struct Base {}",
    "enum CommonNames {}", "class Misc {}", "struct StoreImpl {}",
    "struct Outer { enum FileUtils {} }",
    "struct Utilities {}",
  ])
  func `a type with a word that says nothing is found`(text: String) {
    let count = text.contains("Utilities") ? 0 : 1
    #expect(NameCheck().findings(in: text).count == count)
  }

  @Test func `the finding names type, word and line`() {
    #expect(
      NameCheck().findings(in: "\nstruct UserManager {}") == [
        "Sources/Model/A.swift:2: the type UserManager has the word 'manager'"
      ])
  }

  @Test(arguments: [
    "struct Database {}", "struct Base64Text {}", "struct Informant {}", "struct Servicing {}",
    "enum Handle {}", "struct Commonwealth {}", "let userManager = 1", "// struct UserManager",
    "class func info() {}", "let text = \"struct UserManager\"", "struct Implication {}",
    "struct ServiceAccountKey {}", "struct Services {}", "final class ConnectionHandler {}",
  ])
  func `a name that only looks like one is not`(text: String) {
    #expect(NameCheck().findings(in: text).isEmpty)
  }

  @Test(arguments: [
    "Sources/Model/UserManager.swift", "Sources/Model/Helpers/A.swift", "Tests/BaseTests/A.swift",
    "Sources/Model/String+Util.swift",
  ])
  func `a file or folder with such a word is found`(path: String) {
    #expect(NameCheck().findings(in: "let a = 1", at: path).count == 1)
  }
}
