// The matrix of posteriors of an abstract sentence and a document sentence, as in the paper's Figure 1.

const dialog = document.getElementById("matrix");

// Open the matrix at the sentences of the first of some links, whose words are marked, or at the first sentences.
function openMatrix(pair, links) {
  for (const name of ["abstract", "document"]) {
    const select = document.getElementById(`${name}-sentence`);
    select.replaceChildren(...sentencesOf(pair[name]).map(([number, span]) =>
      make("option", { value: number }, `${number + 1}  ${wordsOf(pair[name], span)}`)));
    select.dir = getComputedStyle(panes[name]).direction;
    const first = links.length ? links[0][name][0] : 0;
    select.value = String(pair[name].sentences.findLastIndex((boundary) => boundary <= first));
    select.onchange = () => showMatrix(pair, links);
  }
  showMatrix(pair, links);
  dialog.showModal();
  dialog.querySelector("td.asked")?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

// Show a row for each word of the abstract. Its first cells say where it comes from, and add up to 1.
function showMatrix(pair, links) {
  const [rows, columns] = ["abstract", "document"].map((name) => {
    const number = Number(document.getElementById(`${name}-sentence`).value);
    return tokensOf([pair[name].sentences[number], pair[name].sentences[number + 1]]);
  });
  const asked = (name, token) => (links.some((link) => holds(link, name, token)) ? "asked" : "");
  const head = ["unaligned", "elsewhere", "this sentence"].map((words) => heading("col", words, "sum"));
  head.push(...columns.map((d) => heading("col", pair.document.tokens[d], asked("document", d))));
  const body = rows.map((a) => {
    const word = heading("row", pair.abstract.tokens[a], asked("abstract", a));
    return make("tr", {}, word, ...cellsOf(pair, links, a, columns));
  });
  const top = make("thead", {}, make("tr", {}, make("td"), ...head));
  dialog.querySelector(".table").replaceChildren(make("table", {}, top, make("tbody", {}, ...body)));
}

function cellsOf(pair, links, a, columns) {
  const word = pair.abstract.tokens[a];
  const own = pair.posteriors.filter(([row, d]) => row === a && columns[0] <= d && d <= columns.at(-1));
  const probabilities = new Map(own.map(([, d, probability]) => [d, probability]));
  const aligned = 1 - pair.null[a];
  const here = Math.min(own.reduce((sum, [, , probability, share = probability]) => sum + share, 0), aligned);
  const sums = [pair.null[a], aligned - here, here].map((sum) => cell(sum, word, "sum"));
  return [...sums, ...columns.map((d) => {
    const isAsked = links.some((link) => holds(link, "abstract", a) && holds(link, "document", d));
    return cell(probabilities.get(d), `${word} ← ${pair.document.tokens[d]}`, isAsked ? "asked" : "");
  })];
}

function holds(link, name, token) {
  return link[name][0] <= token && token < link[name][1];
}

function heading(scope, words, kind) {
  return make("th", { scope, dir: "auto", class: kind }, make("span", {}, words));
}

// Return a cell with a probability of two digits, empty where these are zeros.
function cell(probability, title, kind) {
  if (!probability || probability < 0.005) return make("td", { class: kind });
  const digits = probability.toFixed(2);
  const element = make("td", { class: `likely ${kind}`, title: `${title}: ${digits}` }, make("span", {}, digits.replace(/^0/, "")));
  element.style.setProperty("--p", `${Math.round(100 * probability)}%`);
  return element;
}
