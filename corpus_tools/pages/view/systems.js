// One document and its abstracts by several systems, one below the other: as one text.

// Return a pair, with the abstracts of other systems that have its document.
function withOthers(row, index) {
  const same = systems.length > 1 ? summaries.filter(({ document }) => document === summaries[index].document) : [];
  if (same.length < 2) return withPlaces(row);
  const joined = { document: row.document, abstract: { text: "", spans: [], tokens: [], sentences: [0] },
                   links: [], heads: [], posteriors: [], null: [] };
  for (const summary of same) addAbstract(joined, withPlaces(readLine(summary.index)), summary, summaries[index].id);
  if (joined.null.length < joined.abstract.tokens.length) delete joined.posteriors;
  cutTokens(joined.document);
  return joined;
}

function addAbstract({ abstract, links, heads, posteriors, null: unaligned }, own, { id, system }, asked) {
  const [characters, tokens, color] = [abstract.text.length, abstract.tokens.length, system % COLORS];
  const name = id === asked ? systems[system] : `${systems[system]}, ${id}`;
  const line = make("span", { class: "head", dir: "ltr", "data-color": color }, `${name} · ${describeSide(own, "abstract")}`);
  heads.push({ first: abstract.sentences.length - 1, line });
  abstract.text += `${own.abstract.text} `;
  abstract.spans.push(...own.abstract.spans.map((span) => span.map((place) => place + characters)));
  abstract.tokens.push(...own.abstract.tokens);
  abstract.sentences.push(...own.abstract.sentences.slice(1).map((end) => end + tokens));
  for (const link of own.links) {
    links.push({ ...link, number: links.length, color, abstract: link.abstract.map((token) => token + tokens) });
  }
  posteriors.push(...(own.posteriors ?? []).map(([token, ...rest]) => [token + tokens, ...rest]));
  unaligned.push(...(own.null ?? []));
}
