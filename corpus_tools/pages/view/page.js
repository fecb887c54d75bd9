// The page of links: which pair is shown.

function showPair(row, index) {
  showTexts(withOthers(row, index));
  highlightSearch(Object.values(panes));
}

function showNothing() {
  pair = null;
  for (const element of [...Object.values(panes), get("strip"), get("links")]) element?.replaceChildren();
}

function abstractOf(row) {
  return row.abstract.text;
}

function documentOf(row) {
  return row.document.text;
}

start();
