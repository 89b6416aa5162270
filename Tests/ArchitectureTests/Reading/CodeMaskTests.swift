import Testing

struct CodeMaskTests {
  @Test(arguments: [
    ("a // b", "a     "), ("a /* b */ c", "a         c"),
    ("a /* /* b */ c */ d", "a                 d"),
    ("f(\"b\") c", "f(   ) c"), ("f(\"b\\\"c\") d", "f(      ) d"),
    ("f(#\"b\"c\"#) d", "f(       ) d"), ("f(\"\\(g(\"h\"))\") i", "f(           ) i"),
    ("f(\"// no\") a", "f(       ) a"), ("// \"a\nb", "     \nb"),
    ("\"\"\"\na \"b\" {\n\"\"\" c", "   \n       \n    c"), ("func `a b`() {", "func      () {"),
    ("f(of: /\"{/) {", "f(of:     ) {"), ("a / b / c", "a / b / c"), ("let a = b/c", "let a = b/c"),
    ("#if A", "#if A"), ("#\"\\(a)\"# b", "         b"), ("\"open", "     "), ("", ""),
  ])
  func `only code stays, at its place`(text: String, code: String) {
    #expect(CodeMask.mask(text) == code)
  }

  @Test func `lines stay lines, whatever the alphabet`() {
    let text = "let a = \"ä😀\" // ё\nlet b = 1\n"
    #expect(CodeMask.mask(text).split(separator: "\n").last == "let b = 1")
  }

  @Test func `texts are read with their lines, those that are joined as one`() {
    let text = #"""
      let a = "b \(c("d")) e"  // "f"
      let g = "h "
        + "i\n" + #"j"k"#
      let l = """
        m \
        n
        """
      """#
    let texts = CodeMask.texts(of: text)
    #expect(texts.map(\.line) == [1, 2, 4])
    #expect(
      texts.map { $0.text.split { " \n".contains($0) }.joined(separator: " ") } == [
        "b x e", "h i j\"k", "m n",
      ])
  }
}
