"""No rule of axe-core is broken, best practices included, and none is left for a person to judge."""
import json

from element_path import PATH

# The shade at the edge of a frame that scrolls keeps axe from seeing the paper behind its words, which
# is of one colour; so it is taken away before axe looks.
PLAIN = ".scroll { background-image: none !important; }"

# What axe cannot compute: words on the gradients of the app's popups, words inside drawings, signs that
# are no letters, and cells that are scrolled out of their frame, which the wide page shows. StyleSheetTests
# computes the contrast of all their colours.
SCROLLING = ".scroll, .popups"
UNDECIDED = {
    "bgGradient": ".pill, .paywall, .submit", "imgNode": "svg, svg *", "nonBmp": ".sign, .stars, .star, .touch-stars, .popup .tick, svg text",
    "bgOverlap": SCROLLING + ", svg text", "elmPartiallyObscured": SCROLLING, "elmPartiallyObscuring": SCROLLING,
    "shortTextContent": SCROLLING + ", svg text"}

LOAD = """
const plain = new CSSStyleSheet();
plain.replaceSync(%s);
document.adoptedStyleSheets = [plain];
0
"""
# Making selectors for everything that passes is half of axe's time, so it is told not to.
RUN = """
(async () => {
  const known = %s;
  const found = await axe.run(document, {
    ...%s,
    resultTypes: ["violations", "incomplete"], elementRef: true, selectors: false, preload: false});
  const flat = list => list.flatMap(rule => rule.nodes.map(node => {
    const check = node.any.concat(node.all, node.none)[0] || {message: ""};
    const places = known[(check.data || {}).messageKey];
    return {rule: rule.id, selector: path(node.element), words: `${rule.help}. ${check.message}`,
      isKnown: Boolean(places && node.element.closest(places))};
  }));
  const undecided = flat(found.incomplete).filter(one => !one.isKnown);
  return JSON.stringify(flat(found.violations).concat(undecided));
})()
"""


def load(browser, source):
    """Makes axe known to the page that is open."""
    browser.evaluate(source + "; 0")
    browser.evaluate(LOAD % json.dumps(PLAIN))


# What may differ in a dark theme on a narrow page; the rest is judged once.
SHOWN = {"runOnly": {"type": "rule", "values": [
    "link-in-text-block", "scrollable-region-focusable", "target-size"]}}
# Two thirds of the time of axe. `colours` judges contrast on every page and in every theme in a hundredth
# of it, so axe does where the blocks of a page come for the first time.
WITHOUT_CONTRAST = {"rules": {"color-contrast": {"enabled": False}}}
FIRST = ("demo/", "empty/", "hostile/")


def check(browser, name, whole=True):
    """Rule, selector and words of everything that axe objects to or cannot decide.

    Without `whole` only of what may differ from one view to another.
    """
    is_repeated = "/" in name and not name.startswith(FIRST)
    options = SHOWN if not whole else WITHOUT_CONTRAST if is_repeated else {}
    found = json.loads(browser.evaluate(
        "{" + PATH + RUN % (json.dumps(UNDECIDED), json.dumps(options)) + "}"))
    return [(one["rule"], one["selector"], one["words"].strip()) for one in found]
