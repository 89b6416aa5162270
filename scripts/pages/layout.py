"""Nothing is wider than the page, no words lie over others, no drawing leaves its frame or blurs.

No tile stands alone in its last row, no column of a table is off a narrow screen, the index has the form
of docs/reports/form.md#index, and no page is higher than its bound.
"""
import json

from element_path import PATH

MEASURE = r"""
(() => {
  const faults = [];
  const add = (rule, node, words) => faults.push({rule, selector: path(node), words});
  //PATH//
  const quoted = text => JSON.stringify(text.trim().slice(0, 40));
  const width = document.documentElement.clientWidth;

  if (document.documentElement.scrollWidth > width) {
    const isHeld = node => node.closest(".scroll, .popups, .skip, .sr") !== null;
    const wide = [...document.body.querySelectorAll("*")].filter(node =>
      node.getBoundingClientRect().right > width + 0.5 && !isHeld(node));
    add("scrolls-sideways", wide.at(-1) || document.body,
      `the page is ${document.documentElement.scrollWidth} px wide in ${width} px`);
  }

  // Words of the page that can be seen, line by line.
  const isSeen = node => node.checkVisibility({opacityProperty: true, visibilityProperty: true,
    contentVisibilityAuto: true}) && !node.closest(".skip");
  const hasClip = node => {
    for (let one = node; one; one = one.parentElement) {
      const style = getComputedStyle(one);
      if (style.clipPath !== "none" || style.clip !== "auto") return true;
    }
    return false;
  };
  const scroller = node => node.closest(".scroll, .popups");
  const lines = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const parent = text.parentElement;
    if (!text.data.trim() || ["TITLE", "DESC", "STYLE", "SCRIPT"].includes(parent.tagName)) continue;
    if (!isSeen(parent) || hasClip(parent)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const rect of range.getClientRects()) {
      if (rect.width < 1 || rect.height < 1) continue;
      // The field of the rating dialog shows the beginning of a long text.
      if (rect.bottom > parent.closest(".typed")?.getBoundingClientRect().bottom) continue;
      if (!scroller(parent) && (rect.left < -0.5 || rect.right > width + 0.5)) {
        add("words-off-page", parent, `${quoted(text.data)} from ${rect.left} to ${rect.right} px`);
      }
      // Letters stand in the middle of their line box.
      const rim = rect.height * 0.25;
      lines.push({left: rect.left + 0.5, right: rect.right - 0.5, top: rect.top + rim,
        bottom: rect.bottom - rim, text: text.data, node: parent});
    }
  }
  lines.sort((a, b) => a.top - b.top);
  for (let i = 0; i < lines.length; i++) {
    for (let j = i + 1; j < lines.length && lines[j].top < lines[i].bottom; j++) {
      const [a, b] = [lines[i], lines[j]];
      if (a.left < b.right && b.left < a.right && a.node !== b.node &&
          scroller(a.node) === scroller(b.node)) {
        add("words-overlap", b.node, `${quoted(b.text)} lies over ${quoted(a.text)}`);
      }
    }
  }

  for (const svg of document.querySelectorAll("svg")) {
    if (!isSeen(svg) || svg.matches(".patterns")) continue;
    const frame = svg.getBoundingClientRect();
    const figure = (svg.closest("figure, td, th, .popup") || svg).getBoundingClientRect();
    for (const shape of svg.querySelectorAll("rect, circle, line, path, text")) {
      if (!isSeen(shape)) continue;
      const box = shape.getBoundingClientRect();
      const isText = shape.tagName === "text";
      const room = isText ? figure : frame;
      if (box.left < room.left - 5 || box.right > room.right + 5 ||
          box.top < room.top - 5 || box.bottom > frame.bottom + 5) {
        add("leaves-drawing", shape, isText ? quoted(shape.textContent) : "is partly outside");
      }
    }
  }

  for (const column of document.querySelectorAll("svg.columns rect")) {
    const {width} = column.getBoundingClientRect();
    if (isSeen(column) && width < 1.8) add("blurs", column, `a column is ${width.toFixed(2)} px wide`);
  }

  // Tiles fill their last row, but for one that is alone.
  for (const tiles of document.querySelectorAll(".figures")) {
    const rows = Map.groupBy([...tiles.children].filter(isSeen), one => Math.round(one.getBoundingClientRect().top));
    const counts = [...rows.values()].map(row => row.length);
    if (counts.length > 1 && counts.at(-1) === 1 && Math.max(...counts) > 1) {
      add("orphan-tile", tiles, `rows of ${counts.join(", ")}`);
    }
  }

  // On a telephone a column that decides would be missed at the right of its frame.
  if (width === 400) {
    for (const cell of document.querySelectorAll(".scroll td")) {
      const frame = cell.closest(".scroll").getBoundingClientRect();
      if (isSeen(cell) && cell.getBoundingClientRect().right > frame.right + 1) {
        add("column-off-screen", cell, quoted(cell.textContent));
        break;
      }
    }
  }

  // Rows that are lists there have their values in two columns.
  if (width === 400) {
    for (const row of document.querySelectorAll(".cards tbody tr")) {
      const lefts = new Set([...row.children].filter(isSeen).map(one => Math.round(one.getBoundingClientRect().left)));
      if (lefts.size > 2) {
        add("cards-askew", row, `values begin at ${[...lefts].join(", ")} px`);
        break;
      }
    }
  }

  // The index: pairs beside each other on a wide page, what needs somebody first and wider; else one column.
  const parts = Object.fromEntries([...document.querySelectorAll("body.page-index main > section[id]")].map(one =>
    [one.id, one.getBoundingClientRect()]));
  const PAIRS = [["attention", "written"], ["sells", "month"], ["jobs", "since"]];
  if (width === 1400) {
    for (const [left, right] of PAIRS.filter(pair => pair.every(one => parts[one]))) {
      const [one, other] = [parts[left], parts[right]];
      if (one.top !== other.top || one.right > other.left) {
        add("index-form", document.getElementById(left), `is not at the left of ${right}`);
      }
    }
    if (parts.written && parts.attention?.width < 1.3 * parts.written.width) {
      add("index-form", document.getElementById("attention"), "has less than 60 percent of the row");
    }
  } else if (width <= 400 && new Set(Object.values(parts).map(one => one.left)).size > 1) {
    add("index-form", document.querySelector("main"), "is not one column");
  }

  // What needs somebody comes first on a telephone.
  const [needs, tiles] = ["#attention", ".headline"].map(one => document.querySelector(`body.page-index ${one}`));
  if (width === 400 && needs && tiles && needs.getBoundingClientRect().top > tiles.getBoundingClientRect().top) {
    add("index-form", needs, "stands behind the tiles");
  }

  const doubled = [...document.querySelectorAll("main p")].filter(one =>
    isSeen(one) && /^Nothing needs you/.test(one.textContent));
  if (doubled.length > 1) add("said-twice", doubled[1], quoted(doubled[1].textContent));

  for (const box of document.querySelectorAll(".popup, .pill, th, td, dd, dt, li, h1, h2, h3, p")) {
    if (!isSeen(box) || scroller(box) === box || hasClip(box)) continue;
    if (box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).display !== "inline") {
      add("words-leave-box", box, `${box.scrollWidth} px in ${box.clientWidth} px`);
    }
  }
  return JSON.stringify(faults);
})()
"""


# The first screen, whatever the day was, and the longest page that somebody reads to its end, at 1400 px.
INDEX_HEIGHT = 900
# That of a month has what happened, too; the usage page answers the questions about limits, popups and hours.
HEIGHTS = {"demo/usage.html": 5900, "demo/limits.html": 5000, "month/index.html": 1150}
# At 400 px, where the long sections are closed.
NARROW_HEIGHTS = {"demo/ratings.html": 4000, "past/history/index.html": 5000}
HEIGHT = "Math.round(document.documentElement.getBoundingClientRect().height)"


def _is_index(name):
    return name.count("/") == 1 and name.endswith("/index.html")


def height(browser, name, is_narrow=False):
    """The fault of a page that is higher than it may be at the width that is shown."""
    bounds = NARROW_HEIGHTS if is_narrow else HEIGHTS
    most = bounds.get(name, INDEX_HEIGHT if _is_index(name) and not is_narrow else None)
    high = browser.evaluate(HEIGHT) if most else 0
    return [("too-high", "", f"{high} px, and may have {most} px")] if high > (most or 0) else []


def sheets(browser, name):
    """The fault of an index that is printed on more than one page of A4."""
    count = browser.sheets() if _is_index(name) else 1
    return [("too-many-sheets", "", f"prints on {count} pages")] if count > 1 else []


def check(browser):
    """Rule, selector and words of what does not fit where it is shown now."""
    found = json.loads(browser.evaluate(MEASURE.replace("//PATH//", PATH)))
    return [(one["rule"], one["selector"], one["words"]) for one in found]
