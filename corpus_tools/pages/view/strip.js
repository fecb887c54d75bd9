// The strip: abstract above, document below, and a ribbon for each link.

const STRIP = { width: 1000, height: 44, bar: 5, least: 3 };

function showStrip(strip, pair) {
  const scale = (name) => STRIP.width / Math.max(1, pair[name].spans.length);
  const [abstractScale, documentScale] = [scale("abstract"), scale("document")];
  strip.setAttribute("viewBox", `0 0 ${STRIP.width} ${STRIP.height}`);
  strip.setAttribute("aria-label", describeSources(pair));
  const shapes = [...axis(pair.abstract, abstractScale, 0), ...axis(pair.document, documentScale, STRIP.height - STRIP.bar)];
  for (const link of pair.links) {
    for (const abstract of spansIn(link.abstract)) {
      for (const document of spansIn(link.document)) {
        const ends = [...abstract.map((token) => token * abstractScale), ...document.map((token) => token * documentScale)];
        shapes.push(ribbon(link, ...ends));
      }
    }
  }
  strip.replaceChildren(...shapes);
}

function ribbon(link, a, aEnd, d, dEnd) {
  const right = Math.max(dEnd, d + STRIP.least);
  const [top, bottom] = [STRIP.bar, STRIP.height - STRIP.bar];
  const points = [[a, 0], [aEnd, 0], [aEnd, top], [right, bottom], [right, STRIP.height], [d, STRIP.height], [d, bottom], [a, top]];
  return shape("polygon", { class: `ribbon ${link.status}`, "data-links": link.number,
                            "data-color": link.color, points: points.join(" ") });
}

// Return the bar of a side at a height, cut where its sentences end.
function axis(side, scale, y) {
  const bar = shape("rect", { class: "axis", x: 0, width: STRIP.width, y, height: STRIP.bar });
  const ends = side.sentences.slice(1, -1).map((boundary) => boundary * scale);
  return [bar, ...ends.map((x) => shape("line", { class: "boundary", x1: x, x2: x, y1: y, y2: y + STRIP.bar }))];
}

// Say in words from which tenths of the document the abstract draws.
function describeSources(pair) {
  const words = pair.document.spans.length;
  const tenths = new Set(pair.links.filter((link) => link.status !== "missing")
    .map((link) => Math.floor((10 * tokensOf(link.document)[0]) / words) + 1));
  if (!tenths.size) return "No part of the abstract comes from the document.";
  return `The abstract comes from tenths ${[...tenths].sort((x, y) => x - y).join(", ")} of the document.`;
}
