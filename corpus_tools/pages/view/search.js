// The search in ids and texts.

let searched = null;

// Return what tells by the number of a pair whether the search finds it.
function searchedPairs() {
  const asked = searchForm(get("search").value.trim());
  if (!asked) return () => true;
  searched ??= summaries.map(({ id, index, system }) => {
    const row = readLine(index);
    return searchForm([id, systems[system], abstractOf(row), documentOf(row)].join("\n"));
  });
  return (index) => searched[index].includes(asked);
}

// Return a text as it is compared: without case, and without the ways to write one character.
function searchForm(text) {
  return text.normalize("NFKC").toLowerCase();
}

// Mark what is searched, where the browser can. Other browsers only choose the pairs.
function highlightSearch(elements) {
  if (!globalThis.CSS?.highlights) return;
  CSS.highlights.delete("search");
  const asked = get("search").value.trim().toLowerCase();
  if (!asked) return;
  const ranges = elements.flatMap((element) => rangesOf(element, asked));
  CSS.highlights.set("search", new Highlight(...ranges));
}

function rangesOf(element, asked) {
  const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const starts = [];
  let text = "";
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    starts.push([text.length, node]);
    text += node.data;
  }
  const point = (offset) => {
    const [start, node] = starts.findLast(([first]) => first <= offset);
    return [node, offset - start];
  };
  // Few letters have another length in lower case; then the marks of a text would be beside it.
  const lower = text.toLowerCase();
  const ranges = [];
  if (lower.length !== text.length) return ranges;
  for (let at = lower.indexOf(asked); at >= 0; at = lower.indexOf(asked, at + asked.length)) {
    const range = new Range();
    range.setStart(...point(at));
    range.setEnd(...point(at + asked.length));
    ranges.push(range);
  }
  return ranges;
}

function later(action, milliseconds) {
  let timer = 0;
  return () => { clearTimeout(timer); timer = setTimeout(action, milliseconds); };
}

get("search").addEventListener("input", later(() => whenRead.then(showChoice), 150));
