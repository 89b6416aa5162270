extension StyleSheet {
  /// What wide pages, narrow pages and paper change.
  static let mediaRules = """
    @media (min-width: 62rem) {
      main section[id] {
        display: grid; grid-template-columns: 13.5rem minmax(0, 1fr); gap: 0 3.5rem; padding-top: 1.25rem;
      }
      .section-body { margin-top: 0.25rem; }
    }
    @media (max-width: 40rem) {
      .running-head { padding-top: 0.75rem; }
      nav ul { gap: 0 1.125rem; } .frame { display: grid; grid-template-columns: 1fr 1fr; gap: 0.75rem 1rem; }
      .figures { grid-template-columns: 1fr 1fr; gap: 1.5rem 1rem; } .figures .value { font-size: 1.5rem; }
      .minor { display: none; }
      .findings li { grid-template-columns: 1.25rem minmax(0, 1fr); } .findings .level-word { display: none; }
      .definitions div { grid-template-columns: 1fr; } .definitions div + div { margin-top: 0.25rem; }
      .columns, .line, .heat { margin-left: 2.25rem; width: calc(100% - 2.25rem); }
      .bars { width: calc(100% - 14.5rem); } .backdrop { padding: 24px 16px; }
    }
    @media print {
      :root { --paper: #ffffff; --raised: #f2f2f2; --ink: #000000; --soft: #444444; --hair: #cccccc; }
      body { max-width: none; padding: 0; font-size: 10pt; }
      nav, .skip, summary { display: none; }
      main section, figure, tr, .feedback li { break-inside: avoid; }
      main section[id] { display: block; break-inside: auto; } h2, h3, .section-head { break-after: avoid; }
      .section-body { margin-top: 1rem; } .scroll { overflow: visible; }
      .drawing, .bar, .pill, .backdrop, .heat-key span { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
    }
    """
}
