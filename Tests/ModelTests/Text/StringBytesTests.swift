import Model
import Testing

@Suite struct StringBytesTests {
  @Test func `two spellings of one character are two texts`() {
    #expect("T\u{FC}rkiye" == "Tu\u{308}rkiye")
    #expect(!"T\u{FC}rkiye".hasSameBytes(as: "Tu\u{308}rkiye"))
    #expect("Tu\u{308}rkiye".hasSameBytes(as: "Tu\u{308}rkiye"))
    #expect(!"a".hasSameBytes(as: "ab") && !"".hasSameBytes(as: "a") && "".hasSameBytes(as: ""))
  }
}
