// The clock of a pair: the seconds for which it is worked on. The server adds them up.

const PAUSE = 60;  // Seconds without any input after which nobody is at work, chosen by hand.
const LEAST_SENT = 1;  // Seconds that are worth a line of their own in the file, chosen by hand.

let worked = 0;  // Those that the server does not know yet.
let lastInput = performance.now();

// Count the time since the last input, unless it was a pause.
function tick() {
  const now = performance.now();
  const seconds = (now - lastInput) / 1000;
  if (seconds <= PAUSE) worked += seconds;
  lastInput = now;
}

// Return what was counted, and begin anew.
function countedSeconds() {
  tick();
  const seconds = worked;
  worked = 0;
  return seconds;
}

// Send the time of the pair: another one is opened, or the page is left, which the request outlives.
async function sendTime() {
  const seconds = countedSeconds();
  if (!pair || seconds < LEAST_SENT) return;
  overview.pairs[rowNumber(index)].seconds += seconds;
  try {
    await send({ do: "work" }, seconds);
  } catch {
    // A server that has ended is noticed by the next step, which would lose more.
  }
}

for (const input of ["keydown", "input", "pointerdown", "pointermove", "wheel", "scroll"]) {
  addEventListener(input, tick, { capture: true, passive: true });
}
document.addEventListener("visibilitychange", () => {
  if (document.hidden) sendTime();
  else lastInput = performance.now();
});
