const collator = new Intl.Collator("en", {numeric: true});

// What a cell is sorted by: a number, a text, or null for nothing.
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

// Rows in one direction; nothing stays last in both, and equals stay as they were.
const inOrder = (rows, column, direction) => {
  const keys = new Map(rows.map(row => [row, keyOf(row.cells[column])]));
  const known = rows.filter(row => keys.get(row) !== null);
  const sign = direction === "ascending" ? 1 : -1;
  known.sort((one, other) => sign * compare(keys.get(one), keys.get(other)));
  return [...known, ...rows.filter(row => keys.get(row) === null)];
};

// Steps back a first cell that says what the one above it said; times never do.
const markRepeats = table => {
  let before = null;
  for (const row of table.tBodies[0].rows) {
    if (row.hidden) continue;
    const cell = row.cells[0];
    const text = cell.textContent;
    cell.classList.toggle(
      "again", text === before && !isTotal(row) && !cell.querySelector("time"));
    before = text;
  }
};

// Makes the column heads buttons: one way, the other way, as written. Totals stay at the bottom.
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

// A search field above a long table; it hides the rows that lack one of its words.
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
