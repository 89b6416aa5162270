import Foundation

/// What a page says in every report, from `pages.json`: the titles, leads and definitions of its
/// sections, and what the figures at its head count.
private struct PageTexts: Decodable {
  struct SectionTexts: Decodable {
    let title: String
    let lead: String
    /// Terms with their meanings.
    let definitions: [[String]]?
  }

  /// By their ids.
  let sections: [String: SectionTexts]?
  let figures: [String: String]?
  let questions: [SearchReport.Question]?

  /// By the names of the pages; `month` is the index of a whole month.
  static let all: [String: PageTexts] = {
    do {
      let file = Data(PackageResources.pages_json)
      return try JSONDecoder().decode([String: PageTexts].self, from: file)
    } catch {
      preconditionFailure("pages.json is part of the program: \(error)")
    }
  }()
}

extension Section {
  /// A section that the file names.
  ///
  /// Without `blocks`, which are above the definitions, these are left out as well; `lead` turns
  /// the lead of the file into that of the report.
  init(
    _ page: Report.Name, _ id: String, _ blocks: [Block]? = [],
    lead: (String) -> String = { $0 }
  ) {
    guard let texts = PageTexts.all[page.rawValue]?.sections?[id] else {
      preconditionFailure("pages.json has no section \(id) of \(page)")
    }
    let defined = (texts.definitions ?? []).map { Definition($0[0], $0[1]) }
    self.init(
      id: id, title: texts.title, lead: lead(texts.lead),
      blocks: blocks.map { $0 + (defined.isEmpty ? [] : [.definitions(defined)]) } ?? [])
  }
}

extension Figure {
  /// The same figure, which says what it counts.
  func defined(on page: String) -> Figure {
    var figure = self
    figure.definition = definition ?? PageTexts.all[page]?.figures?[id]
    return figure
  }
}

extension Report {
  /// The same report, whose figures say what they count.
  var defined: Report {
    var report = self
    report.headline = headline.map { $0.defined(on: name.rawValue) }
    return report
  }
}

extension SearchReport {
  /// What the page of all sections lists first.
  struct Question: Decodable {
    struct Answer: Decodable {
      let page: String
      let section: String
      /// The id of a table of the section; nil for the section itself.
      let table: String?
    }

    let question: String
    /// The best first.
    let answers: [Answer]
  }

  static var questions: [Question] { PageTexts.all[Report.Name.search.rawValue]?.questions ?? [] }
}
