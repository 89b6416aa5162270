extension StyleSheet {
  /// Differences for wide pages, narrow pages and paper.
  static let mediaRules = """
    @media (min-width: 62rem) {
      main section[id] {
        display: grid; grid-template-columns: 13.5rem minmax(0, 1fr); gap: 0 3.5rem; padding-top: 1.25rem;
      }
      .section-body { margin-top: 0.25rem; } main section.wide { display: block; } .wide .lead { max-width: 44rem; } .wide .section-body { margin-top: 1.5rem; }
      .page-index main { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1.75rem 3.5rem; margin-top: 1.75rem; }
      .page-index main section[id] { display: block; margin-top: 0; padding-top: 1rem; }
      .page-index #since { grid-column: 1 / -1; }
      .page-index .section-body { margin-top: 0.75rem; }
      .page-index h1 { margin-top: 1.75rem; font-size: 2.25rem; } .page-index .summary { margin-top: 0.375rem; }
      .page-index .frame { margin-top: 0.875rem; } .page-index .section-head { display: flex; gap: 1rem; align-items: baseline; }
      .page-index .lead { margin-top: 0; } .page-index h2 { flex-shrink: 0; } .page-index .figures { grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 1.25rem 1.5rem; }
      .page-index .contents { grid-template-columns: 1fr; gap: 0.625rem; }
      .page-index .contents li { display: grid; grid-template-columns: 5rem minmax(0, 1fr); }
      .page-index .contents a { font-size: var(--lead); } .page-index .contents p { grid-column: 2; margin-top: 0; }
      .page-index .section-body > h3 { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
      .page-index .colophon { margin-top: 2rem; padding-bottom: 1.5rem; }
    }
    @media (max-width: 40rem) {
      .running-head { padding-top: 0.75rem; }
      nav ul { gap: 0 0.8125rem; } .frame { display: grid; gap: 0.25rem; }
      .frame div { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); gap: 1rem; }
      .figures { grid-template-columns: 1fr 1fr; gap: 1.5rem 1rem; } .figures .value { font-size: 1.5rem; }
      .minor { display: none; }
      .findings li { grid-template-columns: 1.25rem minmax(0, 1fr); } .findings .level-word { display: none; }
      .definitions div { grid-template-columns: 1fr; } .definitions div + div { margin-top: 0.25rem; }
      .bars { width: calc(100% - 13.5rem); }
      .popups { display: flex; overflow-x: auto; scroll-snap-type: x mandatory; margin: 0 -0.5rem; padding: 0.5rem; gap: 1rem; }
      .popup-preview { flex: 0 0 min(22rem, 94%); scroll-snap-align: center; } .backdrop { padding: 24px 6px; }
    }
    @media (max-width: 24rem) { .touch-stars { font-size: 30px; } .touch-stars span { width: 40px; } }
    @media print {
      :root { --paper: #ffffff; --raised: #f2f2f2; --ink: #000000; --soft: #444444; --hair: #cccccc; }
      body { max-width: none; padding: 0; font-size: 10pt; }
      nav, .skip, summary { display: none; }
      main section, figure, tr, .feedback li { break-inside: avoid; }
      main section[id] { display: block; break-inside: auto; } h2, h3, .section-head { break-after: avoid; }
      .section-body { margin-top: 1rem; } .scroll { overflow: visible; background: none; }
      table { font-size: 8pt; } th, td { padding-right: 0.625rem; overflow-wrap: anywhere; }
      .trailing, td time, th time, .level, bdi.short { white-space: normal; }
      td.leading, tbody th, bdi.prose { min-width: 0; }
      .drawing, .bar, .pill, .backdrop, .heat-key span { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
    }
    """
}
