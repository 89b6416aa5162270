// The same measures as ColumnsDrawing has; the pages' tests hold the two drawings against each other.
const plot = {height: 190, top: 16, fewest: 7, gap: 0.14, labels: 8, singleDays: 62, mostDays: 92, digit: 0.03};
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const shortDay = day => `${Number(day.slice(8))} ${months[Number(day.slice(5, 7)) - 1]}`;

const drawings = all("figure.daily svg")[0]?.namespaceURI;
const shape = (name, attributes, text) => {
  const element = document.createElementNS(drawings, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text) element.append(text);
  return element;
};
const share = part => `${Math.round(part * 10000) / 100}%`;
const pixels = length => `${Math.round(length * 100) / 100}`;

// Round steps, at most five of them, the last at or above the largest value.
const ticksTo = most => {
  let step = 1;
  for (let power = 1; step * 5 < most; power *= 10) {
    step = [1, 2, 5, 10].map(times => times * power).find(one => one * 5 >= most) ?? step;
  }
  const count = Math.max(1, Math.ceil(most / step));
  return Array.from({length: count + 1}, (_, index) => index * step);
};

// A tick in at most six characters.
const tickWords = (tick, top) => {
  for (const [unit, sign, least] of [[1e9, "bn", 1], [1e6, "M", 1], [1e3, "k", 10]]) {
    if (!tick || top < least * unit) continue;
    const hundredths = String(Math.floor(tick % unit / (unit / 100))).padStart(2, "0");
    return grouped(Math.floor(tick / unit)) + `.${hundredths}`.replace(/\.?0+$/, "") + sign;
  }
  return grouped(tick);
};

const spanOf = days =>
  [...new Set([days[0], days.at(-1)].map(day => day && shortDay(day.date)))].join(" – ");
const sumOf = (days, of) => days.reduce((sum, day) => sum + of(day), 0);

// A column a day, or of many days one a week, from Monday.
const isWeekly = days => days.length > plot.mostDays;
const columnsOf = days => {
  const columns = [];
  for (const day of days) {
    const isMonday = new Date(day.date).getUTCDay() === 1;
    if (!columns.length || isMonday || !isWeekly(days)) columns.push([]);
    columns.at(-1).push(day);
  }
  return columns;
};

// Numbers that are too near each other to be read are one range, between them.
const markLabels = marks => {
  const labels = [];
  const middle = one => (one.at + one.until) / 2;
  const words = one => one.from < one.to ? `${one.from}–${one.to}` : `${one.to}`;
  const isNear = (one, next) => middle(next) - middle(one) <
    ((words(one).length + words(next).length) / 2 + 1) * plot.digit;
  for (const {number, place} of marks) {
    const label = {from: number, to: number, at: place, until: place};
    while (labels.length && isNear(labels.at(-1), label)) {
      const before = labels.pop();
      Object.assign(label, {from: before.from, at: before.at});
    }
    labels.push(label);
  }
  return labels.map(one => ({words: words(one), place: middle(one)}));
};

// Draws the columns of some days anew, in a scale of their own.
const drawDays = (svg, days, series, previous, marks) => {
  const columns = columnsOf(days);
  const slot = 1 / Math.max(columns.length, plot.fewest);
  const sums = columns.map(column => series.reduce((sum, one) => sum + sumOf(column, one.of), 0));
  const bands = isWeekly(days) ? [] : columns.flatMap(([day], index) =>
    "high" in day.row.dataset ? [{day, index, low: +day.row.dataset.low, high: +day.row.dataset.high}] : []);
  const dashes = previous ? columns.flatMap((column, index) => column.every(day => previous.of(day) !== null)
    ? [{index, column, value: sumOf(column, previous.of)}] : []) : [];
  const ticks = ticksTo(Math.max(0, ...sums, ...bands.map(band => band.high), ...dashes.map(dash => dash.value)));
  const y = value => plot.top + plot.height * (1 - value / ticks.at(-1));
  const shapes = [];
  const line = (name, x1, y1, x2, y2) => shapes.push(shape("line", {class: name, x1, y1, x2, y2}));
  const rect = (name, left, width, y, height, hint) => {
    shapes.push(shape("rect", {class: name, x: share(left * slot), y, width: share(width * slot), height}));
    shapes.at(-1).append(shape("title", {}, hint));
  };
  const column = (name, index, ...rest) => rect(name, index + plot.gap, 1 - 2 * plot.gap, ...rest);
  for (const {day, index, low, high} of bands) {
    rect("expected", index, 1, pixels(y(high)), pixels(y(low) - y(high)),
      `${shortDay(day.date)}: usual ${grouped(low)} to ${grouped(high)}`);
    for (const end of [high, low]) {
      const at = pixels(y(end));
      line("expected-end", share(index * slot), at, share(index * slot + slot), at);
    }
  }
  for (const tick of ticks) {
    const at = pixels(y(tick));
    line(tick ? "grid" : "base", "0%", at, "100%", at);
    shapes.push(shape("text", {class: "tick y", x: "0%", y: pixels(y(tick) + 4), dx: -8}, tickWords(tick, ticks.at(-1))));
  }
  const marked = marks.flatMap(mark => {
    const index = columns.findIndex(column => column.some(day => day.date === mark.date));
    return index < 0 ? [] : [{number: mark.number, place: (index + 0.5) * slot}];
  });
  for (const {place} of marked) {
    const x = share(place);
    line("marked", x, plot.top - 3, x, plot.top + plot.height);
  }
  for (const {place, words} of markLabels(marked)) {
    shapes.push(shape("text", {class: "mark", x: share(place), y: 10, dx: 0}, words));
  }
  columns.forEach((days, index) => {
    const isGap = days.some(day => "gap" in day.row.dataset);
    if (!isGap && days.some(day => series.some(one => one.of(day) !== null))) return;
    column("uncovered", index, plot.top, plot.height, `${spanOf(days)}: data is missing`);
  });
  columns.forEach((days, index) => {
    let base = 0;
    for (const one of series) {
      const value = sumOf(days, one.of);
      if (!value) continue;
      const top = y(base + value);
      column(one.tone, index, pixels(top), pixels(y(base) - top),
        `${spanOf(days)}: ${one.title.toLowerCase()} ${grouped(value)}`);
      base += value;
    }
  });
  for (const {index, column: days, value} of dashes) {
    column("previous", index, pixels(y(value) - 1), 2,
      `${spanOf(days)}: ${previous.title.toLowerCase()} ${grouped(value)}`);
  }
  const stride = Math.ceil(columns.length / plot.labels);
  const isMonths = days.length > plot.singleDays;
  let written = 0;
  columns.forEach((column, index) => {
    const fits = (2 * (columns.length - index) - 1) * 10 >= columns.length;
    const month = fits && column.find(day => day.date.endsWith("-01"));
    if (isMonths ? !month : index % stride) return;
    const minor = (written += 1) % 2 ? "" : " minor";
    shapes.push(shape("text", {
      class: `tick x${minor}`, x: share((index + 0.5) * slot), y: plot.top + plot.height + 18, dx: 0
    }, shortDay((isMonths ? month : column[0]).date)));
  });
  for (const old of all(":scope > :not(title, desc)", svg)) old.remove();
  svg.append(...shapes);
};

// Two dates above a drawing by day: it is drawn for these days, its table shows them, and their sums.
const addRange = figure => {
  const table = figure.querySelector("table");
  const svg = figure.querySelector("svg.columns");
  const days = [...table.tBodies[0].rows].map(row =>
    ({row, date: row.querySelector("time").getAttribute("datetime")}));
  if (days.length < 3) return;
  const columns = [...table.tHead.rows[0].cells].map((head, column) => ({
    title: head.textContent.trim(), tone: head.dataset.tone, isPrevious: "previous" in head.dataset,
    isSum: "sum" in head.dataset,
    of: day => keyOf(day.row.cells[column])
  }));
  const marks = all(".marks li", figure).map((item, index) =>
    ({number: index + 1, date: item.dataset.day}));
  const bounds = {min: days[0].date, max: days.at(-1).date};
  const from = make("input", {type: "date", name: "from", value: bounds.min, ...bounds});
  const until = make("input", {type: "date", name: "to", value: bounds.max, ...bounds});
  const whole = make("button", {type: "button", hidden: ""}, "Whole period");
  const unit = figure.querySelector(".unit");
  const desc = svg.querySelector("desc");
  const alternative = desc.textContent;
  const say = toolbar(svg, "Days", labelled("From", from), labelled("to", until), whole);

  const show = () => {
    const [first, last] = [from.value || bounds.min, until.value || bounds.max].sort();
    const chosen = days.filter(day => day.date >= first && !(day.date > last));
    for (const day of days) day.row.hidden = !chosen.includes(day);
    whole.hidden = chosen.length === days.length;
    const sums = columns.filter(column => column.isSum).map(column =>
      `${column.title.toLowerCase()} ${grouped(sumOf(chosen, column.of))}`);
    const words = !chosen.length ? "No day of the period is among these."
      : `${counted(chosen.length, "day")}, ${spanOf(chosen)}: ${sums.join(" · ")}. `
        + "All other figures are of the whole period.";
    say(whole.hidden ? "" : words, !whole.hidden);
    const step = isWeekly(chosen) ? "week" : "day";
    unit.textContent = unit.dataset[step];
    desc.textContent = whole.hidden ? alternative : `${words} Columns by ${step}.`;
    drawDays(svg, chosen, columns.filter(column => column.tone),
      columns.find(column => column.isPrevious), marks);
  };
  from.addEventListener("change", show);
  until.addEventListener("change", show);
  whole.addEventListener("click", () => {
    [from.value, until.value] = [bounds.min, bounds.max];
    show();
    from.focus();
  });
};

// Before the tables are sorted, while their rows are in the order of the days.
for (const figure of all("figure.daily")) addRange(figure);
