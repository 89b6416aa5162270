"""What the pages' own scripts do: sorting, filters, days, search, the keyboard, and nothing without them."""
import json
import os

import silence
from element_path import PATH

HERE = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(HERE, "behaviour.js")) as file:
    DRIVER = file.read().replace("//PATH//", PATH)

CONTROLS = "document.querySelectorAll('.tools, .sort, main button, main input, main select').length"
FOLDED = "document.querySelector('details.fold > summary [id]')?.id ?? ''"
FIRST = "const head = [...document.querySelectorAll('.sort')].find(one => one.checkVisibility())"
# Where the browser refuses to make markup of text, whoever asks.
MARKUP = """
(() => {
  try { document.createElement("p").innerHTML = "<b>"; } catch (error) { return error.name; }
  return "nothing";
})()
"""
SEEN_ON_PAPER = """
[...document.querySelectorAll(".tools label, .tools button")].filter(one => one.checkVisibility()).length
"""


def press(browser, key, code, text=""):
    for kind in ("keyDown", "keyUp"):
        browser.call(
            "Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code,
            text=text if kind == "keyDown" else "")


def keyboard(browser):
    """The first head of a column is reached by the tabulator, says so, and sorts by Enter."""
    if not browser.evaluate(f"{FIRST}; Boolean(head)"):
        return []
    browser.evaluate("head.closest('.scroll').focus()")
    press(browser, "Tab", 9)
    reached = browser.evaluate(
        "document.activeElement === head && getComputedStyle(head).outlineStyle !== 'none'")
    press(browser, "Enter", 13, "\r")
    faults = [] if reached else [("keyboard", ".sort", "is not reached by Tab, or does not show it")]
    if not browser.evaluate("head.closest('th').ariaSort"):
        faults.append(("keyboard", ".sort", "does not sort by Enter"))
    if not browser.evaluate("document.activeElement === head"):
        faults.append(("keyboard", ".sort", "loses the focus when it sorts"))
    return faults


def folded_link(browser, url):
    """A link from another page to a folded table opens it."""
    name = browser.evaluate(FOLDED)
    if not name:
        return []
    browser.open("about:blank")
    browser.open(f"{url}#{name}")
    is_open = browser.evaluate(f"document.getElementById({json.dumps(name)}).closest('details').open")
    return [] if is_open else [("folded-link", f"#{name}", "stays closed when a link leads to it")]


def without_scripts(browser, url):
    """No control is there when nothing would answer it."""
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(url)
        count = browser.evaluate(CONTROLS)
    finally:
        browser.call("Emulation.setScriptExecutionDisabled", value=False)
    return [("without-script", "", f"shows {count} controls")] if count else []


def drive(browser):
    """The faults of what the scripts of the page that is open do."""
    return [(one["rule"], one["selector"], one["words"]) for one in json.loads(browser.evaluate(DRIVER))]


def check(browser, url):
    """Rule, selector and words of each fault; leaves the page as it is loaded anew."""
    faults = without_scripts(browser, url)
    browser.open(url)
    faults += drive(browser)
    faults += keyboard(browser)
    browser.call("Emulation.setEmulatedMedia", media="print")
    seen = browser.evaluate(SEEN_ON_PAPER)
    browser.call("Emulation.setEmulatedMedia", media="screen")
    faults += [("paper", ".tools", f"prints {seen} controls")] if seen else []
    # Before the next, which the policy has something to say about.
    faults += silence.check(browser.drain(), url)
    refusal = browser.evaluate(MARKUP)
    faults += [] if refusal == "TypeError" else [("trusted-types", "", f"innerHTML throws {refusal}")]
    faults += folded_link(browser, url)
    browser.open(url)
    return faults
