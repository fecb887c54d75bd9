// The matrix of posteriors of an abstract sentence and a document sentence, as in the paper's Figure 1.

const dialog = document.getElementById("matrix");

// Open the matrix at the sentences of a link, or at the first ones.
function openMatrix(pair, link) {
  for (const name of ["abstract", "document"]) {
    const select = document.getElementById(`${name}-sentence`);
    select.replaceChildren(...sentencesOf(pair[name]).map(([number, span]) =>
      make("option", { value: number }, `${number + 1}  ${wordsOf(pair[name], span)}`)));
    const sentence = pair[name].sentences.findLastIndex((boundary) => boundary <= (link ? link[name][0] : 0));
    select.value = String(sentence);
    select.onchange = () => showMatrix(pair);
  }
  showMatrix(pair);
  dialog.showModal();
}

function showMatrix(pair) {
  const [rows, columns] = ["abstract", "document"].map((name) => {
    const number = Number(document.getElementById(`${name}-sentence`).value);
    return [pair[name].sentences[number], pair[name].sentences[number + 1]];
  });
  const probabilities = new Map(pair.posteriors.map(([a, d, p]) => [`${a} ${d}`, p]));
  const head = make("tr", {}, make("td"));
  for (let d = columns[0]; d < columns[1]; d++) {
    head.append(make("th", { scope: "col" }, make("span", { dir: "auto" }, pair.document.tokens[d])));
  }
  const table = make("table", {}, make("thead", {}, head));
  for (let a = rows[0]; a < rows[1]; a++) {
    const row = make("tr", {}, make("th", { scope: "row", dir: "auto" }, pair.abstract.tokens[a]));
    for (let d = columns[0]; d < columns[1]; d++) row.append(cell(pair, a, d, probabilities.get(`${a} ${d}`)));
    table.append(row);
  }
  dialog.querySelector(".table").replaceChildren(table);
}

function cell(pair, a, d, probability) {
  if (!probability) return make("td");
  const words = `${pair.abstract.tokens[a]} ← ${pair.document.tokens[d]}: ${probability.toFixed(2)}`;
  const element = make("td", { class: "likely", title: words }, make("span", {}, probability.toFixed(2).slice(probability < 1 ? 1 : 0, 4)));
  element.style.setProperty("--p", `${Math.round(100 * probability)}%`);
  return element;
}
