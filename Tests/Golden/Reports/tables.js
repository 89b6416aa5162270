/*<![CDATA[*/
"use strict";
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const make = (name, attributes, ...children) => {
const element = document.createElement(name);
for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
element.append(...children);
return element;
};
const grouped = number => number.toLocaleString("en");
const counted = (number, noun) => `${grouped(number)} ${noun}${number === 1 ? "" : "s"}`;
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
const reachOf = target => {
const note = target.nextElementSibling;
return note?.matches(".shown-of") ? `Searches the ${note.textContent}` : "";
};
const collator = new Intl.Collator("en", {numeric: true});
const keyOf = cell => {
if (cell.dataset.v) return Number(cell.dataset.v);
const time = cell.querySelector("time");
if (time) return Date.parse(time.dateTime);
const text = cell.textContent.trim();
if (text.startsWith("–")) return null;
return /^\d[\d,]*$/.test(text) ? Number(text.replaceAll(",", "")) : text;
};
const compare = (one, other) =>
typeof one === "number" && typeof other === "number"
? one - other : collator.compare(String(one), String(other));
const isTotal = row => row.classList.contains("total");
const inOrder = (rows, column, direction) => {
const keys = new Map(rows.map(row => [row, keyOf(row.cells[column])]));
const known = rows.filter(row => keys.get(row) !== null);
const sign = direction === "ascending" ? 1 : -1;
known.sort((one, other) => sign * compare(keys.get(one), keys.get(other)));
return [...known, ...rows.filter(row => keys.get(row) === null)];
};
const markRepeats = table => {
let before = null;
for (const row of table.tBodies[0].rows) {
if (row.hidden) continue;
const text = row.cells[0].textContent;
const isTime = row.cells[0].querySelector("time");
row.cells[0].classList.toggle("again", text === before && !isTotal(row) && !isTime);
before = text;
}
};
const addSorting = table => {
const written = [...table.tBodies[0].rows];
const rows = written.filter(row => !isTotal(row));
if (rows.length < 3) return;
const heads = [...table.tHead.rows[0].cells];
const opposite = {ascending: "descending", descending: "ascending"};
const sort = (head, column) => {
const natural = head.classList.contains("trailing") ? "descending" : "ascending";
const isWritten = inOrder(rows, column, natural).every((row, index) => row === rows[index]);
const first = isWritten ? opposite[natural] : natural;
const now = head.getAttribute("aria-sort");
const next = !now ? first : now === first ? opposite[first] : null;
for (const one of heads) one.removeAttribute("aria-sort");
if (next) head.setAttribute("aria-sort", next);
const order = next ? inOrder(rows, column, next) : written;
table.tBodies[0].append(...order, ...(next ? written.filter(isTotal) : []));
markRepeats(table);
};
heads.forEach((head, column) => {
if (rows[0].cells[column].querySelector(".trend")) return;
const button = make("button", {type: "button", class: "sort"}, ...head.childNodes);
button.addEventListener("click", () => sort(head, column));
head.append(button);
});
};
const addFilter = table => {
const rows = [...table.tBodies[0].rows];
if (rows.length < 10 || table.closest(".chart")) return;
const scroll = table.closest(".scroll");
const texts = new Map(rows.map(row =>
[row, [...row.cells].map(cell => folded(cell.textContent).plain).join("\n")]));
const field = searchField();
const title = document.getElementById(scroll.getAttribute("aria-labelledby"))?.textContent ?? "";
const say = toolbar(scroll, `Filter: ${title}`, labelled("Filter", field));
const reach = reachOf(scroll);
const filter = () => {
const words = wordsOf(field.value);
for (const row of rows) row.hidden = !holds(texts.get(row), words);
const found = rows.filter(row => !row.hidden).length;
const result = `${grouped(found)} of ${counted(rows.length, "row")} with “${field.value.trim()}”. `;
say(words.length ? result + reach : "", words.length > 0);
markRepeats(table);
};
field.addEventListener("input", filter);
filter();
};
for (const table of all(".scroll > table")) {
addSorting(table);
addFilter(table);
}
/*]]>*/