"use strict";
// What a page can do besides being read: docs/reports.md#with-javascript. Nothing here reads or writes
// markup: all text passes through text nodes.

const all = (selector, root = document) => [...root.querySelectorAll(selector)];

const make = (name, attributes, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};

const grouped = number => number.toLocaleString("en");
const counted = (number, noun) => `${grouped(number)} ${noun}${number === 1 ? "" : "s"}`;

// A row of controls above what it acts on; gives the way to say beneath it what they did.
const toolbar = (target, title, ...controls) => {
  const status = make("p", {role: "status"});
  const tools = make("div", {class: "tools", role: "group", "aria-label": title}, ...controls, status);
  target.before(tools);
  return (words, isNarrowed) => {
    status.textContent = words;
    tools.classList.toggle("narrowed", isNarrowed);
  };
};

const labelled = (words, control) => make("label", {}, `${words} `, control);
const searchField = () =>
  make("input", {type: "search", name: "search", autocomplete: "off", spellcheck: "false"});

// The text without case and accents, and where in it each of its letters stood.
const folded = text => {
  let plain = "";
  const places = [];
  let at = 0;
  for (const letter of text) {
    const folds = letter.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
    for (let unit = 0; unit < folds.length; unit += 1) places.push(at);
    plain += folds;
    at += letter.length;
  }
  return {plain, places: [...places, at]};
};

const wordsOf = query => folded(query).plain.split(/\s+/).filter(word => word);
const holds = (text, words) => words.every(word => text.includes(word));

// On a narrow page the long sections are closed. A link opens what it leads to, a folded table too.
const slim = matchMedia("screen and (max-width: 40rem)");
const go = () => {
  for (let one of all(":target, :target > .tuck")) for (; one; one = one.parentElement) one.open = true;
};
const tuck = () => {
  for (const one of all(".tuck")) one.open = !slim.matches;
  go();
};
slim.onchange = tuck;
onhashchange = onload = go;
tuck();

// What a search says before anything is typed: how much of everything it can find.
const reachOf = target => {
  const note = target.nextElementSibling;
  return note?.matches(".shown-of") ? `Searches the ${note.textContent}` : "";
};
