extension StyleSheet {
  /// What the pages' scripts add: as quiet as the labels around it, and none of it on paper.
  static let controlRules = """
    [hidden] { display: none !important; }
    .tools {
      display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; align-items: baseline; margin-bottom: 0.75rem;
      font-size: var(--fine); color: var(--soft);
    }
    .tools p { flex-basis: 100%; } .tools p:empty { display: none; }
    .tools input, .tools select, .tools button {
      min-height: 1.75rem; padding: 0.125rem 0; border: 0; border-bottom: 1px solid var(--quiet); border-radius: 0;
      background: transparent; color: var(--ink); font: inherit; font-variant-numeric: inherit;
    }
    .tools input[type="search"] { width: 12rem; } .tools option { background: var(--paper); }
    .tools select { max-width: 9rem; } .tools button { border-color: transparent; color: var(--accent); text-decoration: underline; text-underline-offset: 0.2em; cursor: pointer; }
    .sort { position: relative; margin: -0.125rem 0; padding: 0.125rem 0; border: 0; background: none; color: inherit; font: inherit; text-align: inherit; cursor: pointer; }
    .sort:hover { color: var(--ink); text-decoration: underline; text-underline-offset: 0.2em; }
    [aria-sort] { color: var(--ink); } [aria-sort] .sort::after { content: "↑"; position: absolute; left: 100%; margin-left: 0.1875rem; }
    [aria-sort="descending"] .sort::after { content: "↓"; }
    .trailing[aria-sort] .sort::after { left: auto; right: 100%; margin: 0 0.1875rem 0 0; }
    mark { background: var(--mark); color: var(--ink); }
    @media print { .tools:not(.narrowed), .tools label, .tools button, .sort::after { display: none; } }
    """
}
