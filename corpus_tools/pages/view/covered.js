// The page of coverage: the words of each side, and what covers each of them on the other.

// Return a word with its links to the words that cover it. What is not measured, such as a mark, is text.
function shownWord(pair, name, token) {
  if (!pair.covered[name][token]) return pair[name].tokens[token];
  const [posterior, by] = pair.covered[name][token];
  return make("span", {
    class: posterior < overview.leastCovered ? "word uncovered" : "word", role: "button", tabindex: "-1",
    "data-word": token, "data-links": by.map(([other]) => other).join(" "),
  }, pair[name].tokens[token]);
}

function describeCovered(pair, name) {
  const measured = pair.covered[name].filter(Boolean);
  const uncovered = measured.filter(([posterior]) => posterior < overview.leastCovered);
  return `${measured.length} words, ${uncovered.length} not covered`;
}

// Light up a word and the words that cover it, or none; say what covers it.
function lightWord(word) {
  for (const element of document.querySelectorAll("main .on")) element.classList.remove("on");
  get("status").textContent = "";
  if (!word) return;
  const [name, other] = panes.abstract.contains(word) ? ["abstract", "document"] : ["document", "abstract"];
  const [posterior, by] = pair.covered[name][Number(word.dataset.word)];
  word.classList.add("on");
  for (const [token] of by) panes[other].querySelector(`[data-word="${token}"]`).classList.add("on");
  scrollTo(panes[other], panes[other].querySelector(".on"));
  const said = `${inQuotes(word.textContent)}: covered with probability ${posterior.toFixed(2)}`;
  const words = by.map(([token, link]) => `${inQuotes(pair[other].tokens[token])} ${link.toFixed(2)}`);
  get("status").textContent = words.length ? `${said}, by ${words.join(", ")}` : said;
}
