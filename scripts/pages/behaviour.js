// What the pages' own scripts do, tried out in the page that is open: gives rule, selector and words of each fault.
(async () => {
  const faults = [];
  //PATH//
  const add = (rule, node, words) => faults.push({rule, selector: node ? path(node) : "", words});
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const type = (field, value) => {
    field.value = value;
    field.dispatchEvent(new Event("input", {bubbles: true}));
    field.dispatchEvent(new Event("change", {bubbles: true}));
  };
  const isShown = node => node.checkVisibility();
  const statusOf = tools => tools.querySelector("[role=status]").textContent;
  // Another way to the same letters than the script's.
  const plain = text => text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  const markup = node => new XMLSerializer().serializeToString(node);

  // Reads a cell as a person would: the number it begins with, or its words.
  const units = {ms: 0.001, s: 1, min: 60, h: 3600, d: 86400};
  const read = cell => {
    const text = cell.textContent.trim();
    if (text.startsWith("–")) return null;
    if (cell.querySelector("time")) return Date.parse(cell.querySelector("time").dateTime);
    const few = text.match(/^([\d,]+) of ([\d,]+)/);
    const number = word => Number(word.replaceAll(",", ""));
    if (few) return number(few[1]) / number(few[2]);
    if (/^[\d,]+ %? ?of/.test(text) || /^[\d.,]+%/.test(text)) return parseFloat(text.replaceAll(",", "")) / 100;
    if (/^[\d,]*\.?\d+†?$/.test(text)) return number(text.replace("†", ""));
    if (/^[\d.]+ [A-Z]{3}$/.test(text)) return parseFloat(text);
    return undefined;
  };
  // Percents are whole on the page; the script knows them better. A column may have them beside counts.
  const isOrdered = (values, sign) => values.every((value, index) =>
    index === 0 || sign * (value - values[index - 1]) >= -0.0101);

  const sorting = table => {
    const body = table.tBodies[0];
    const written = [...body.rows];
    const heads = [...table.tHead.rows[0].cells];
    for (const [column, head] of heads.entries()) {
      const button = head.querySelector("button");
      if (!button) continue;
      const seen = [];
      for (const press of [1, 2]) {
        button.click();
        const direction = head.getAttribute("aria-sort");
        seen.push(direction);
        const rows = [...body.rows];
        const data = rows.filter(row => !row.matches(".total"));
        if (!same([...new Set(rows)].length, written.length)) add("sort-rows", head, "rows were lost or doubled");
        if (all("[aria-sort]", table).length !== 1) add("sort-state", head, "not one head says how it is sorted");
        if (rows.slice(data.length).some(row => !row.matches(".total"))) {
          add("sort-totals", head, "a total is not at the bottom");
        }
        const values = data.map(row => read(row.cells[column]));
        const known = values.filter(value => value !== null);
        if (values.slice(known.length).some(value => value !== null)) {
          add("sort-nothing", head, "a cell without a value is not last");
        }
        const sign = direction === "ascending" ? 1 : -1;
        if (known.every(value => typeof value === "number") && !isOrdered(known, sign)) {
          add("sort-order", head, `${direction} is ${known.join(" ")}`);
        }
      }
      if (!same([...seen].sort(), ["ascending", "descending"])) add("sort-ways", head, seen.join(", "));
      button.click();
      if (![...body.rows].every((row, index) => row === written[index])) {
        add("sort-back", head, "the third press does not bring the order of the page back");
      }
      if (head.hasAttribute("aria-sort")) add("sort-back", head, "says that it is still sorted");
    }
  };

  const repeats = table => {
    let before = null;
    for (const row of [...table.tBodies[0].rows].filter(isShown)) {
      const [cell] = row.cells;
      const words = cell.querySelector("time") ? null : cell.textContent.trim();
      const isAgain = words !== null && words === before && !row.matches(".total");
      if (cell.matches(".again") !== isAgain) add("repeats", cell, `steps back: ${!isAgain}`);
      before = words;
    }
  };

  const filtering = table => {
    const tools = table.closest(".scroll").previousElementSibling;
    if (!tools?.matches(".tools")) return;
    const rows = [...table.tBodies[0].rows];
    const before = markup(table);
    const field = tools.querySelector("input");
    const idle = statusOf(tools);
    const note = table.closest(".scroll").nextElementSibling;
    const isCut = note?.matches(".shown-of") ?? false;
    if (idle) add("filter-idle", tools, `says "${idle}"`);
    for (const row of [rows[0], rows[Math.floor(rows.length / 2)]]) {
      const word = row.cells[0].textContent.trim().split(/\s+/)[0];
      type(field, word.toUpperCase());
      const expected = rows.filter(one => plain([...one.cells].map(cell => cell.textContent).join("\n"))
        .includes(plain(word)));
      if (!same(rows.map(isShown), rows.map(one => expected.includes(one)))) {
        add("filter-rows", tools, `${rows.filter(isShown).length} rows for ${word}, not ${expected.length}`);
      }
      if (!statusOf(tools).startsWith(`${expected.length} of ${rows.length} rows`)) {
        add("filter-words", tools, statusOf(tools));
      }
      if (isCut !== statusOf(tools).includes("shown")) add("filter-reach", tools, statusOf(tools));
      repeats(table);
    }
    type(field, "\u0001 no such row");
    if (rows.some(isShown)) add("filter-none", tools, "rows are shown that lack the word");
    type(field, "");
    if (markup(table) !== before || statusOf(tools) !== idle) add("filter-back", tools, "is not as it was");
  };

  // The drawing of the chosen rows says what a column is, has as many as it says, and adds up to them.
  const columns = (figure, svg, chosen, sums) => {
    const unit = figure.querySelector(".unit");
    const step = chosen.length > 92 ? "week" : "day";
    if (unit.textContent !== unit.dataset[step]) add("days-unit", unit, `says ${unit.textContent} of ${chosen.length} days`);
    const isMonday = row => new Date(row.querySelector("time").dateTime).getUTCDay() === 1;
    const isFirst = (row, index) => step === "day" || !index || isMonday(row);
    const groups = [];
    for (const [index, row] of chosen.entries()) {
      if (isFirst(row, index)) groups.push([]);
      groups.at(-1).push(row);
    }
    const filled = groups.filter(rows => rows.some(row => sums.some(column => read(row.cells[column]) > 0)));
    const drawn = new Set(all("rect:not(.uncovered, .expected, .previous)", svg).map(rect => rect.getAttribute("x")));
    if (drawn.size !== filled.length) add("days-columns", svg, `${drawn.size} columns of ${filled.length}`);
  };

  const days = figure => {
    const svg = figure.querySelector("svg");
    const table = figure.querySelector("table");
    const tools = figure.querySelector(".tools");
    const rows = [...table.tBodies[0].rows];
    if (!tools) return rows.length < 3 || add("days-none", figure, "has no dates");
    const [from, until] = all("input", tools);
    const whole = tools.querySelector("button");
    const drawn = () => all("line, text, rect", svg).map(markup);
    const [before, alternative] = [drawn(), svg.querySelector("desc").textContent];
    type(from, from.value);
    if (!same(drawn(), before)) {
      const at = drawn().findIndex((one, index) => one !== before[index]);
      add("days-drawing", svg, `the script draws ${drawn()[at]}, the page ${before[at]}`);
    }
    const toned = [...table.tHead.rows[0].cells].flatMap((head, column) => head.dataset.tone ? [column] : []);
    columns(figure, svg, rows, toned);
    if (isShown(whole) || statusOf(tools)) add("days-idle", tools, "speaks of a choice before there is one");
    const date = row => row.querySelector("time").getAttribute("datetime");
    const [first, last] = [rows[1], rows.at(-2)];
    // The wrong way round, which is understood.
    type(from, date(last));
    type(until, date(first));
    const chosen = rows.slice(1, -1);
    figure.querySelector("details")?.setAttribute("open", "");
    if (!same(rows.filter(isShown), chosen)) add("days-rows", table, `${rows.filter(isShown).length} rows`);
    for (const [column, head] of [...table.tHead.rows[0].cells].entries()) {
      if (!("sum" in head.dataset)) continue;
      const sum = chosen.reduce((sum, row) => sum + read(row.cells[column]), 0);
      const words = `${head.textContent.trim().toLowerCase()} ${sum.toLocaleString("en")}`;
      if (!statusOf(tools).includes(words)) add("days-sum", tools, `"${statusOf(tools)}" lacks ${words}`);
      const hints = all(`rect.${head.dataset.tone} > title`, svg);
      const inHints = hints.reduce((sum, hint) => sum + Number(hint.textContent.split(" ").at(-1).replaceAll(",", "")), 0);
      if (head.dataset.tone && inHints !== sum) add("days-columns", svg, `draws ${inHints}, not ${sum}`);
    }
    columns(figure, svg, chosen, toned);
    if (rows.length > 92) {
      // As many days as still have a column each, and one more.
      for (const count of [92, 93]) {
        type(from, date(rows.at(-count)));
        type(until, date(rows.at(-1)));
        columns(figure, svg, rows.slice(-count), toned);
      }
    }
    if (!isShown(whole)) add("days-whole", tools, "there is no way back");
    whole.click();
    if (!same(drawn(), before) || svg.querySelector("desc").textContent !== alternative) {
      add("days-back", svg, "is not as it was");
    }
    if (document.activeElement !== from) add("days-focus", tools, "the focus is lost");
    figure.querySelector("details")?.removeAttribute("open");
  };

  const feedback = list => {
    const rest = list.nextElementSibling?.matches(".rest") ? list.nextElementSibling : null;
    const parts = [list, ...(rest ? all("ol", rest) : [])];
    const entries = parts.flatMap(one => [...one.children]);
    const isFolded = rest && !rest.open;
    const tools = list.previousElementSibling;
    if (!tools?.matches(".tools")) return entries.length < 5 || add("feedback-none", list, "has no search");
    const before = parts.map(markup).join();
    const written = parts.map(one => one.textContent).join();
    const nodes = () => parts.flatMap(one => all("*", one)).reduce((count, one) => count + one.childNodes.length, 0);
    const nodesBefore = nodes();
    const idle = statusOf(tools);
    const field = tools.querySelector("input");
    const texts = entries.map(entry => plain(all("blockquote p, .fine", entry).map(one => one.textContent).join("\n")));
    for (const entry of [entries[0], entries[2], entries.at(-1)]) {
      const word = entry.querySelector("blockquote p").textContent.trim().split(/\s+/)[0].slice(0, 12);
      // A word and its beginning, which cannot both be marked; without the accents.
      type(field, `${plain(word)} ${plain(word).slice(0, 2)}`);
      if (parts.map(one => one.textContent).join() !== written) add("feedback-text", list, "marking changes what people wrote");
      type(field, plain(word));
      const found = entries.filter(isShown);
      if (!found.includes(entry)) add("feedback-search", entry, `is not found by ${word}`);
      if (!same(found, entries.filter((_, index) => texts[index].includes(plain(word))))) {
        add("feedback-search", list, `${found.length} texts for ${word}`);
      }
      for (const one of found) {
        if (!all("mark", one).length) add("feedback-marks", one, `marks no ${word}`);
      }
      if (parts.flatMap(one => all("mark", one)).some(one => plain(one.textContent) !== plain(word) || one.children.length)) {
        add("feedback-marks", list, `marks something else than ${word}`);
      }
      if (!statusOf(tools).startsWith(`${found.length} of ${entries.length} text`)) {
        add("feedback-words", tools, statusOf(tools));
      }
    }
    type(field, "");
    if (parts.map(markup).join() !== before || isFolded && rest.open || statusOf(tools) !== idle || nodes() !== nodesBefore) {
      add("feedback-back", list, "is not as it was");
    }
    for (const select of all("select", tools)) {
      const option = select.options[1];
      type(select, option.value);
      const shown = entries.filter(isShown);
      if (!shown.length || shown.length === entries.length) add("feedback-choice", select, `shows ${shown.length}`);
      if (shown.some(entry => !Object.values(entry.dataset).includes(option.value))) {
        add("feedback-choice", select, `shows what is not ${option.value}`);
      }
      type(select, "");
    }
    if (isFolded) rest.open = true;
    if (!entries.every(isShown)) add("feedback-back", list, "does not show all again");
    if (isFolded) rest.open = false;
  };

  for (const table of all(".scroll > table")) {
    // A folded table is not shown, and its rows are not either.
    const folds = all("details").filter(one => one.contains(table) && !one.open);
    for (const fold of folds) fold.open = true;
    repeats(table);
    sorting(table);
    repeats(table);
    filtering(table);
    for (const fold of folds) fold.open = false;
  }
  for (const figure of all("figure.daily")) days(figure);
  for (const list of all("ol.feedback:not(.rest > *)")) feedback(list);

  // Every control has a name that a reader hears.
  for (const control of all(".tools input, .tools select, .tools button, .sort")) {
    const words = control.closest("label")?.textContent ?? control.textContent;
    if (!words.trim()) add("nameless", control, "has no name");
  }
  if (all("script").some(one => one.src) || all("[onclick], [style]").length) add("inline", null, "handlers or styles");
  return JSON.stringify(faults);
})()
