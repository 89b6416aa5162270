extension StyleSheet {
  /// The app's popups: 24 px between parts, 4 px bar, 16 px corners: docs/reports.md#popups.
  static let popupRules = """
    .popups { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); gap: 2rem 1.5rem; }
    .popup-preview { display: flex; flex-direction: column; }
    .backdrop {
      flex: 1; display: grid; align-items: center; padding: 28px 16px; background: #8d8c8a;
      border-radius: 4px;
    }
    .popup {
      --card: #ffffff; --card-ink: #16181d; --card-soft: #4d515b; --card-line: #d9dbe0;
      display: grid; gap: 24px; max-width: 20rem; width: 100%; margin: 0 auto; padding: 24px;
      background: var(--card); color: var(--card-ink); border: 1px solid var(--card-line);
      border-radius: 16px; box-shadow: 0 4px 10px rgb(0 0 0 / 0.25); text-align: center;
      font-family: var(--sans); line-height: 1.45;
    }
    .popup-title { font-size: 20px; font-weight: 700; line-height: 1.2; }
    .popup-text { font-size: 14px; color: var(--card-soft); }
    .popup-wait { display: grid; gap: 12px; font-size: 14px; font-weight: 500; }
    .popup-wait svg.countdown { margin: 0; }
    svg.countdown .track { fill: var(--hair); } svg.countdown .left { fill: var(--accent); }
    .popup svg.countdown .track { fill: var(--card-line); } .popup svg.countdown .left { fill: #5b46d1; }
    .pill {
      display: flex; align-items: center; gap: 8px; min-height: 48px; padding: 8px 8px 8px 18px;
      border-radius: 24px; color: #ffffff; font-size: 15px; font-weight: 600; text-align: left; white-space: nowrap;
    }
    .pill + .pill { margin-top: -12px; }
    .pill.action { background: linear-gradient(90deg, #1c7a4a, #156640); }
    .pill.subscribe { background: linear-gradient(90deg, #4a3fc4, #7a35d6); }
    .pill .left {
      margin-left: auto; padding: 4px 10px; border-radius: 16px; background: rgb(0 0 0 / 0.22);
      font-size: 13px; font-weight: 500; white-space: nowrap;
    }
    figcaption { margin-top: 0.625rem; font-size: var(--fine); color: var(--soft); }
    @media screen and (prefers-color-scheme: dark) {
      .backdrop { background: #0b0c0d; }
      .popup { --card: #232528; --card-ink: #f1f1f3; --card-soft: #b9bcc4; --card-line: #3d4045; }
      .popup svg.countdown .left { fill: #9c8cff; }
    }
    """
}
