extension StyleSheet {
  /// Differences for wide pages, narrow pages and paper.
  static let mediaRules = """
    @media (min-width: 62rem) {
      main section[id] {
        display: grid; grid-template-columns: 13.5rem minmax(0, 1fr); gap: 0 3.5rem; padding-top: 1.25rem;
      }
      dl.figures { --tiles: 5; } dl.of-1, dl.of-2 { --tiles: 2; } dl.of-3 { --tiles: 3; } dl.of-4, dl.of-8 { --tiles: 4; } dl.of-6 { --tiles: 6; } dl.of-7 { --tiles: 7; }
      .page-contents ul { display: flex; flex-wrap: wrap; gap: 0.125rem 1.375rem; }
      .section-body { margin-top: 0.25rem; } main section.wide { display: block; } .wide .lead { max-width: 44rem; } .wide .section-body { margin-top: 1.5rem; }
    }
    @media (min-width: 100rem) {
      body { max-width: 106rem; }
      .with-contents { display: grid; grid-template-columns: 12rem minmax(0, 1fr); gap: 0 3.5rem; }
      .with-contents .page-contents { margin-top: 2.25rem; padding-top: 1.25rem; border-top: 1px solid var(--hair); }
      .page-contents ul { position: sticky; top: 1rem; display: block; }
    }
    @media screen and (max-width: 40rem) {
      .cards, .cards tbody { display: block; } .cards thead { display: none; }
      .cards tr { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0.25rem 1rem; padding: 0.5rem 0; border-top: 1px solid var(--hair); }
      .cards tbody tr > * { display: block; min-width: 0; max-width: none; padding: 0; border: 0; text-align: left; white-space: normal; }
      .cards tbody th { grid-column: 1 / -1; font-weight: 600; } .cards .trailing + .leading { padding-left: 0; }
      .cards td::before { content: attr(data-label); display: block; font-size: var(--fine); color: var(--soft); }
      .cards bdi, .cards time, .level { white-space: normal; min-width: 0; } .cards bdi { max-width: none; overflow-wrap: anywhere; } .cards svg.trend { width: 100%; }
      .trailing, td time, th time { white-space: normal; } td.leading, tbody th, bdi.prose, .excerpt { min-width: 0; } bdi.short { white-space: normal; }
      th, td { padding-right: 0.75rem; }
      dl.figures { --tiles: 2; } dl.of-1 { --tiles: 1; }
      .figures > :first-child:nth-last-child(odd) { grid-column: 1 / -1; }
    }
    @media (max-width: 40rem) {
      .running-head { padding-top: 0.75rem; }
      nav ul { gap: 0 0.8125rem; } .frame { display: grid; gap: 0.25rem; }
      .frame div { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); gap: 1rem; }
      .figures { gap: 1.5rem 1rem; } .figures .value { font-size: 1.5rem; }
      .minor { display: none; }
      .findings li { grid-template-columns: 1.25rem minmax(0, 1fr); } .findings .level-word { display: none; }
      .definitions div { grid-template-columns: 1fr; } .definitions div + div { margin-top: 0.25rem; }
      .bars { width: calc(100% - 13.5rem); }
      .popups { display: flex; overflow-x: auto; scroll-snap-type: x mandatory; margin: 0 -0.5rem; padding: 0.5rem; gap: 1rem; }
      .popup-preview { flex: 0 0 min(22rem, 94%); scroll-snap-align: center; } .backdrop { padding: 24px 6px; }
    }
    @media print {
      :root { --paper: #ffffff; --raised: #f2f2f2; --ink: #000000; --soft: #444444; --hair: #cccccc; }
      body { max-width: none; padding: 0; font-size: 10pt; }
      nav, .skip, summary { display: none; } .fold > summary { display: block; } .fold > summary::after { content: none; }
      .fold::details-content { content-visibility: visible; display: block; }
      main section, figure, tr, .feedback li { break-inside: avoid; }
      main section[id] { display: block; break-inside: auto; } h2, h3, .section-head { break-after: avoid; }
      .section-body { margin-top: 1rem; } .scroll { overflow: visible; background: none; }
      table { font-size: 8pt; } th, td { padding-right: 0.625rem; overflow-wrap: anywhere; }
      .trailing, td time, th time, .level, bdi.short { white-space: normal; }
      td.leading, tbody th, bdi.prose { min-width: 0; }
      .drawing, .bar, .pill, .backdrop, .heat-key span, .swatch::before { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
    }
    @media screen and (forced-colors: active) {
      :root:root {
        --paper: Canvas; --raised: Canvas; --ink: CanvasText; --soft: CanvasText; --hair: GrayText; --accent: LinkText;
        --series: CanvasText; --blocked: CanvasText; --quiet: CanvasText; --good: CanvasText; --middling: CanvasText; --poor: CanvasText;
        --mark: Mark; --heat-0: Canvas; --heat-1: color-mix(in srgb, CanvasText 20%, Canvas); --heat-2: color-mix(in srgb, CanvasText 35%, Canvas);
        --heat-3: color-mix(in srgb, CanvasText 50%, Canvas); --heat-4: color-mix(in srgb, CanvasText 70%, Canvas); --heat-5: CanvasText;
      }
      nav a[aria-current] { text-decoration: underline; text-decoration-thickness: 2px; } mark { color: MarkText; }
      .swatch::before, .heat-key span { forced-color-adjust: none; }
    }
    """
}

extension StyleSheet {
  /// The index: one screen of 1400 by 900 px, one column on a narrow page.
  static let indexRules = """
    @media screen and (min-width: 62rem) {
      body.page-index { max-width: 90rem; padding: 0 2.5rem; }
      .page-index main { display: grid; grid-template-columns: repeat(10, minmax(0, 1fr)); gap: 0.625rem 2.25rem; }
      .page-index .headline { grid-column: 1 / -1; margin-top: 0.75rem; padding-top: 0.75rem; }
      .page-index .figures { gap: 0 1.25rem; } .page-index .figures .value { font-size: 1.625rem; line-height: 1.15; }
      .page-index .figures .course { margin-top: 0.25rem; } .page-index .figures dd, .page-index .figures dt { line-height: 1.35; }
      .page-index main section[id] { display: block; grid-column: span 5; margin-top: 0; padding-top: 0.5rem; }
      .page-index main #attention, .page-index main #since { grid-column: span 6; } .page-index main #written, .page-index main #jobs { grid-column: span 4; }
      .page-index .section-head { display: flex; gap: 0.875rem; align-items: baseline; } .page-index .lead { margin-top: 0; font-size: var(--fine); }
      .page-index h2 { flex-shrink: 0; font-size: 1.1875rem; } .page-index .section-body { margin-top: 0.375rem; }
      .page-index .section-body > * + * { margin-top: 0.5rem; } .page-index .section-body > p { font-size: var(--small); line-height: 1.4; }
      .page-index .section-body > h3, .page-index figure > h3 { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
      .page-index .running-head { padding: 0.75rem 0 0.375rem; }
      .page-index h1 { margin-top: 0.625rem; font-size: 1.75rem; } .page-index .summary { margin-top: 0.25rem; max-width: none; font-size: 1.125rem; }
      .page-index .frame { margin-top: 0.25rem; gap: 0 1.125rem; } .page-index .frame div { display: flex; gap: 0.375rem; }
      .page-index .findings li { padding: 0.25rem 0; font-size: var(--small); line-height: 1.4; } .page-index .level-word { line-height: 1.4; }
      .page-index .verdict { display: none; } .page-index .feedback { gap: 0.375rem; max-width: none; } .page-index .feedback li { display: grid; grid-template-columns: 5rem minmax(0, 1fr); } .page-index .feedback .fine { grid-column: 2; } .page-index .feedback blockquote { margin: 0; font-size: 0.9375rem; line-height: 1.4; }
      .page-index .key { margin-bottom: 0.25rem; } .page-index details { margin-top: 0.25rem; } .page-index .marks { display: flex; flex-wrap: wrap; gap: 0 2rem; margin-top: 0.25rem; }
      .page-index .fold h3 { font-weight: 400; font-size: var(--fine); color: var(--soft); } .page-index .shown-of { margin-top: 0.25rem; }
      .page-index th, .page-index td { padding-top: 0.25rem; padding-bottom: 0.25rem; }
      .page-index .colophon { display: flex; flex-wrap: wrap; gap: 0 1.5rem; margin-top: 0.75rem; padding: 0.5rem 0 0.625rem; } .page-index .colophon p + p { margin-top: 0; }
    }
    @media screen and (min-width: 100rem) {
      body.page-index { max-width: 112rem; } .page-index main { grid-template-columns: repeat(12, minmax(0, 1fr)); }
      .page-index main #attention, .page-index main #month { grid-column: span 5; } .page-index main #written, .page-index main #since { grid-column: span 4; }
      .page-index main #sells, .page-index main #jobs { grid-column: span 3; }
    }
    """
}
