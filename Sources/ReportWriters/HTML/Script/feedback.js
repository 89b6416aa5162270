// Takes the marks of the search before out of a text, and marks where the words stand now.
const mark = (root, words) => {
  for (const old of all("mark", root)) old.replaceWith(...old.childNodes);
  root.normalize();
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  for (const node of nodes) {
    const {plain, places} = folded(node.data);
    const hits = words.flatMap(word => {
      const found = [];
      for (let at = plain.indexOf(word); at !== -1; at = plain.indexOf(word, at + word.length)) {
        found.push([places[at], places[at + word.length]]);
      }
      return found;
    }).sort((one, other) => other[0] - one[0] || other[1] - one[1]);
    // From the end to the beginning, so that splitting moves no place that is still needed.
    let limit = node.length;
    for (const [start, end] of hits) {
      if (end > limit) continue;
      const rest = node.splitText(start);
      rest.splitText(end - start);
      rest.replaceWith(make("mark", {}, rest.data));
      limit = start;
    }
  }
};

// A field and choices above what people wrote; they hide the entries that do not fit, and unfold
// the older ones.
const addSearch = list => {
  const rest = list.nextElementSibling?.matches(".rest") ? list.nextElementSibling : null;
  const entries = [list, ...(rest ? all("ol", rest) : [])].flatMap(part => all(":scope > li", part));
  if (entries.length < 5) return;
  const texts = new Map(entries.map(entry =>
    [entry, folded(all("blockquote p, .fine", entry).map(part => part.textContent).join("\n")).plain]));
  const field = searchField();
  const choices = ["stars", "country", "version"].map(key => {
    const values = [...new Set(entries.map(entry => entry.dataset[key] ?? ""))].filter(value => value);
    const options = values.sort(collator.compare).map(value => make("option", {value}, value));
    return {key, count: values.length, select: make("select", {name: `chosen-${key}`}, make("option", {value: ""}, "all"), ...options)};
  }).filter(choice => choice.count > 1);
  const titles = {stars: "Stars", country: "Country", version: "Version"};
  const say = toolbar(
    list, "Search in feedback", labelled("Search", field),
    ...choices.map(choice => labelled(titles[choice.key], choice.select)));
  const reach = reachOf(rest ?? list);

  const search = () => {
    const words = wordsOf(field.value);
    for (const entry of entries) {
      entry.hidden = !holds(texts.get(entry), words)
        || choices.some(({key, select}) => select.value && select.value !== entry.dataset[key]);
      for (const part of all("blockquote, .fine", entry)) mark(part, entry.hidden ? [] : words);
    }
    const found = entries.filter(entry => !entry.hidden).length;
    const isNarrowed = words.length > 0 || choices.some(({select}) => select.value);
    const result = `${grouped(found)} of ${counted(entries.length, "text")}. `;
    if (rest && rest.open !== isNarrowed) rest.open = isNarrowed;
    say((isNarrowed ? result : "") + reach, isNarrowed);
  };
  for (const control of [field, ...choices.map(choice => choice.select)]) {
    control.addEventListener("input", search);
  }
  search();
};

for (const list of all("ol.feedback:not(.rest > *)")) addSearch(list);
