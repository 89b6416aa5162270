// Two days of a table with a column a day: it shows their columns alone, and what differs in counts,
// shares and means.
const addComparison = scroll => {
  const table = scroll.querySelector("table");
  const head = table.tHead.rows[0];
  const days = [...head.cells].slice(1);
  if (days.length < 2) return;
  const rows = [...table.tBodies[0].rows];
  const choose = (name, chosen) => {
    const select = make("select", {name}, ...days.map((day, index) =>
      make("option", {value: String(index + 1)}, day.textContent.trim())));
    select.value = String(chosen);
    return select;
  };
  const [then, now] = [choose("then", 2), choose("now", 1)];
  const [earlier, later, whole] = ["Earlier", "Later", "All days"].map(words =>
    make("button", {type: "button"}, words));
  const filter = scroll.previousElementSibling;
  toolbar(
    filter?.matches(".tools") ? filter : scroll, "Compare two days", labelled("From", then),
    labelled("to", now), earlier, later, whole);
  const title = make("th", {scope: "col", class: "trailing"}, "Difference");
  head.append(title);
  const differences = rows.map(row =>
    row.appendChild(make("td", {class: "trailing", "data-label": "Difference"})));

  const unitOf = cell => {
    const text = cell.textContent.trim();
    if (/^\d[\d,]*$/.test(text)) return "count";
    if (!cell.dataset.v) return null;
    return text.includes("%") ? "share" : /^\d+\.\d+†?$/.test(text) ? "mean" : null;
  };
  const words = {
    count: grouped, share: size => `${(100 * size).toFixed(1)} points`, mean: size => size.toFixed(2),
  };
  const difference = row => {
    const cells = [then, now].map(select => row.cells[Number(select.value)]);
    const [unit, other] = cells.map(unitOf);
    if (unit === null || unit !== other) return "–";
    const change = keyOf(cells[1]) - keyOf(cells[0]);
    return change === 0 ? "same" : (change > 0 ? "+" : "−") + words[unit](Math.abs(change));
  };
  const show = isWhole => {
    const shown = [0, Number(then.value), Number(now.value), days.length + 1];
    for (const row of [head, ...rows]) {
      [...row.cells].forEach((cell, column) => {
        cell.hidden = isWhole ? column > days.length : !shown.includes(column);
      });
    }
    rows.forEach((row, index) => { differences[index].textContent = difference(row); });
    later.disabled = Math.min(then.value, now.value) === 1;
    earlier.disabled = Math.max(then.value, now.value) === days.length;
  };
  const move = by => {
    for (const select of [then, now]) select.value = String(Number(select.value) + by);
    show(false);
  };
  for (const select of [then, now]) select.addEventListener("input", () => show(false));
  earlier.addEventListener("click", () => move(1));
  later.addEventListener("click", () => move(-1));
  whole.addEventListener("click", () => show(true));
  show(false);
};

for (const scroll of all(".scroll[aria-labelledby$='figures-by-day-table']")) addComparison(scroll);
