extension StyleSheet {
  /// The app's popups, 24 px between parts, 4 px bars, 20 px corners: docs/reports.md#popups.
  ///
  /// They keep the app's colours where the reader forces others.
  static let popupRules = """
    .popups { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); gap: 1.75rem 1.25rem; }
    .popup-preview { display: flex; flex-direction: column; }
    .backdrop {
      flex: 1; display: grid; align-items: center; padding: 32px 12px; border-radius: 6px; forced-color-adjust: none;
      background: linear-gradient(#0006, #0006), repeating-linear-gradient(#f4f5f7 0 43px, #d9dce1 43px 44px);
    }
    .real .backdrop { outline: 3px solid var(--accent); outline-offset: 3px; }
    figcaption { margin-top: 0.75rem; font-size: var(--fine); color: var(--soft); }
    .real figcaption { color: var(--ink); font-weight: 600; }
    .popup {
      --card: #ffffff; --card-ink: #16181d; --card-soft: #4a4e57; --card-line: #d9dbe0;
      --red: #c8321f; --orange: #b35c00; --green: #1b7551; --none: #8a8f99;
      display: grid; gap: 24px; max-width: 20.5rem; width: 100%; margin: 0 auto; padding: 24px 16px;
      background: var(--card); color: var(--card-ink); border: 1.5px solid var(--card-line);
      border-radius: 20px; text-align: center; font: 400 14px/1.45 var(--sans);
    }
    .popup-title { font-size: 18px; font-weight: 700; line-height: 1.25; }
    .popup-words, .popup-wait, .popup-buttons { display: grid; gap: 12px; }
    .popup-text { color: var(--card-soft); text-wrap: pretty; }
    .popup-wait { font-weight: 500; } .popup svg.countdown { margin: 0; }
    .popup svg.countdown .track { fill: var(--card-line); } .popup svg.countdown .left { fill: #2463c9; }
    .popup .lite svg.countdown { border-radius: 2px; overflow: hidden; background: linear-gradient(90deg, #4338b8, #7a35d6); }
    .icon { flex: none; width: 20px; height: 20px; }
    .icon.drawn { fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
    .icon.filled { fill: currentColor; }
    .pill {
      display: flex; align-items: center; gap: 6px; min-height: 48px; padding: 8px;
      border-radius: 24px; color: #ffffff; font-weight: 700; text-align: left; line-height: 1.2;
    }
    .pill.action { background: linear-gradient(90deg, #0b4a2a, #156b40); }
    .pill.subscribe { background: linear-gradient(90deg, #4338b8, #7a35d6); }
    .popup .left {
      flex: none; max-width: 55%; margin-left: auto; padding: 6px 8px; border-radius: 16px; background: #ffffff26; font-weight: 500;
    }
    .no-popup {
      justify-self: center; max-width: 20.5rem; padding: 14px 20px; border: 1.5px dashed #ffffff; border-radius: 20px;
      background: #24272c; color: #ffffff; font: 400 14px/1.45 var(--sans); text-align: center;
    }
    .emoji { font-size: 40px; line-height: 1; }
    .touch-stars { display: flex; justify-content: center; font-size: 34px; line-height: 44px; color: var(--none); }
    .touch-stars span { flex: none; width: 44px; }
    .rating.red .lit { color: var(--red); } .rating.orange .lit { color: var(--orange); } .rating.green .lit { color: var(--green); }
    .popup-field { text-align: left; }
    .typed { min-height: 92px; max-height: 156px; overflow: hidden; padding: 10px 12px; border: 1.5px solid var(--none); border-radius: 12px; white-space: pre-line; }
    .counted { display: flex; justify-content: space-between; gap: 12px; margin-top: 6px; font-size: 13px; color: var(--card-soft); } .counted span + span { flex: none; }
    .popup-choice { display: flex; gap: 12px; }
    .choice { flex: 1; padding: 12px; border-radius: 24px; font-weight: 700; }
    .later { background: var(--card-line); } .submit { background: linear-gradient(90deg, #0b4a2a, #156b40); color: #ffffff; }
    .submit.off { background: none; color: var(--card-soft); box-shadow: inset 0 0 0 1.5px var(--card-line); }
    .popup-done { display: grid; gap: 12px; justify-items: center; }
    .popup-done .tick { width: 44px; border-radius: 22px; background: #156b40; color: #ffffff; font-size: 22px; line-height: 44px; }
    .paywall { --card: #10203f; --card-ink: #ecf4ff; --card-soft: #c3d5f0; --card-line: #35507f; background: linear-gradient(#0c1730, #17305a); }
    .paywall .popup-title { color: #bfd9ff; }
    .limit-banner { display: flex; gap: 12px; align-items: center; padding: 16px; border-radius: 12px; background: #2a62ad; color: #dbedff; font-weight: 600; text-align: left; }
    .benefits { display: grid; gap: 8px; text-align: left; } .benefits li { display: flex; gap: 10px; }
    .benefits li::before { content: "✓"; color: #8fd0a8; font-weight: 700; }
    .plans { display: grid; gap: 12px; text-align: left; }
    .plan { padding: 12px 14px; border: 1.5px solid var(--card-line); border-radius: 12px; color: var(--card-soft); }
    .plan.offer { border-color: #8db8f5; background: #ffffff14; color: var(--card-ink); }
    .plan-name { display: flex; align-items: center; font-weight: 700; }
    @media screen and (prefers-color-scheme: dark) {
      .backdrop { background: linear-gradient(#0006, #0006), repeating-linear-gradient(#4a4e55 0 43px, #5a5f67 43px 44px); }
      .popup { --card: #1d1f23; --card-ink: #f1f1f3; --card-soft: #b9bcc4; --card-line: #44474d; --red: #ff7a6b; --orange: #f2a33a; --green: #4cc38a; --none: #81858e; }
      .paywall { --card-ink: #ecf4ff; --card-soft: #c3d5f0; --card-line: #35507f; }
      .popup svg.countdown .left { fill: #6ea3f5; } .popup .lite svg.countdown { background: linear-gradient(90deg, #8f84ff, #c08bff); }
    }
    """
}
