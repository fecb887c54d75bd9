// The histograms above the columns: all pairs behind, the chosen ones in front. A click or a drag filters.

const BARS = 20;

// Cut the figures of a column into bars of one width, in whole units of its last digit.
function barsOf(column) {
  const unit = 10 ** columns[column].digits;
  const known = summaries.map(({ figures }) => figures[column]).filter((figure) => figure !== null);
  const figures = Float64Array.from(known, (figure) => Math.round(unit * figure)).sort();
  const [least, most] = [figures[0], figures.at(-1)];
  // Where few pairs would squeeze all others into a few bars, the last bar holds what is above.
  const usual = figures[Math.floor(0.99 * (figures.length - 1))];
  const top = most - least > 4 * (usual - least) && usual > least ? usual : most;
  const width = roundWidth((top - least + 1) / BARS);
  const start = Math.floor(least / width) * width;
  const count = Math.floor((top - start) / width) + 1;
  return { column, unit, least, most, width, start, count, all: [] };
}

// Return the next of 1, 2, 5, 10, 20 and so on.
function roundWidth(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return power * [1, 2, 5, 10].find((factor) => factor * power >= least);
}

function barOf({ column, unit, width, start, count }, figure) {
  return Math.min(Math.max(Math.floor((Math.round(unit * figure) - start) / width), 0), count - 1);
}

// Return the figures that a bar holds, both ends included. The last bar has no end.
function spanOf({ unit, width, start, count }, bar) {
  const least = start + bar * width;
  return { least: least / unit, most: bar === count - 1 ? null : (least + width - 1) / unit };
}

function countsOf(bars, some) {
  const counts = new Array(bars.count).fill(0);
  for (const { figures } of some) {
    const figure = figures[bars.column];
    if (figure !== null) counts[barOf(bars, figure)]++;
  }
  return counts;
}

// Return the bars as a path in a box that is 1 high and as wide as there are bars.
function pathOf(counts, highest) {
  // A pair among thousands is seen too.
  const height = (count) => (count ? Math.max(count / highest, 0.05) : 0);
  return counts.map((count, bar) => `M${bar + 0.05} 1v${-height(count)}h.9V1z`).join("");
}

// Return the histogram of a column, which is made when it is first shown.
const made = [];
const histogramOf = (column) => (made[column] ??= barsOf(column));

// Make the histogram of a column.
function makeHistogram(bars) {
  bars.all = countsOf(bars, summaries);
  bars.highest = Math.max(...bars.all);
  const box = shape("svg", { class: "histogram", viewBox: `0 0 ${bars.count} 1`, preserveAspectRatio: "none", "aria-hidden": true });
  box.append(shape("rect", { class: "span", y: 0, height: 1 }), shape("path", { class: "all", d: pathOf(bars.all, bars.highest) }),
             shape("path", { class: "chosen" }));
  const barAt = ({ clientX }) => {
    const { left, width } = box.getBoundingClientRect();
    return Math.min(Math.max(Math.floor(((clientX - left) / width) * bars.count), 0), bars.count - 1);
  };
  let from = null;
  box.addEventListener("pointerdown", (event) => {
    from = barAt(event);
    box.setPointerCapture(event.pointerId);
  });
  box.addEventListener("pointermove", (event) => {
    const bar = barAt(event);
    if (from !== null && (bar !== from || bars.drags)) { bars.drags = true; filterBars(bars, from, bar); }
    tellBar(bars, bar);
  });
  box.addEventListener("pointerup", (event) => {
    if (from !== null && !bars.drags) filterBars(bars, from, barAt(event), true);
    from = null;
    bars.drags = false;
  });
  box.addEventListener("pointercancel", () => { from = null; bars.drags = false; });
  box.addEventListener("pointerleave", () => { get("status").textContent = ""; });
  return box;
}

// Filter a column by some bars. To click on the bar that is chosen alone lets all pairs pass again.
function filterBars(bars, from, to, isClick = false) {
  const before = bounds[bars.column];
  const { least } = spanOf(bars, Math.min(from, to));
  const { most } = spanOf(bars, Math.max(from, to));
  const isSame = before.least === least && before.most === most;
  if (isSame && !isClick) return;
  bounds[bars.column] = isSame ? NO_BOUNDS : { least, most };
  showChoice();
}

function tellBar(bars, bar) {
  const { least, most } = spanOf(bars, bar);
  const shown = (figure) => shownFigure(bars.column, figure);
  const span = most === null ? `${shown(least)} or more` : least === most ? shown(least) : `${shown(least)} to ${shown(most)}`;
  const counts = countsOf(bars, chosen);
  get("status").textContent = `${columns[bars.column].title} ${span}: ${counts[bar]} of ${bars.all[bar]} pairs`;
}

// Show the chosen pairs in front, and the bars that the filter lets pass.
function showHistogram(box, bars) {
  const { least, most } = bounds[bars.column];
  const first = least === null ? 0 : barOf(bars, least);
  const last = most === null ? bars.count - 1 : barOf(bars, most);
  box.querySelector(".chosen").setAttribute("d", pathOf(countsOf(bars, chosen), bars.highest));
  box.querySelector(".span").setAttribute("x", first);
  box.querySelector(".span").setAttribute("width", least === null && most === null ? 0 : Math.max(last - first + 1, 0));
}
