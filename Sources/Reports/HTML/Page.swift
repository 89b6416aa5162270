/// What every part of a page is written with: the stream, the words, and whose page it is.
struct Page {
  let out: MarkupStream
  let words: CellWords
  let report: Report

  init(_ report: Report, out: MarkupStream) {
    self.out = out
    self.report = report
    words = CellWords(time: TimeWords(frame: report.frame))
  }

  var time: TimeWords { words.time }

  var layout: PageLayout { out.layout }
}
