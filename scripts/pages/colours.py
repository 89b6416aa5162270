"""Words, drawings and the focus can be seen in the colours that are shown now; forced colours are judged as they are.

Contrast is computed from what the browser computed: the colour of the words over every colour that lies behind
them, each stop of a gradient included. What lies over other things by its place alone is axe's to find.
"""
import json

from element_path import PATH

JUDGE = r"""
(() => {
  const faults = [];
  const add = (rule, node, words) => faults.push({rule, selector: path(node), words});
  //PATH//
  const isForced = matchMedia("(forced-colors: active)").matches;
  if (isForced !== //FORCED//) add("forced-colours", document.documentElement, `are ${isForced ? "" : "not "}active`);

  // Colours as [red, green, blue, alpha] of 0 to 1.
  const COLOUR = /rgba?\([^)]*\)|color\(srgb [^)]*\)/g;
  const parse = text => {
    const values = text.match(/-?[\d.]+(e-?\d+)?%?/g).map(one => one.endsWith("%") ? parseFloat(one) / 100 : Number(one));
    const scale = text.startsWith("color") ? 1 : 255;
    return [values[0] / scale, values[1] / scale, values[2] / scale, values[3] ?? 1];
  };
  const over = (top, under) => [0, 1, 2].map(place => top[place] * top[3] + under[place] * (1 - top[3])).concat(1);
  const luminance = colour => [0.2126, 0.7152, 0.0722].reduce((sum, share, place) => sum + share *
    (colour[place] <= 0.04045 ? colour[place] / 12.92 : ((colour[place] + 0.055) / 1.055) ** 2.4), 0);
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const distinct = colours => [...new Map(colours.map(one => [one.join(), one])).values()];

  const probe = document.createElement("div");
  probe.style.setProperty("background-color", "Canvas");
  document.body.append(probe);
  const canvas = parse(getComputedStyle(probe).backgroundColor);
  probe.remove();
  const grounds = new WeakMap();
  // Every colour that may be behind the words of an element.
  const ground = node => {
    if (!node) return [canvas];
    if (grounds.has(node)) return grounds.get(node);
    const style = getComputedStyle(node);
    // Shapes may have a background for the swatch of the same class; it is not painted.
    if (node.namespaceURI.endsWith("svg") && node.tagName !== "svg") return ground(node.parentElement);
    let found = ground(node.parentElement).map(one => over(parse(style.backgroundColor), one));
    if (style.backgroundImage !== "none") {
      const layers = style.backgroundImage.split(/,\s*(?=[a-z-]+-gradient\()/);
      for (const [place, layer] of [...layers.entries()].reverse()) {
        const stops = (layer.match(COLOUR) || []).map(parse);
        if (!stops.length) continue;
        const isWhole = style.backgroundSize.split(",")[place % style.backgroundSize.split(",").length].trim() === "auto";
        found = distinct((isWhole ? [] : found).concat(stops.flatMap(stop => found.map(one => over(stop, one)))));
      }
    }
    grounds.set(node, found);
    return found;
  };
  const worst = (colour, node) => Math.min(...ground(node).map(one => contrast(over(colour, one), one)));

  const isSeen = node => node.checkVisibility({opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true});
  const readable = (node, words) => {
    if (!isSeen(node) || node.matches(":disabled, .skip")) return;
    const style = getComputedStyle(node);
    const isDrawn = node.namespaceURI.endsWith("svg");
    const size = parseFloat(style.fontSize);
    const least = size >= 24 || size >= 18.66 && Number(style.fontWeight) >= 700 ? 3 : 4.5;
    const ratio = worst(parse(isDrawn ? style.fill : style.color), node);
    if (ratio < least) add("contrast", node, `${ratio.toFixed(2)} to 1, not ${least}: ${JSON.stringify(words.trim().slice(0, 40))}`);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const silent = new Set(["TITLE", "DESC", "STYLE", "SCRIPT", "title", "desc", "OPTION"]);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    if (text.data.trim() && !silent.has(text.parentElement.tagName)) readable(text.parentElement, text.data);
  }
  for (const control of document.querySelectorAll("input, select")) readable(control, control.value);

  // What a shape is filled or stroked with: one colour, or those of a pattern's ground and stripes.
  const paints = (node, property) => {
    const value = getComputedStyle(node)[property];
    const id = value.match(/url\("?#([^")]*)"?\)/)?.[1];
    if (!id) return value === "none" ? [] : [parse(value)];
    return [...document.getElementById(id).children].map(part => {
      const own = getComputedStyle(part);
      return parse(own.fill === "none" ? own.stroke : own.fill);
    });
  };
  const strongest = (colours, node) => Math.max(...colours.map(one => worst(one, node)), 0);
  const told = new Set();
  const drawn = (selector, property, least) => {
    for (const shape of document.querySelectorAll(selector)) {
      const key = `${selector} ${shape.getAttribute("class")}`;
      if (told.has(key) || !isSeen(shape)) continue;
      const colours = paints(shape, property);
      const ratio = strongest(colours, shape);
      const inner = colours.length > 1 ? contrast(colours[0], colours[1]) : least;
      if (ratio < least || inner < least) {
        told.add(key);
        add("drawn-faintly", shape, `${ratio.toFixed(2)} to 1 on its ground, ${inner.toFixed(2)} within, not ${least}`);
      }
    }
  };
  const SERIES = ".drawing .main, .drawing .blocked, .bar rect:not(.track), svg.trend rect:not(.uncovered), .drawing .quiet, " +
    ".drawing .good, .drawing .middling, .drawing .poor";
  drawn(SERIES, "fill", 3);
  drawn(".popups .left:is(rect)", "fill", 1.5);
  drawn("svg.countdown:not(.popup *) .left", "fill", 3);
  drawn(".drawing .stroke", "stroke", 3);
  drawn(".drawing .heat-5", "fill", 3);
  drawn(".drawing .base, .drawing .marked", "stroke", 3);
  drawn(".drawing .uncovered, .drawing .heat-none", "fill", isForced ? 3 : 1.2);

  // Two series of one drawing differ by a pattern and by luminance, or by a pattern of the same colour.
  for (const svg of document.querySelectorAll("svg.drawing")) {
    const [one, other] = ["main", "blocked"].map(name => svg.querySelector(`rect.${name}`));
    if (!one || !other || !isSeen(svg)) continue;
    const hasPattern = [one, other].map(shape => getComputedStyle(shape).fill.includes("url("));
    if (hasPattern[0] === hasPattern[1]) add("series-alike", svg, "its series have no pattern that tells them apart");
  }
  // Warmer hours are further from the paper, step by step.
  const steps = [0, 1, 2, 3, 4, 5].map(number => document.querySelector(`.heat-key .heat-${number}`));
  if (steps.every(Boolean) && isSeen(steps[0])) {
    const ratios = steps.map(step => contrast(parse(getComputedStyle(step).backgroundColor), ground(step.parentElement)[0]));
    if (ratios.some((ratio, place) => place && ratio < ratios[place - 1] * 1.1)) {
      add("heat-steps", steps[0].parentElement, ratios.map(ratio => ratio.toFixed(2)).join(", "));
    }
  }
  for (const swatch of document.querySelectorAll(".swatch")) {
    const style = getComputedStyle(swatch, "::before");
    const colours = (style.backgroundImage.match(COLOUR) || [style.backgroundColor]).map(parse);
    if (isSeen(swatch) && strongest(colours, swatch) < 3) add("drawn-faintly", swatch, "its colour is not seen");
  }

  // Where the reader is: the page in the menu, and what has the focus.
  for (const link of document.querySelectorAll("nav a[aria-current]")) {
    const style = getComputedStyle(link);
    const marks = style.boxShadow !== "none" || style.textDecorationLine !== "none" || parseFloat(style.borderBottomWidth) > 0;
    if (isSeen(link) && !marks) add("current-unmarked", link, "looks like the other links");
  }
  const before = document.activeElement;
  const kinds = ["nav a", "main a", "summary", "main button", ".tools input", ".tools select", ".scroll[tabindex]"];
  for (const kind of kinds) {
    const node = [...document.querySelectorAll(kind)].find(one => isSeen(one) && !one.disabled);
    if (!node) continue;
    node.focus({preventScroll: true, focusVisible: true});
    const style = getComputedStyle(node);
    const ratio = worst(parse(style.outlineColor), node.parentElement);
    if (document.activeElement !== node) add("focus", node, "cannot be focused");
    else if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2 || ratio < 3) {
      add("focus", node, `its ring is ${style.outlineWidth} ${style.outlineStyle}, ${ratio.toFixed(2)} to 1`);
    }
    node.blur();
  }
  before?.focus?.({preventScroll: true});
  return JSON.stringify(faults);
})()
"""


def check(browser, is_forced=False):
    """Rule, selector and words of what cannot be told from what is behind or beside it."""
    script = JUDGE.replace("//PATH//", PATH).replace("//FORCED//", "true" if is_forced else "false")
    return [(one["rule"], one["selector"], one["words"]) for one in json.loads(browser.evaluate(script))]
