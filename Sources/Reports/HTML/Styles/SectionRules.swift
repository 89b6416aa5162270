extension StyleSheet {
  /// Sections, their margin column, and the blocks that are mostly words.
  static let sectionRules = """
    main section { margin-top: clamp(2.25rem, 5vw, 3.5rem); }
    main section[id] { padding-top: 1rem; border-top: 1px solid var(--hair); scroll-margin-top: 1rem; }
    h2 { font: 400 var(--h2)/1.25 var(--serif); letter-spacing: -0.005em; }
    .lead { margin-top: 0.5rem; color: var(--soft); font-size: var(--small); line-height: 1.55; }
    .section-body { margin-top: 1.5rem; min-width: 0; }
    .section-body > * + * { margin-top: 2rem; }

    h3 { font: 600 var(--h3)/1.4 var(--sans); }
    .section-body > h3 + * { margin-top: 0.5rem; }
    .chart > .empty { margin-top: 0.5rem; }
    .empty, .all-well { font-family: var(--serif); font-style: italic; color: var(--soft); }

    .figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(10.5rem, 1fr)); gap: 1.75rem 2rem; }
    .figures dt { font-size: var(--fine); color: var(--soft); }
    .figures .value { margin-top: 0.125rem; font: 400 var(--figure)/1.25 var(--serif); }
    .figures .note, .figures .change { font-size: var(--fine); color: var(--soft); }
    .figures .change { color: var(--ink); }
    .figures .course { margin-top: 0.5rem; } .figures .trend { width: min(9rem, 100%); border-bottom: 1px solid var(--hair); }
    .headline { margin-top: 2.25rem; padding-top: 1.25rem; border-top: 1px solid var(--hair); }

    .findings li { display: grid; grid-template-columns: 1.25rem 4.5rem minmax(0, 1fr); padding: 0.4375rem 0; }
    .findings li + li { border-top: 1px solid var(--hair); }
    .findings a { color: var(--ink); text-decoration-color: var(--quiet); }
    .level-word { font-size: var(--small); line-height: 1.7; color: var(--soft); }
    .sign { display: inline-block; width: 1.25rem; font-size: 0.75em; line-height: 2; }
    .level .sign { width: 1.125rem; line-height: 1; font-size: 0.8125em; }
    .pass .sign { color: var(--good); } .notice .sign { color: var(--soft); }
    .warn .sign { color: var(--middling); } .error .sign { color: var(--poor); }
    .level { white-space: nowrap; }

    .definitions { font-size: var(--small); display: grid; gap: 0.375rem; max-width: 44rem; }
    .definitions div { display: grid; grid-template-columns: 9.5rem minmax(0, 1fr); gap: 0 1rem; }
    .definitions dt { font-weight: 600; } .definitions dd { color: var(--soft); }

    .contents { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 1.5rem 2.5rem; }
    .contents h3 { font-weight: 400; }
    .contents a { font: 400 1.25rem/1.3 var(--serif); }
    .contents p { margin-top: 0.25rem; font-size: var(--small); }
    .contents .fine { font-size: var(--fine); }

    .feedback { display: grid; gap: 1.75rem; max-width: 42rem; }
    .given { display: flex; flex-wrap: wrap; gap: 0 0.75rem; align-items: baseline; font-size: var(--small); }
    .verdict { color: var(--soft); }
    .feedback blockquote { margin: 0.25rem 0 0.375rem; font: 400 var(--lead)/1.55 var(--serif); white-space: pre-line; }
    .stars { letter-spacing: 0.08em; white-space: nowrap; }
    .stars-1, .stars-2 { color: var(--poor); } .stars-3 { color: var(--middling); }
    .stars-4, .stars-5 { color: var(--good); }
    """
}
