import Testing

@testable import XML

@Suite struct XMLWriterTests {
  private func written(_ body: (XMLWriter) -> Void) throws -> String {
    let writer = XMLWriter()
    body(writer)
    return String(decoding: try #require(writer.bytes()), as: UTF8.self)
  }

  @Test func `texts and attributes are escaped, and raw text is not`() throws {
    let text = try written {
      $0.doctype("html")
      $0.start("p")
      $0.attribute("title", "\"<&>'")
      $0.text("<b> & \"c\"")
      $0.raw("<i/>")
      $0.end(hasEndTag: true)
    }
    #expect(
      text == "<!DOCTYPE html><p title=\"&quot;&lt;&amp;&gt;'\">&lt;b&gt; &amp; &quot;c&quot;"
        + "<i/></p>\n")
  }

  @Test(arguments: [(true, "<p></p>\n"), (false, "<p/>\n")])
  func `an empty element has an end tag when it shall`(hasEndTag: Bool, text: String) throws {
    let document = try written {
      $0.start("p")
      $0.end(hasEndTag: hasEndTag)
    }
    #expect(document == text)
  }

  @Test func `an end without a beginning makes no document`() throws {
    let writer = XMLWriter()
    writer.start("p")
    writer.end(hasEndTag: true)
    writer.end(hasEndTag: true)
    #expect(writer.bytes() == nil)
  }
}

@Suite struct XMLPushParserTests {
  /// What a parser tells, one line each.
  private final class Log: XMLListener {
    var lines: [String] = []

    func began(_ name: XMLName, attributes: [String: String]) {
      let pairs = attributes.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
      lines.append("<\(name.namespace) \(name.local)\(pairs.joined())")
    }

    func met(_ bytes: UnsafeBufferPointer<UInt8>) {
      lines.append(String(decoding: bytes, as: UTF8.self))
    }

    func ended(_ name: XMLName) {
      lines.append(">\(name.local)")
    }
  }

  /// The lines, and the error that ended them.
  private func parsed(_ pieces: String...) throws -> (lines: [String], problem: String?) {
    let log = Log()
    let parser = XMLPushParser(log)
    for piece in pieces {
      if let problem = Array(piece.utf8).withUnsafeBytes({ parser.parse($0) }) {
        return (log.lines, problem)
      }
    }
    return (log.lines, parser.finish())
  }

  @Test func `elements, attributes without a namespace and texts are told in order`() throws {
    let (lines, problem) = try parsed(
      "<a xmlns='urn:x' xmlns:y='urn:y'><y:b y:c='1' d='&lt;", "2'>t&amp;</y:b><![CDATA[<]]></a>")
    #expect(problem == nil)
    #expect(
      lines == ["<urn:x a", "<urn:y b d=<2", "t", "&", ">b", "<", ">a"])
  }

  @Test(arguments: [
    ("<a>", "line 1: "), ("<a></b>", "line 1: "), ("", "line "),
    ("<!DOCTYPE a><a/>", "it has a document type"),
    ("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "it has a document type"),
  ])
  func `what is no document is told with its line`(text: String, problem: String) throws {
    let found = try #require(try parsed(text).problem)
    #expect(found.hasPrefix(problem), "\(found)")
  }

  @Test(arguments: [(99, nil), (100, nil), (101, "it nests more than 100 elements")])
  func `nesting has a limit`(depth: Int, problem: String?) throws {
    let text = String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
    let found = try parsed(text)
    #expect(found.problem == problem)
    #expect(problem != nil || found.lines.count == 2 * depth)
  }

  @Test func `elements beside each other are not nested`() throws {
    let text = "<a>" + String(repeating: "<b></b>", count: 200) + "</a>"
    #expect(try parsed(text).problem == nil)
  }

  @Test func `a document may be cut anywhere, also inside an attribute with the end of a tag`()
    throws
  {
    let text = "<a><b c='x>y' d=\"&gt;\"/><!--e>f--><![CDATA[<g h='>'>]]>i</a>"
    let lines = try parsed(text).lines.joined()
    for cut in text.indices {
      let found = try parsed(String(text[..<cut]), String(text[cut...]))
      #expect(found.problem == nil, "\(text[..<cut])")
      #expect(found.lines.joined() == lines)
    }
  }

  private static let tooLong = "it has a tag or a comment of more than 4,096 bytes"

  @Test(arguments: [
    (String(repeating: "x", count: 3_900), nil), (String(repeating: "x", count: 4_400), tooLong),
    (String(repeating: "x", count: 6_000), tooLong),
  ])
  func `a tag has a longest size, and so has a comment`(text: String, problem: String?) throws {
    #expect(try parsed("<a b='\(text)'/>").problem == problem)
    #expect(try parsed("<a><!--\(text)--></a>").problem == problem)
  }

  @Test func `texts may be longer than a tag`() throws {
    let text = String(repeating: "x", count: 100_000)
    let found = try parsed("<a>\(text)<![CDATA[\(text)]]></a>")
    #expect(found.problem == nil)
    #expect(found.lines.dropFirst().dropLast().joined() == text + text)
  }

  @Test(arguments: [
    (130_000, nil), (132_000, "it has a CDATA section of more than 131,072 bytes"),
  ])
  func `a CDATA section has a longest size`(count: Int, problem: String?) throws {
    let text = "<a><![CDATA[\(String(repeating: "x", count: count))]]></a>"
    #expect(try parsed(text).problem == problem)
  }

  @Test(arguments: [(100, nil), (101, "it declares more than 100 namespaces")])
  func `open elements declare so many namespaces`(count: Int, problem: String?) throws {
    let tags = (0..<count / 2).map { "<a xmlns:x\($0)='urn:x' xmlns:y\($0)='urn:y'>" }
    let last = count % 2 == 1 ? "<b xmlns:z='urn:z'/>" : "<b/>"
    let ends = String(repeating: "</a>", count: count / 2)
    #expect(try parsed(tags.joined() + last + ends).problem == problem)
    let beside = String(repeating: "<b xmlns:z='urn:z'></b>", count: 300)
    #expect(try parsed("<a>\(beside)</a>").problem == nil)
  }

  /// The problem of a document, and how long it took to find it.
  private func timed(_ text: String) throws -> (problem: String?, time: Duration) {
    let start = ContinuousClock.now
    let problem = try parsed(text).problem
    return (problem, ContinuousClock.now - start)
  }

  @Test func `hundreds of thousands of attributes are refused at once`() throws {
    let attributes = (0..<600_000).map { "b\($0)='' " }.joined()
    let (problem, time) = try timed("<a \(attributes)/>")
    #expect(problem == Self.tooLong)
    #expect(time < .seconds(2))
  }

  @Test func `thousands of namespaces are refused before names are looked for in them`() throws {
    let namespaces = (0..<150).map { "xmlns:n\($0)='u' " }.joined()
    let tags = String(repeating: "<a \(namespaces)>", count: 50)
    let (problem, time) = try timed(tags + String(repeating: "<n1:b/>", count: 300_000))
    #expect(problem == "it declares more than 100 namespaces")
    #expect(time < .seconds(2))
  }

  @Test func `tags of the longest size take as long as other bytes`() throws {
    let attributes = (0..<500).map { "c\($0)='' " }.joined()
    let tag = "<b \(attributes)/>"
    let text = "<a>" + String(repeating: tag, count: 1_000_000 / tag.utf8.count) + "</a>"
    let (problem, time) = try timed(text)
    #expect(problem == nil)
    #expect(time < .seconds(3))
  }
}

@Suite struct XMLLibraryTests {
  @Test(arguments: [
    ("20914", "2.9.14"), ("20914-GITv2.9.14", "2.9.14"), ("10000", "1.0.0"),
    ("9999", "9999"), ("x", "x"), ("", ""),
  ])
  func `libxml2's number is told as people know it`(number: String, version: String) {
    #expect(XMLLibrary.version(of: number) == version)
  }

  @Test func `its version is that of the system's library`() throws {
    #expect(XMLLibrary.version.wholeMatch(of: /2\.\d+\.\d+/) != nil)
  }
}
